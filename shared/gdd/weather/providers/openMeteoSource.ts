import { readAnswer } from './answerShape.js';
import { readOpenMeteo } from './openMeteoAnswer.js';
import { weatherHttpClient, type WeatherHttpOptions } from './weatherHttpClient.js';
import type { GroundPoint, WeatherAnswer, WeatherSource } from '../weatherSource.js';

/** Addresses and key of Open-Meteo. */
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
 * One model is named for each interface: left alone, the provider changes models in 2017 and again within a forecast, so
 * that normals and season, or forecast and archive, would differ by the bias of the models. ERA5-Land, with ERA5 at
 * coasts; ECMWF at 9 km.
 */
const models = { archive: 'era5_seamless', forecast: 'ecmwf_ifs' } as const;

/** Days before today in a forecast answer: they bridge the archive's delay and show the bias of the model. */
const forecastPastDays = '31';
/** Nine days from today on: the eight that are used by default, and one because an answer may be cached overnight. */
const forecastDays = '9';

/**
 * Open-Meteo: reanalysed days since 1950 and a forecast, both by the calendar day and at the height of the place.
 *
 * @see https://open-meteo.com/en/docs/historical-weather-api and https://open-meteo.com/en/docs
 */
export function openMeteoSource(options: OpenMeteoOptions): WeatherSource {
  const { archiveUrl, forecastUrl, apiKey, clock } = options;
  const getJson = weatherHttpClient(provider, options);
  const ask = async (url: URL, model: string, signal?: AbortSignal): Promise<WeatherAnswer> => {
    const json = await getJson(url, signal);
    const answer = readAnswer(provider, json, (answered) => readOpenMeteo(answered, model));
    return { ...answer, retrievedAt: clock.now().getTime() };
  };
  return {
    provider,
    heightOf: 'point',
    models,
    newestDayIsPartial: true,
    archive: (place, { from, to }, signal) => {
      const part = { start_date: from, end_date: to, models: models.archive, cell_selection: 'land' };
      return ask(addressOf(archiveUrl, { place, apiKey, part }), models.archive, signal);
    },
    forecast: (place, signal) => {
      const part = { past_days: forecastPastDays, forecast_days: forecastDays, models: models.forecast };
      return ask(addressOf(forecastUrl, { place, apiKey, part }), models.forecast, signal);
    },
  };
}

interface Query {
  readonly place: GroundPoint;
  readonly apiKey: string | undefined;
  /** Parameters of one of the two interfaces. */
  readonly part: Readonly<Record<string, string>>;
}

function addressOf(base: string, { place, apiKey, part }: Query): URL {
  const url = new URL(base);
  url.searchParams.set('latitude', String(place.latitude));
  url.searchParams.set('longitude', String(place.longitude));
  if (place.elevationM !== undefined) url.searchParams.set('elevation', String(place.elevationM));
  url.searchParams.set('daily', 'temperature_2m_max,temperature_2m_min');
  url.searchParams.set('timezone', 'auto');
  url.searchParams.set('temperature_unit', 'celsius');
  if (apiKey !== undefined) url.searchParams.set('apikey', apiKey);
  for (const [name, value] of Object.entries(part)) url.searchParams.set(name, value);
  return url;
}
