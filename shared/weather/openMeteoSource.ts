import { ShapeError } from './answerShape.js';
import type { DaySpan } from './calendar.js';
import { readOpenMeteo } from './openMeteoAnswer.js';
import type { WeatherHttpOptions } from './weatherHttpClient.js';
import { weatherHttpClient } from './weatherHttpClient.js';
import type { Place, WeatherAnswer, WeatherSource } from './weatherSource.js';
import { WeatherError } from './weatherSource.js';

export interface OpenMeteoOptions extends WeatherHttpOptions {
  /** Whole address of the archive interface, such as https://archive-api.open-meteo.com/v1/archive */
  readonly archiveUrl: string;
  /** Whole address of the forecast interface, such as https://api.open-meteo.com/v1/forecast */
  readonly forecastUrl: string;
  /** For the commercial hosts; never logged. */
  readonly apiKey?: string;
}

const provider = 'open-meteo';

/** Days before today that a forecast answer covers too: they bridge the archive's delay of about five days. */
const forecastPastDays = '14';
/** The longest forecast of the interface, today included. */
const forecastDays = '16';

/**
 * Open-Meteo: reanalysed days since 1940 and a forecast of 16 days, both by the calendar day at the place.
 *
 * @see https://open-meteo.com/en/docs/historical-weather-api and https://open-meteo.com/en/docs
 */
export function openMeteoSource(options: OpenMeteoOptions): WeatherSource {
  const getJson = weatherHttpClient(provider, options);
  const ask = async (url: URL, signal?: AbortSignal): Promise<WeatherAnswer> => {
    const json = await getJson(url, signal);
    try {
      return { ...readOpenMeteo(json), retrievedAt: options.clock.now().getTime() };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw new WeatherError('invalid', provider, `sent an unusable answer: ${error.message}.`, { cause: error });
    }
  };
  return {
    provider,
    archive: (place, span, signal) => ask(archiveUrl(options, place, span), signal),
    forecast: (place, signal) => ask(forecastUrl(options, place), signal),
  };
}

function archiveUrl(options: OpenMeteoOptions, place: Place, { from, to }: DaySpan): URL {
  const url = addressOf(options.archiveUrl, place, options.apiKey);
  url.searchParams.set('start_date', from);
  url.searchParams.set('end_date', to);
  return url;
}

function forecastUrl(options: OpenMeteoOptions, place: Place): URL {
  const url = addressOf(options.forecastUrl, place, options.apiKey);
  url.searchParams.set('past_days', forecastPastDays);
  url.searchParams.set('forecast_days', forecastDays);
  return url;
}

function addressOf(base: string, place: Place, apiKey: string | undefined): URL {
  const url = new URL(base);
  url.searchParams.set('latitude', String(place.latitude));
  url.searchParams.set('longitude', String(place.longitude));
  url.searchParams.set('daily', 'temperature_2m_max,temperature_2m_min');
  url.searchParams.set('timezone', 'auto');
  url.searchParams.set('temperature_unit', 'celsius');
  if (apiKey !== undefined) url.searchParams.set('apikey', apiKey);
  return url;
}
