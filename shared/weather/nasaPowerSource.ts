import { ShapeError } from './answerShape.js';
import { addDays } from '../validation/calendar.js';
import type { Day, DaySpan } from './calendar.js';
import { dayAtOffset } from './calendar.js';
import { readNasaPower } from './nasaPowerAnswer.js';
import { revisedDays } from './weatherCache.js';
import type { WeatherHttpOptions } from './weatherHttpClient.js';
import { weatherHttpClient } from './weatherHttpClient.js';
import type { Place, WeatherAnswer, WeatherOrigin, WeatherSource } from './weatherSource.js';
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
 * The header names the models of a whole answer, so young days are asked for apart from those that are final.
 *
 * @see https://power.larc.nasa.gov/docs/
 */
export function nasaPowerSource(options: NasaPowerOptions): WeatherSource {
  const getJson = weatherHttpClient(provider, options);
  const ask = async (place: Place, span: DaySpan, signal?: AbortSignal): Promise<WeatherAnswer> => {
    const json = await getJson(dailyUrl(options.dailyUrl, place, span), signal);
    try {
      return { ...readNasaPower(json), retrievedAt: options.clock.now().getTime() };
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      throw new WeatherError('invalid', provider, `sent an unusable answer: ${error.message}.`, { cause: error });
    }
  };
  return {
    provider,
    heightOf: 'cell',
    models: { archive: 'power' },
    archive: async (place, { from, to }, signal) => {
      if (to < firstDay) throw new WeatherError('refused', provider, `has no days before ${firstDay}.`);
      const firstYoung = addDays(dayAtOffset(options.clock.now().getTime(), 0), -revisedDays);
      if (to < firstYoung || from >= firstYoung) return await ask(place, { from, to }, signal);
      const settled = await ask(place, { from, to: addDays(firstYoung, -1) }, signal);
      const young = await ask(place, { from: firstYoung, to }, signal);
      return { ...young, days: [...settled.days, ...young.days], origin: together(settled.origin, young.origin) };
    },
  };
}

/** One cell and all models of two answers. */
const together = (one: WeatherOrigin, other: WeatherOrigin): WeatherOrigin => ({
  ...one,
  model: [...new Set([...one.model.split(', '), ...other.model.split(', ')])].join(', '),
});

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
