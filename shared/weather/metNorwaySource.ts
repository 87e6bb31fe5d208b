import { ShapeError } from './answerShape.js';
import { localDays, solarOffsetSeconds, withNewerSteps } from './localDays.js';
import { readMetNorway } from './metNorwayAnswer.js';
import type { HttpAnswer, WeatherHttpOptions } from './weatherHttpClient.js';
import { weatherHttp } from './weatherHttpClient.js';
import type { Place, WeatherAnswer, WeatherSource } from './weatherSource.js';
import { WeatherError } from './weatherSource.js';

export interface MetNorwayOptions extends WeatherHttpOptions {
  /** Whole address, such as https://api.met.no/weatherapi/locationforecast/2.0/complete */
  readonly url: string;
  /** Site or e-mail address of whoever runs the service: the terms want one in every request. */
  readonly contact: string;
  /** Version of the service. */
  readonly version: string;
  /** Resolves when a request may be made; all instances together may make 20 a second. @throws WeatherError */
  readonly awaitTurn: () => Promise<void>;
  /** Told when the provider says that this version of its interface will go. */
  readonly onDeprecated: () => void;
}

export const metNorway = 'met-norway';
const provider = metNorway;
const minute = 60_000;
/** How long nobody is asked after a refusal: who goes on is blocked. */
const pauseMs: Readonly<Record<string, number>> = { denied: 60 * minute, throttled: 10 * minute };

/**
 * MET Norway's Locationforecast: nine days for the whole world, free of charge, by days of the sun. Earlier answers are
 * kept, so that the day that is running and the days that the archive does not have yet are whole.
 *
 * @see https://api.met.no/doc/TermsOfService
 */
export function metNorwaySource(options: MetNorwayOptions): WeatherSource {
  const ask = polite(options);
  const now = (): number => options.clock.now().getTime();
  return {
    provider,
    heightOf: 'point',
    models: { forecast: 'locationforecast' },
    forecast: async (place, signal, kept) => {
      const lastModified = kept?.memory?.lastModified;
      const headers = lastModified === undefined ? undefined : { 'if-modified-since': lastModified };
      const answer = await ask(addressOf(options.url, place), {
        ...(headers && { headers }),
        ...(signal && { signal }),
      });
      const isUnchanged = answer.json === undefined && kept !== undefined;
      const { days, origin, memory } = isUnchanged ? kept : newerForecast(place, answer, kept);
      const freshUntil = answer.expiresAt;
      return {
        days,
        origin,
        ...(memory && { memory }),
        retrievedAt: now(),
        ...(freshUntil !== undefined && { freshUntil }),
      };
    },
  };
}

/** The days of an answer together with those before it. */
function newerForecast(
  { longitude }: Place,
  { json, lastModified }: HttpAnswer,
  kept: WeatherAnswer | undefined,
): Pick<WeatherAnswer, 'days' | 'origin' | 'memory'> {
  const { steps, origin } = read(json);
  const all = withNewerSteps(kept?.memory?.steps ?? [], steps);
  return {
    days: localDays(all, solarOffsetSeconds(longitude)),
    origin,
    memory: { steps: all, ...(lastModified !== undefined && { lastModified }) },
  };
}

type Asking = Parameters<ReturnType<typeof weatherHttp>>[1];

/** Asks in turn and with a name, and stays away for a while after a refusal. */
function polite(options: MetNorwayOptions): (url: URL, asking: Asking) => Promise<HttpAnswer> {
  const ask = weatherHttp(provider, { ...options, followsRedirects: true, repeatsThrottled: false });
  const userAgent = `partner-field-service/${options.version} ${options.contact}`;
  let stopped: { readonly until: number; readonly fault: WeatherError } | undefined;
  return async (url, asking) => {
    const now = options.clock.now().getTime();
    if (stopped !== undefined && stopped.until > now) throw stopped.fault;
    await options.awaitTurn();
    try {
      const answer = await ask(url, { ...asking, headers: { ...asking?.headers, 'user-agent': userAgent } });
      if (answer.isDeprecated) options.onDeprecated();
      return answer;
    } catch (error) {
      if (error instanceof WeatherError) stopped = pauseAfter(error, now);
      throw error;
    }
  };
}

/** A refusal, and until when it holds; undefined after a fault that is no refusal. */
function pauseAfter(
  fault: WeatherError,
  now: number,
): { readonly until: number; readonly fault: WeatherError } | undefined {
  const pause = pauseMs[fault.kind];
  if (pause === undefined) return undefined;
  return { until: now + Math.max(pause, (fault.retryAfterSeconds ?? 0) * 1000), fault };
}

function read(json: unknown): ReturnType<typeof readMetNorway> {
  try {
    return readMetNorway(json);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new WeatherError('invalid', provider, `sent an unusable answer: ${error.message}.`, { cause: error });
  }
}

function addressOf(base: string, { latitude, longitude, elevationM }: Place): URL {
  const url = new URL(base);
  url.searchParams.set('lat', latitude.toFixed(2));
  url.searchParams.set('lon', longitude.toFixed(2));
  if (elevationM !== undefined) url.searchParams.set('altitude', String(Math.round(elevationM)));
  return url;
}
