import type { Clock } from '../../../shared/kit/clock.js';
import type { DayTemperatures, Temperatures } from '../../../shared/gdd/weather/weatherSource.js';
import { addDays, dayNumber, dayOf } from '../../../shared/kit/validation/calendar.js';
import type { WeatherCache } from '../../../shared/gdd/weather/cache/weatherCache.js';
import type { JsonObject } from '../../../shared/kit/json/json.js';

/** What a provider knows of a day; undefined when it has nothing. */
export type Weather = (date: string) => (Temperatures & Pick<DayTemperatures, 'revision'>) | undefined;

/** A plausible year: coldest in mid-January, warmest in mid-July, with a wobble that differs from day to day. */
export const plainWeather: Weather = (date) => {
  const known = plainDays.get(date) ?? plainDay(date);
  plainDays.set(date, known);
  return known;
};

const plainDays = new Map<string, Temperatures>();

const plainDay = (date: string): Temperatures => {
  const number = dayNumber(date);
  const season = -Math.cos(((number - 14) / 365.25) * 2 * Math.PI);
  const wobble = 4 * Math.sin(number * 1.7) + 2 * Math.sin(number * 0.31);
  const meanC = 10 + 14 * season + wobble;
  const tenths = (celsius: number): number => Math.round(celsius * 10) / 10 + 0;
  return { minC: tenths(meanC - 6), maxC: tenths(meanC + 6) };
};

/** The newest days an archive does not have yet. */
export const lateBy =
  (clock: Clock, days: number, weather: Weather): Weather =>
  (date) =>
    date > addDays(clock.now().toISOString().slice(0, 10), -days) ? undefined : weather(date);

export interface Call {
  readonly url: URL;
  readonly init: RequestInit | undefined;
}

/** A stand-in for `fetch` that remembers what it was asked. */
export interface FakeFetch {
  readonly fetch: typeof globalThis.fetch;
  readonly calls: Call[];
}

export function fakeFetch(
  answer: (url: URL, call: number, init?: RequestInit) => Response | Promise<Response>,
): FakeFetch {
  const calls: Call[] = [];
  return {
    calls,
    fetch: (async (input: URL, init?: RequestInit) => {
      calls.push({ url: input, init });
      return await answer(input, calls.length, init);
    }) as typeof globalThis.fetch,
  };
}

export const json = (body: unknown, init: ResponseInit = {}): Response => new Response(JSON.stringify(body), init);

const daysBetween = (from: string, to: string): string[] =>
  Array.from({ length: dayNumber(to) - dayNumber(from) + 1 }, (_, index) => dayOf(dayNumber(from) + index));

export interface OpenMeteoBody {
  readonly [member: string]: unknown;
  readonly daily_units: Record<string, string>;
  readonly daily: { time: string[]; temperature_2m_max: (number | null)[]; temperature_2m_min: (number | null)[] };
}

/** A body as Open-Meteo sends it, for a place on the clock of Chicago. */
export function openMeteoBody(days: readonly string[], weather: Weather): OpenMeteoBody {
  return {
    latitude: 43,
    longitude: -87.9,
    generationtime_ms: 0.1,
    utc_offset_seconds: -18_000,
    timezone: 'America/Chicago',
    timezone_abbreviation: 'GMT-5',
    elevation: 203,
    daily_units: { time: 'iso8601', temperature_2m_max: '°C', temperature_2m_min: '°C' },
    daily: {
      time: [...days],
      temperature_2m_max: days.map((day) => weather(day)?.maxC ?? null),
      temperature_2m_min: days.map((day) => weather(day)?.minC ?? null),
    },
  };
}

export interface OpenMeteoWeather {
  readonly clock: Clock;
  readonly archive: Weather;
  readonly forecast?: Weather;
}

export const archiveUrl = 'https://archive.weather.example/v1/archive';
export const forecastUrl = 'https://forecast.weather.example/v1/forecast';
export const powerUrl = 'https://power.weather.example/api/temporal/daily/point';

/** Answers Open-Meteo's two interfaces. */
export function openMeteoAnswers({ clock, archive, forecast = archive }: OpenMeteoWeather): (url: URL) => Response {
  return (url) => {
    const parameter = (name: string): string => url.searchParams.get(name) ?? '';
    if (url.pathname.endsWith('/archive')) {
      return json(openMeteoBody(daysBetween(parameter('start_date'), parameter('end_date')), archive));
    }
    const today = new Date(clock.now().getTime() - 18_000_000).toISOString().slice(0, 10);
    const days = daysBetween(
      addDays(today, -Number(parameter('past_days'))),
      addDays(today, Number(parameter('forecast_days')) - 1),
    );
    return json(openMeteoBody(days, forecast));
  };
}

/** A body as NASA POWER sends it, with −999 where nothing is known. */
export function powerBody(days: readonly string[], weather: Weather, elevationM = 203) {
  const values = (of: (day: Temperatures) => number): Record<string, number> =>
    Object.fromEntries(
      days.map((day) => {
        const known = weather(day);
        return [day.replaceAll('-', ''), known === undefined ? -999 : of(known)];
      }),
    );
  return {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [-87.9, 43, elevationM] },
    properties: { parameter: { T2M_MAX: values((day) => day.maxC), T2M_MIN: values((day) => day.minC) } },
    header: { fill_value: -999, time_standard: 'LST', sources: ['MERRA2', 'POWER'] },
    messages: [],
    parameters: { T2M_MAX: { units: 'C' }, T2M_MIN: { units: 'C' } },
  };
}

/** Answers NASA POWER's daily point interface. */
export function powerAnswers(weather: Weather, elevationM?: number): (url: URL) => Response {
  const day = (compact: string): string => compact.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  return (url) => {
    const [from, to] = [url.searchParams.get('start') ?? '', url.searchParams.get('end') ?? ''].map(day);
    return json(powerBody(daysBetween(from!, to!), weather, elevationM));
  };
}

/** A cache in memory that stores text, as a blob does. */
export function memoryCache(): WeatherCache & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    get: (key) => {
      const text = entries.get(key);
      return Promise.resolve(text === undefined ? undefined : (JSON.parse(text) as JsonObject));
    },
    put: (key, value) => {
      entries.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}
