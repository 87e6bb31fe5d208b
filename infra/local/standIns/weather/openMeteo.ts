import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { type DayNumber, daysBetween, formatDay, parseDay } from './calendarDays.js';
import { dayIn, isZone, zoneAt, zoneFacts } from './timeZones.js';
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
    const newest = record.isAllMeasured ? Infinity : today - ARCHIVE_DELAY_DAYS;
    return answer(request, record, { days: daysBetween(first, last), newest, now });
  });
}

/**
 * `/v1/forecast`: the last `past_days` (0–92) and `forecast_days` (0–16) from today on, or `start_date` to `end_date`
 * within that reach. The forecast of a synthetic day equals what the archive shows later: no forecast error is made up.
 *
 * @see https://open-meteo.com/en/docs
 */
export function forecastReply(exchange: Exchange, record: WeatherRecord, now: Date): Reply {
  return refusable(() => {
    const request = readRequest(exchange);
    const today = dayIn(request.zone, now);
    const days = request.query.has('start_date') ? datedDays(request, today) : countedDays(request, today);
    return answer(request, record, { days, newest: Infinity, now });
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

interface Span {
  readonly days: readonly DayNumber[];
  /** Days after it are null. */
  readonly newest: DayNumber;
  readonly now: Date;
}

function answer(
  { place, elevationM, variables, isFahrenheit, zone }: Request,
  record: WeatherRecord,
  span: Span,
): Reply {
  const { days, newest, now } = span;
  const { offsetSeconds, abbreviation } = zoneFacts(zone, now);
  const weather = record.days(place, days, elevationM);
  const inUnit = (valueC: number | null): number | null =>
    valueC === null || !isFahrenheit ? valueC : Math.round((valueC * 1.8 + 32) * 10) / 10;
  const shown = (name: string): readonly (number | null)[] =>
    weather.map((day, index) => ((days[index] ?? 0) > newest ? null : inUnit(day[VARIABLES[name] ?? 'maxC'])));
  return jsonReply(200, {
    ...gridCell(place),
    generationtime_ms: 0.1,
    utc_offset_seconds: offsetSeconds,
    timezone: zone,
    timezone_abbreviation: abbreviation,
    elevation: elevationM ?? record.elevationM(place),
    source: record.source,
    daily_units: {
      time: 'iso8601',
      ...Object.fromEntries(variables.map((name) => [name, isFahrenheit ? '°F' : '°C'])),
    },
    daily: { time: days.map(formatDay), ...Object.fromEntries(variables.map((name) => [name, shown(name)])) },
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
  const elevationM = query.has('elevation') ? numberParameter(query, 'elevation', 10_000) : undefined;
  return {
    place,
    elevationM,
    variables,
    isFahrenheit: unit === 'fahrenheit',
    zone: zoneParameter(query, place),
    query,
  };
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
