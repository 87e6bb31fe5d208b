import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { type DayNumber, daysBetween, formatDay, parseDay } from './calendarDays.js';
import { dayIn, isZone, zoneAt, zoneFacts } from './timeZones.js';
import { ARCHIVE_MODELS, FORECAST_MODELS, type ModelAnswer, modelDays, tenths } from './models.js';
import { type DayWeather, gridCell, type Place, type WeatherRecord } from './weatherRecord.js';

/** The reanalysis knows a day after this time. */
const ARCHIVE_DELAY_DAYS = 6;
const ARCHIVE_FIRST_DAY = '1940-01-01';
const VARIABLES: Readonly<Record<string, keyof DayWeather>> = {
  temperature_2m_max: 'maxC',
  temperature_2m_min: 'minC',
};

/** A refusal as Open-Meteo words it: 400 with a reason. */
class Refusal extends Error {}

interface Request {
  readonly place: Place;
  /** Undefined: that of the ground; NaN: that of the cell, nothing is brought to another height. */
  readonly elevationM: number | undefined;
  readonly variables: readonly string[];
  readonly isFahrenheit: boolean;
  readonly zone: string;
  readonly query: URLSearchParams;
}

/**
 * `/v1/archive`: days up to six days ago; younger ones are null. A record that is measured throughout shows all it has.
 *
 * @see https://open-meteo.com/en/docs/historical-weather-api
 */
export function archiveReply(exchange: Exchange, record: WeatherRecord, now: Date): Reply {
  return refusable(() => {
    const request = readRequest(exchange);
    const first = dayParameter(request, 'start_date');
    const last = dayParameter(request, 'end_date');
    if (last < first) throw new Refusal('End-date must be larger or equals than start-date');
    const today = dayIn(request.zone, now);
    if (!record.isAllMeasured && first < Number(parseDay(ARCHIVE_FIRST_DAY))) {
      throw new Refusal(
        `Parameter 'start_date' is out of allowed range from ${ARCHIVE_FIRST_DAY} to ${formatDay(today)}`,
      );
    }
    const modelOf = modelParameter(request, ARCHIVE_MODELS);
    const days = daysBetween(first, last);
    const newest = record.isAllMeasured ? Infinity : today - ARCHIVE_DELAY_DAYS;
    const seen = modelDays(record, { place: request.place, days, modelOf });
    return answer(request, record, { ...seen, now, dates: days, days: workedUp(seen.days, days, newest) });
  });
}

/**
 * `/v1/forecast`: the last `past_days` (0–92) and `forecast_days` (0–16) from today on, or `start_date` to `end_date`
 * within that reach. It errs: by the bias of its model, and ahead the more the further.
 *
 * @see https://open-meteo.com/en/docs
 */
export function forecastReply(exchange: Exchange, record: WeatherRecord, now: Date): Reply {
  return refusable(() => {
    const request = readRequest(exchange);
    const today = dayIn(request.zone, now);
    const days = request.query.has('start_date') ? datedDays(request, today) : countedDays(request, today);
    const modelOf = modelParameter(request, FORECAST_MODELS)(today);
    return answer(request, record, {
      ...modelDays(record, { place: request.place, days, modelOf, issued: today }),
      now,
      dates: days,
    });
  });
}

function countedDays(request: Request, today: DayNumber): readonly DayNumber[] {
  const past = countParameter(request, 'past_days', { most: 92, usual: 0 });
  const ahead = countParameter(request, 'forecast_days', { most: 16, usual: 7 });
  return daysBetween(today - past, today + ahead - 1);
}

function datedDays(request: Request, today: DayNumber): readonly DayNumber[] {
  if (request.query.has('past_days') || request.query.has('forecast_days')) {
    throw new Refusal("Parameter 'start_date' and 'forecast_days' are mutually exclusive");
  }
  const first = dayParameter(request, 'start_date');
  const last = dayParameter(request, 'end_date');
  if (last < first) throw new Refusal('End-date must be larger or equals than start-date');
  if (first < today - 92 || last > today + 15) {
    const range = `${formatDay(today - 92)} to ${formatDay(today + 15)}`;
    throw new Refusal(`Parameter '${first < today - 92 ? 'start' : 'end'}_date' is out of allowed range from ${range}`);
  }
  return daysBetween(first, last);
}

/**
 * What the reanalysis has of its days by now: those after the newest are null, and the newest holds the few hours that
 * have come so far: extremes of a morning, now and then of a single hour.
 */
function workedUp(weather: readonly DayWeather[], days: readonly DayNumber[], newest: DayNumber): DayWeather[] {
  return weather.map(({ maxC, minC }, index) => {
    const day = days[index] ?? 0;
    if (day > newest) return { maxC: null, minC: null };
    if (day < newest || maxC === null || minC === null) return { maxC, minC };
    return { maxC: day % 5 === 0 ? minC : tenths(minC + (maxC - minC) * 0.4), minC };
  });
}

