import { ShapeError } from './answerShape.js';
import type { Day, DaySpan } from './calendar.js';
import { readNasaPower } from './nasaPowerAnswer.js';
import type { WeatherHttpOptions } from './weatherHttpClient.js';
import { weatherHttpClient } from './weatherHttpClient.js';
import type { Place, WeatherSource } from './weatherSource.js';
import { WeatherError } from './weatherSource.js';

export interface NasaPowerOptions extends WeatherHttpOptions {
  /** Whole address of the daily point interface, such as https://power.larc.nasa.gov/api/temporal/daily/point */
  readonly dailyUrl: string;
}

const provider = 'nasa-power';
const firstDay: Day = '1981-01-01';

/**
 * NASA POWER: days since 1981 on a grid of 0.5° × 0.625°, by local solar time, a few days late, without a forecast.
 *
 * @see https://power.larc.nasa.gov/docs/
 */
export function nasaPowerSource(options: NasaPowerOptions): WeatherSource {
  const getJson = weatherHttpClient(provider, options);
  return {
    provider,
    archive: async (place, span, signal) => {
      if (span.to < firstDay) throw new WeatherError('refused', provider, `has no days before ${firstDay}.`);
      const json = await getJson(dailyUrl(options.dailyUrl, place, span), signal);
      try {
        return { ...readNasaPower(json), retrievedAt: options.clock.now().getTime() };
      } catch (error) {
        if (!(error instanceof ShapeError)) throw error;
        throw new WeatherError('invalid', provider, `sent an unusable answer: ${error.message}.`, { cause: error });
      }
    },
  };
}

function dailyUrl(base: string, { latitude, longitude }: Place, { from, to }: DaySpan): URL {
  const url = new URL(base);
  const compact = (day: Day): string => day.replaceAll('-', '');
  url.searchParams.set('parameters', 'T2M_MAX,T2M_MIN');
  url.searchParams.set('community', 'AG');
  url.searchParams.set('longitude', String(longitude));
  url.searchParams.set('latitude', String(latitude));
  url.searchParams.set('start', compact(from < firstDay ? firstDay : from));
  url.searchParams.set('end', compact(to));
  url.searchParams.set('format', 'JSON');
  url.searchParams.set('time-standard', 'LST');
  return url;
}
