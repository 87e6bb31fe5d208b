import type { Clock } from '../../kit/clock.js';
import type { Config, WeatherProvider } from '../settings/config.js';
import { limitRate } from '../../access/rates/limitRate.js';
import type { Rows } from '../../storage/rows.js';
import { BucketStore } from '../../access/rates/bucketStore.js';
import { measuredFetch } from '../../kit/telemetry/measuredFetch.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { version } from '../../kit/version.js';
import { metNorway, metNorwaySource } from '../../gdd/weather/providers/metNorwaySource.js';
import { metNorwayRate, metNorwayTurn } from '../../gdd/weather/providers/metNorwayTurn.js';
import { nasaPowerSource } from '../../gdd/weather/providers/nasaPowerSource.js';
import { openMeteoSource } from '../../gdd/weather/providers/openMeteoSource.js';
import type { WeatherSource } from '../../gdd/weather/weatherSource.js';

export interface WeatherSurroundings {
  /** Table `limits`. */
  readonly limits: Rows;
  readonly clock: Clock;
  readonly log: Log;
}

/** The weather sources that the settings name, in their order; MET Norway only where somebody can be written to. */
export function weatherSources(config: Config, { limits, clock, log }: WeatherSurroundings): WeatherSource[] {
  const http = { fetch: measuredFetch, clock, random: Math.random };
  const { OPEN_METEO_API_KEY: apiKey, WEATHER_CONTACT: contact } = config;
  const limit = limitRate({ buckets: new BucketStore(limits), clock }, { [metNorway]: metNorwayRate });
  const sources: Record<WeatherProvider, () => WeatherSource[]> = {
    'open-meteo': () => [
      openMeteoSource({
        ...http,
        archiveUrl: config.OPEN_METEO_ARCHIVE_URL,
        forecastUrl: config.OPEN_METEO_FORECAST_URL,
        ...(apiKey === undefined ? {} : { apiKey }),
      }),
    ],
    'nasa-power': () => [nasaPowerSource({ ...http, dailyUrl: config.NASA_POWER_URL })],
    'met-norway': () =>
      contact === undefined
        ? []
        : [
            metNorwaySource({
              ...http,
              url: config.MET_NORWAY_URL,
              contact,
              version: version.version,
              awaitTurn: metNorwayTurn({ limit: () => limit({ service: 'weather' }, metNorway), clock }),
              onDeprecated: () => {
                log('Weather:Deprecated', { provider: metNorway });
              },
            }),
          ],
  };
  return config.WEATHER_SOURCE.flatMap((name) => sources[name]());
}

/** What is missing for good weather, in words for whoever runs the service. */
export function weatherNotes({ WEATHER_SOURCE, WEATHER_CONTACT }: Config): string[] {
  if (!WEATHER_SOURCE.includes('met-norway') || WEATHER_CONTACT !== undefined) return [];
  const lost = WEATHER_SOURCE.includes('open-meteo') ? 'no second forecast' : 'no forecast: days to come are normals';
  return [`WEATHER_CONTACT is not set, so that MET Norway is left out and GDD jobs have ${lost}.`];
}
