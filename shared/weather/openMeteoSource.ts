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

/**
 * One model each: the provider's own choice changes from 2017 on and again within a forecast, so that normals and
 * season, or forecast and overlap, would differ by the models' bias. ERA5-Land, ERA5 at coasts; ECMWF at 9 km.
 */
const models = { archive: 'era5_seamless', forecast: 'ecmwf_ifs' } as const;

/** Days before today that a forecast answer covers too: they bridge the archive's delay and tell the model's bias. */
const forecastPastDays = '31';
/** Nine days from today on: the last eight that are believed, and one for a cached answer of the day before. */
const forecastDays = '9';

/**
 * Open-Meteo: reanalysed days since 1950 and a forecast, both by the calendar day and at the height of the place.
 *
 * @see https://open-meteo.com/en/docs/historical-weather-api and https://open-meteo.com/en/docs
 */
export function openMeteoSource(options: OpenMeteoOptions): WeatherSource {
  const getJson = weatherHttpClient(provider, options);
  const ask = async (url: URL, model: string, signal?: AbortSignal): Promise<WeatherAnswer> => {
    const json = await getJson(url, signal);
    try {
      return { ...readOpenMeteo(json, model), retrievedAt: options.clock.now().getTime() };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw new WeatherError('invalid', provider, `sent an unusable answer: ${error.message}.`, { cause: error });
    }
  };
  return {
    provider,
    heightOf: 'point',
    models,
    newestDayIsPartial: true,
    archive: (place, span, signal) => ask(archiveUrl(options, place, span), models.archive, signal),
    forecast: (place, signal) => ask(forecastUrl(options, place), models.forecast, signal),
  };
}

function archiveUrl(options: OpenMeteoOptions, place: Place, { from, to }: DaySpan): URL {
  const url = addressOf(options.archiveUrl, place, options.apiKey);
  url.searchParams.set('start_date', from);
  url.searchParams.set('end_date', to);
  url.searchParams.set('models', models.archive);
  url.searchParams.set('cell_selection', 'land');
  return url;
}

function forecastUrl(options: OpenMeteoOptions, place: Place): URL {
  const url = addressOf(options.forecastUrl, place, options.apiKey);
  url.searchParams.set('past_days', forecastPastDays);
  url.searchParams.set('forecast_days', forecastDays);
  url.searchParams.set('models', models.forecast);
  return url;
}

function addressOf(base: string, place: Place, apiKey: string | undefined): URL {
  const url = new URL(base);
  url.searchParams.set('latitude', String(place.latitude));
  url.searchParams.set('longitude', String(place.longitude));
  if (place.elevationM !== undefined) url.searchParams.set('elevation', String(place.elevationM));
  url.searchParams.set('daily', 'temperature_2m_max,temperature_2m_min');
  url.searchParams.set('timezone', 'auto');
  url.searchParams.set('temperature_unit', 'celsius');
  if (apiKey !== undefined) url.searchParams.set('apikey', apiKey);
  return url;
}
