import { readAnswer } from './answerShape.js';
import { addDays } from '../../../kit/validation/calendar.js';
import { type Day, dayAtOffset, type DaySpan } from '../fieldDays.js';
import { readNasaPower } from './nasaPowerAnswer.js';
import { revisedDays } from '../cache/weatherCache.js';
import { weatherHttpClient, type WeatherHttpOptions } from './weatherHttpClient.js';
import type { GroundPoint, WeatherAnswer, WeatherOrigin, WeatherSource } from '../weatherSource.js';
import { WeatherError } from '../weatherSource.js';

/** Address of NASA POWER. */
export interface NasaPowerOptions extends WeatherHttpOptions {
  /** Whole address of the daily point interface, such as https://power.larc.nasa.gov/api/temporal/daily/point */
  readonly dailyUrl: string;
}

const provider = 'nasa-power';
const firstDay: Day = '1981-01-01';

/**
 * NASA POWER: days since 1981 on a grid of 0.5° × 0.625°, by local solar time, a few days late, without a forecast.
 *
 * The header names the models of a whole answer, so young days are asked for separately from those that are final.
 *
 * @see https://power.larc.nasa.gov/docs/
 */
export function nasaPowerSource(options: NasaPowerOptions): WeatherSource {
  const getJson = weatherHttpClient(provider, options);
  const now = (): number => options.clock.now().getTime();
  const ask = async (place: GroundPoint, span: DaySpan, signal?: AbortSignal): Promise<WeatherAnswer> => {
    const json = await getJson(dailyUrl(options.dailyUrl, place, span), signal);
    return { ...readAnswer(provider, json, readNasaPower), retrievedAt: now() };
  };
  return {
    provider,
    heightOf: 'cell',
    models: { archive: 'power' },
    archive: async (place, { from, to }, signal) => {
      if (to < firstDay) throw new WeatherError('refused', provider, `has no days before ${firstDay}.`);
      const firstYoung = addDays(dayAtOffset(now(), 0), -revisedDays);
      if (to < firstYoung || from >= firstYoung) return await ask(place, { from, to }, signal);
      const final = await ask(place, { from, to: addDays(firstYoung, -1) }, signal);
      const young = await ask(place, { from: firstYoung, to }, signal);
      return { ...young, days: [...final.days, ...young.days], origin: together(final.origin, young.origin) };
    },
  };
}

/** The cell and the models of two answers of one place. */
const together = (one: WeatherOrigin, other: WeatherOrigin): WeatherOrigin => ({
  ...one,
  model: [...new Set([...one.model.split(', '), ...other.model.split(', ')])].join(', '),
});

function dailyUrl(base: string, { latitude, longitude }: GroundPoint, { from, to }: DaySpan): URL {
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