interface Shown extends ModelAnswer {
  readonly dates: readonly DayNumber[];
  readonly now: Date;
}

/** Real answers are brought to the height by 6.5 °C per km, by day and by night alike. */
const DOWNSCALING_C_PER_M = 0.0065;

function answer(
  { place, elevationM, variables, isFahrenheit, zone }: Request,
  record: WeatherRecord,
  shown: Shown,
): Reply {
  const { dates, days, cellM, now } = shown;
  const { offsetSeconds, abbreviation } = zoneFacts(zone, now);
  const heightM = elevationM ?? record.elevationM(place);
  const toHeightC = Number.isNaN(heightM) || record.isAllMeasured ? 0 : (cellM - heightM) * DOWNSCALING_C_PER_M;
  const inUnit = (valueC: number | null): number | null =>
    valueC === null || !isFahrenheit ? valueC : tenths(valueC * 1.8 + 32);
  const atHeight = (valueC: number | null): number | null =>
    valueC === null || toHeightC === 0 ? valueC : tenths(valueC + toHeightC);
  const series = (name: string): readonly (number | null)[] =>
    days.map((day) => inUnit(atHeight(day[VARIABLES[name] ?? 'maxC'])));
  return jsonReply(200, {
    ...gridCell(place),
    generationtime_ms: 0.1,
    utc_offset_seconds: offsetSeconds,
    timezone: zone,
    timezone_abbreviation: abbreviation,
    elevation: Number.isNaN(heightM) ? cellM : heightM,
    source: record.source,
    daily_units: {
      time: 'iso8601',
      ...Object.fromEntries(variables.map((name) => [name, isFahrenheit ? '°F' : '°C'])),
    },
    daily: { time: dates.map(formatDay), ...Object.fromEntries(variables.map((name) => [name, series(name)])) },
  });
}

function readRequest({ url: { searchParams: query } }: Exchange): Request {
  const place = {
    latitude: numberParameter(query, 'latitude', 90),
    longitude: numberParameter(query, 'longitude', 180),
  };
  const variables = query.getAll('daily').flatMap((names) => names.split(','));
  const strange = variables.find((name) => !(name in VARIABLES));
  if (variables.length === 0 || strange !== undefined) {
    throw new Refusal(
      `Data corrupted at path ''. Cannot initialize a daily variable from invalid String value ${strange ?? ''}.`,
    );
  }
  const unit = query.get('temperature_unit') ?? 'celsius';
  if (!['celsius', 'fahrenheit'].includes(unit))
    throw new Refusal(`Cannot initialize TemperatureUnit from invalid String value ${unit}.`);
  return {
    place,
    elevationM: elevationParameter(query),
    variables,
    isFahrenheit: unit === 'fahrenheit',
    zone: zoneParameter(query, place),
    query,
  };
}

function elevationParameter(query: URLSearchParams): number | undefined {
  if (!query.has('elevation')) return undefined;
  return query.get('elevation') === 'nan' ? NaN : numberParameter(query, 'elevation', 10_000);
}

function modelParameter<Of>({ query }: Request, known: Readonly<Record<string, Of>>): Of {
  const name = query.get('models') ?? 'best_match';
  const model = known[name];
  if (model === undefined) {
    throw new Refusal(`Data corrupted at path ''. Cannot initialize MultiDomains from invalid String value ${name}.`);
  }
  return model;
}

function zoneParameter(query: URLSearchParams, place: Place): string {
  const zone = query.get('timezone');
  if (zone === null) throw new Refusal('Timezone is required');
  if (zone === 'auto') return zoneAt(place);
  if (!isZone(zone)) throw new Refusal('Invalid timezone');
  return zone;
}

function numberParameter(query: URLSearchParams, name: string, limit: number): number {
  const text = query.get(name) ?? '';
  const value = Number(text);
  if (text.trim() === '' || !(Math.abs(value) <= limit)) {
    throw new Refusal(`${name} must be in range of -${limit} to ${limit}. Given: ${text}.`);
  }
  return value;
}

function countParameter({ query }: Request, name: string, { most, usual }: { most: number; usual: number }): number {
  const value = Number(query.get(name) ?? usual);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new Refusal(`${name} is invalid. Allowed range 0 to ${most}. Given ${query.get(name) ?? ''}.`);
}

function dayParameter({ query }: Request, name: string): DayNumber {
  const day = parseDay(query.get(name) ?? '');
  if (day === undefined) throw new Refusal(`Invalid date format for ${name}. Make sure to use 'YYYY-MM-DD'`);
  return day;
}

function refusable(reply: () => Reply): Reply {
  try {
    return reply();
  } catch (cause) {
    if (cause instanceof Refusal) return jsonReply(400, { error: true, reason: cause.message });
    throw cause;
  }
}
