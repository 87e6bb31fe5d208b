import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { type DayNumber, daysBetween, formatDay, parseDay } from './calendarDays.js';
import { type Model, MODELS, modelDays } from './models.js';
import { dayIn } from './timeZones.js';
import type { DayWeather, Place, WeatherRecord } from './weatherRecord.js';

/** Days that have not been worked up yet, counted from today in UTC, carry the fill value. */
const DELAY_DAYS = 3;
const FIRST_DAY = '1981-01-01';
const FILL_VALUE = -999;
/** Now and then a day of the quicker model is null, or there is no such day. */
const NULL_EVERY = 23;
const ABSENT_EVERY = 29;
const PARAMETERS: Readonly<Record<string, { readonly of: keyof DayWeather; readonly longname: string }>> = {
  T2M_MAX: { of: 'maxC', longname: 'Temperature at 2 Meters Maximum' },
  T2M_MIN: { of: 'minC', longname: 'Temperature at 2 Meters Minimum' },
};

/** A refusal as POWER words it: 422 with messages. */
class Refusal extends Error {}

interface Request {
  readonly place: Place;
  readonly names: readonly string[];
  readonly first: DayNumber;
  readonly last: DayNumber;
  readonly timeStandard: string;
}

/**
 * `/api/temporal/daily/point` in JSON, for the parameters T2M_MAX and T2M_MIN.
 *
 * @see https://power.larc.nasa.gov/docs/services/api/temporal/daily/
 */
export function powerReply({ url: { searchParams } }: Exchange, record: WeatherRecord, now: Date): Reply {
  try {
    return answer(readRequest(searchParams), record, now);
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    return jsonReply(422, {
      header: 'The POWER Daily API failed to complete your request.',
      messages: [cause.message],
    });
  }
}

function answer({ place, names, first, last, timeStandard }: Request, record: WeatherRecord, now: Date): Reply {
  const days = daysBetween(first, last);
  const today = dayIn('UTC', now);
  const newest = record.isAllMeasured ? Infinity : today - DELAY_DAYS;
  const firstPreliminary = startOfMonthBefore(today);
  const modelOf = (day: DayNumber): Model => (day < firstPreliminary ? MODELS.merra2 : MODELS.geosIt);
  const { cellM, days: weather } = modelDays(record, { place, days, modelOf });
  const isUntidy = (day: DayNumber): boolean => !record.isAllMeasured && day >= firstPreliminary;
  const series = (name: string): Readonly<Record<string, number | null>> =>
    Object.fromEntries(
      days.flatMap((day, index): [string, number | null][] => {
        const value = day > newest ? null : weather[index]?.[PARAMETERS[name]?.of ?? 'maxC'];
        if (isUntidy(day) && day % ABSENT_EVERY === 0) return [];
        return [[compact(day), isUntidy(day) && day % NULL_EVERY === 0 ? null : (value ?? FILL_VALUE)]];
      }),
    );
  const header = {
    title: 'NASA/POWER Source Native Resolution Daily Data, local stand-in',
    api: { version: 'v2.9.7', name: 'POWER Daily API' },
    sources: [record.source, ...sourcesOf({ first, last, firstPreliminary, isFinal: record.isAllMeasured })],
    fill_value: FILL_VALUE,
    time_standard: timeStandard,
    start: compact(first),
    end: compact(last),
  };
  const units = ([name]: readonly [string, unknown]): [string, unknown] => [
    name,
    { units: 'C', longname: PARAMETERS[name]?.longname },
  ];
  const parameter = names.map((name): [string, unknown] => [name, series(name)]);
  return jsonReply(200, {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [place.longitude, place.latitude, cellM] },
    properties: { parameter: Object.fromEntries(parameter) },
    header,
    messages: [],
    parameters: Object.fromEntries(parameter.map(units)),
    times: { data: 0.1, process: 0.01 },
  });
}

/** The running month and the one before it are not worked up by MERRA-2 yet: a quicker model stands in for it. */
function startOfMonthBefore(today: DayNumber): DayNumber {
  const [year = 0, month = 1] = formatDay(today).split('-').map(Number);
  return Date.UTC(year, month - 2, 1) / 86_400_000;
}

interface Sourcing {
  readonly first: DayNumber;
  readonly last: DayNumber;
  readonly firstPreliminary: DayNumber;
  readonly isFinal: boolean;
}

/** One header speaks for a whole request, whichever of its days came from where; names are lower case as in POWER 2.5. */
function sourcesOf({ first, last, firstPreliminary, isFinal }: Sourcing): string[] {
  const merra2 = isFinal || first < firstPreliminary ? ['merra2'] : [];
  const geosIt = !isFinal && last >= firstPreliminary ? ['geosit'] : [];
  return [...merra2, ...geosIt, 'power'];
}

function readRequest(query: URLSearchParams): Request {
  const names = (query.get('parameters') ?? '').split(',');
  const strange = names.find((name) => !(name in PARAMETERS));
  if (strange !== undefined) throw new Refusal(`The parameter ${strange} is not available.`);
  oneOf(query, 'community', ['AG', 'RE', 'SB']);
  oneOf(query, 'format', ['JSON']);
  const first = dayParameter(query, 'start');
  const last = dayParameter(query, 'end');
  if (last < first) throw new Refusal('The end date is before the start date.');
  if (first < Number(parseDay(FIRST_DAY))) throw new Refusal(`The start date must be ${FIRST_DAY} or later.`);
  const place = { latitude: coordinate(query, 'latitude', 90), longitude: coordinate(query, 'longitude', 180) };
  return { place, names, first, last, timeStandard: oneOf(query, 'time-standard', ['LST', 'UTC']) };
}

function oneOf(query: URLSearchParams, name: string, allowed: readonly string[]): string {
  const value = (query.get(name) ?? '').toUpperCase();
  if (!allowed.includes(value)) throw new Refusal(`${name} must be one of ${allowed.join(', ')}.`);
  return value;
}

function coordinate(query: URLSearchParams, name: string, limit: number): number {
  const text = query.get(name) ?? '';
  if (text.trim() === '' || !(Math.abs(Number(text)) <= limit)) throw new Refusal(`${name} must be within ±${limit}.`);
  return Number(text);
}

function dayParameter(query: URLSearchParams, name: string): DayNumber {
  const text = query.get(name) ?? '';
  const day = /^\d{8}$/.test(text) ? parseDay(text.replace(/(....)(..)(..)/, '$1-$2-$3')) : undefined;
  if (day === undefined) throw new Refusal(`${name} must be a day written YYYYMMDD.`);
  return day;
}

function compact(day: DayNumber): string {
  return formatDay(day).replaceAll('-', '');
}
