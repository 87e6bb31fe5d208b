import { readAnswer } from './answerShape.js';
import { localDays, solarOffsetSeconds, withNewerSteps } from './localDays.js';
import { readMetNorway } from './metNorwayAnswer.js';
import { type HttpAnswer, type HttpRequest, weatherHttp, type WeatherHttpOptions } from './weatherHttpClient.js';
import { type GroundPoint, type WeatherAnswer, WeatherError, type WeatherSource } from '../weatherSource.js';

/** Address, identity and turn of the requests to MET Norway. */
export interface MetNorwayOptions extends WeatherHttpOptions {
  /** Whole address, such as https://api.met.no/weatherapi/locationforecast/2.0/complete */
  readonly url: string;
  /** Site or e-mail address of whoever runs the service: the terms of MET Norway ask for one in every request. */
  readonly contact: string;
  /** Version of the service. */
  readonly version: string;
  /** Resolves when a request may be made; all instances together may make 20 a second. @throws WeatherError */
  readonly awaitTurn: () => Promise<void>;
  /** Called when the provider announces the end of this version of its interface. */
  readonly onDeprecated: () => void;
}

/** Name of the provider. */
export const metNorway = 'met-norway';
const minute = 60_000;
/** Pause after a refusal, by its kind: MET Norway blocks callers who go on. */
const pauseMs: Readonly<Record<string, number>> = { denied: 60 * minute, throttled: 10 * minute };

/**
 * MET Norway's Locationforecast: nine days for the whole world, free of charge, in days of the sun. The steps of earlier
 * answers are kept: they complete the current day and the days that the archive does not have yet.
 *
 * @see https://api.met.no/doc/TermsOfService
 */
export function metNorwaySource(options: MetNorwayOptions): WeatherSource {
  const ask = polite(options);
  return {
    provider: metNorway,
    heightOf: 'point',
    models: { forecast: 'locationforecast' },
    forecast: async (place, signal, kept) => {
      const lastModified = kept?.memory?.lastModified;
      const headers = lastModified === undefined ? {} : { 'if-modified-since': lastModified };
      const answer = await ask(addressOf(options.url, place), { headers, signal });
      const isUnchanged = answer.json === undefined && kept !== undefined;
      const { days, origin, memory } = isUnchanged ? kept : newerForecast(place, answer, kept);
      const freshUntil = answer.expiresAt;
      return {
        days,
        origin,
        ...(memory && { memory }),
        retrievedAt: options.clock.now().getTime(),
        ...(freshUntil !== undefined && { freshUntil }),
      };
    },
  };
}

/** The days of an answer together with those before it. */
function newerForecast(
  { longitude }: GroundPoint,
  { json, lastModified }: HttpAnswer,
  kept: WeatherAnswer | undefined,
): Pick<WeatherAnswer, 'days' | 'origin' | 'memory'> {
  const { steps, origin } = readAnswer(metNorway, json, readMetNorway);
  const all = withNewerSteps(kept?.memory?.steps ?? [], steps);
  return {
    days: localDays(all, solarOffsetSeconds(longitude)),
    origin,
    memory: { steps: all, ...(lastModified !== undefined && { lastModified }) },
  };
}

/** Asks when it is this instance's turn, names the service, and makes no request for a while after a refusal. */
function polite(options: MetNorwayOptions): (url: URL, request: HttpRequest) => Promise<HttpAnswer> {
  const ask = weatherHttp(metNorway, { ...options, followsRedirects: true, repeatsThrottled: false });
  const userAgent = `partner-field-service/${options.version} ${options.contact}`;
  let stopped: { readonly until: number; readonly fault: WeatherError } | undefined;
  return async (url, request) => {
    const now = options.clock.now().getTime();
    if (stopped !== undefined && stopped.until > now) throw stopped.fault;
    await options.awaitTurn();
    try {
      const answer = await ask(url, { ...request, headers: { ...request.headers, 'user-agent': userAgent } });
      if (answer.isDeprecated) options.onDeprecated();
      return answer;
    } catch (error) {
      if (error instanceof WeatherError) {
        const pause = pauseMs[error.kind];
        const wait = pause && Math.max(pause, (error.retryAfterSeconds ?? 0) * 1000);
        stopped = wait === undefined ? undefined : { until: now + wait, fault: error };
      }
      throw error;
    }
  };
}

function addressOf(base: string, { latitude, longitude, elevationM }: GroundPoint): URL {
  const url = new URL(base);
  url.searchParams.set('lat', latitude.toFixed(2));
  url.searchParams.set('lon', longitude.toFixed(2));
  if (elevationM !== undefined) url.searchParams.set('altitude', String(Math.round(elevationM)));
  return url;
}
