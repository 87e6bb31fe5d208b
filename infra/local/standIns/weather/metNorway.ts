import { gzipSync } from 'node:zlib';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import type { DayNumber } from './calendarDays.js';
import { daysBetween } from './calendarDays.js';
import { MODELS, modelDays, tenths } from './models.js';
import type { Place, WeatherRecord } from './weatherRecord.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** At least so many hours are told one by one, up to the next of 00, 06, 12 and 18 UTC. */
const HOURLY_HOURS = 50;
const SIX_HOURLY_STEPS = 26;
const MOST_PER_SECOND = 20;

/** A refusal in plain text, as the service words it. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** Local hours of the lowest and the highest temperature of a day. */
const COLDEST_HOUR = 6;
const WARMEST_HOUR = 15;

/** Temperature at an instant: from each day's minimum to its maximum and on to the next minimum, °C. */
type Curve = (instant: number) => number | null;

/** A curve through the extremes of solar days, which it never leaves within a day. */
function curveOf(place: Place, { days, heightC, values }: CurveInput): Curve {
  const first = days[0] ?? 0;
  const offset = (place.longitude / 15) * HOUR;
  return (instant) => {
    const local = (instant + offset) / DAY;
    const index = Math.floor(local) - first;
    const hour = (local - Math.floor(local)) * 24;
    const [before, today, after] = [values[index - 1], values[index], values[index + 1]];
    if (today?.maxC == null || today.minC === null) return null;
    const between = (from: number, to: number, share: number): number =>
      from + ((to - from) * (1 - Math.cos(Math.PI * share))) / 2;
    const night = 24 - WARMEST_HOUR + COLDEST_HOUR;
    const day = WARMEST_HOUR - COLDEST_HOUR;
    let temperature = between(today.minC, today.maxC, (hour - COLDEST_HOUR) / day);
    if (hour < COLDEST_HOUR) {
      temperature = between(before?.maxC ?? today.maxC, today.minC, (hour + 24 - WARMEST_HOUR) / night);
    } else if (hour > WARMEST_HOUR) {
      temperature = between(today.maxC, after?.minC ?? today.minC, (hour - WARMEST_HOUR) / night);
    }
    return Math.min(Math.max(temperature, today.minC), today.maxC) + heightC;
  };
}

interface CurveInput {
  readonly days: readonly DayNumber[];
  readonly values: readonly { readonly maxC: number | null; readonly minC: number | null }[];
  readonly heightC: number;
}

/** Steps without a temperature, which is optional in the real service: one in 17 hours, but none of six hours. */
const isSilent = (time: number): boolean => (time / HOUR) % 17 === 0 && (time / HOUR) % 6 !== 0;

/** Lowest and highest of the six hours from an instant on. */
function extremes(curve: Curve, from: number, round: (value: number) => number) {
  const values = Array.from({ length: 37 }, (_, index) => curve(from + index * 10 * MINUTE));
  if (values.includes(null)) return {};
  const numbers = values as number[];
  return { air_temperature_max: round(Math.max(...numbers)), air_temperature_min: round(Math.min(...numbers)) };
}

/** 50 to 55 hours from the running one on, then 26 steps at 00, 06, 12 and 18 UTC; the last tells no extremes. */
function stepsFrom(now: number): readonly { readonly time: number; readonly hasExtremes: boolean }[] {
  const first = Math.floor(now / HOUR) * HOUR;
  const next = Math.ceil((first + HOURLY_HOURS * HOUR) / (6 * HOUR)) * 6 * HOUR;
  const hourly = Array.from({ length: (next - first) / HOUR }, (_, index) => first + index * HOUR);
  const sixHourly = Array.from({ length: SIX_HOURLY_STEPS }, (_, index) => next + index * 6 * HOUR);
  return [
    ...hourly.map((time) => ({ time, hasExtremes: time + 6 * HOUR <= next })),
    ...sixHourly.map((time, index) => ({ time, hasExtremes: index < SIX_HOURLY_STEPS - 1 })),
  ];
}

const second = (instant: number): string => new Date(instant).toISOString().replace('.000', '');

interface Request {
  readonly place: Place;
  readonly altitude: number | undefined;
}

function timeseries(record: WeatherRecord, { place, altitude }: Request, now: number) {
  const issued = Math.floor((now + (place.longitude / 15) * HOUR) / DAY);
  const days = daysBetween(issued - 1, issued + 12);
  const { cellM, days: values } = modelDays(record, { place, days, modelOf: () => MODELS.metNorway, issued });
  const heightM = altitude ?? Math.round(cellM);
  const heightC = record.isAllMeasured ? 0 : (cellM - heightM) * 0.0065;
  // Measured days are shown as they are, the model's by the tenth of a degree.
  const round = record.isAllMeasured ? (value: number): number => value : tenths;
  const curve = curveOf(place, { days, values, heightC });
  const series = stepsFrom(now).map(({ time, hasExtremes }) => {
    const temperature = !record.isAllMeasured && isSilent(time) ? null : curve(time);
    const window = { summary: { symbol_code: 'cloudy' }, details: extremes(curve, time, round) };
    const instant = { details: temperature === null ? {} : { air_temperature: round(temperature) } };
    return { time: second(time), data: { instant, ...(hasExtremes && { next_6_hours: window }) } };
  });
  return { heightM, series };
}

/** Ends of the half hour an answer belongs to: it is the same until then, and good for a minute longer. */
function slotOf(now: number): { readonly modified: Date; readonly expires: Date } {
  const start = Math.floor(now / (30 * MINUTE)) * 30 * MINUTE;
  return { modified: new Date(start), expires: new Date(start + 31 * MINUTE) };
}

/**
 * `/weatherapi/locationforecast/2.0/complete` for everybody who names a contact, at most 20 times a second.
 *
 * @see https://api.met.no/weatherapi/locationforecast/2.0/documentation
 */
export class MetNorway {
  readonly #record: WeatherRecord;
  #second = 0;
  #count = 0;

  constructor(record: WeatherRecord) {
    this.#record = record;
  }

  reply(exchange: Exchange, now: Date): Reply {
    try {
      this.#countRequest(now.getTime());
      return answer(exchange, this.#record, now.getTime());
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      return { status: cause.status, headers: { 'content-type': 'text/plain' }, body: cause.message };
    }
  }

  #countRequest(now: number): void {
    const current = Math.floor(now / 1000);
    this.#count = current === this.#second ? this.#count + 1 : 1;
    this.#second = current;
    if (this.#count > MOST_PER_SECOND) throw new Refusal(429, 'Too many requests.');
  }
}

function answer(exchange: Exchange, record: WeatherRecord, now: number): Reply {
  const request = readRequest(exchange);
  const { modified, expires } = slotOf(now);
  const headers = { expires: expires.toUTCString(), 'last-modified': modified.toUTCString() };
  if (exchange.headers['if-modified-since'] === headers['last-modified']) return { status: 304, headers };
  const { heightM, series } = timeseries(record, request, modified.getTime());
  const { longitude, latitude } = request.place;
  const units = { air_temperature: 'celsius', air_temperature_max: 'celsius', air_temperature_min: 'celsius' };
  const meta = { updated_at: second(modified.getTime()), units, source: record.source };
  const reply = jsonReply(200, {
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [longitude, latitude, heightM] },
    properties: { meta, timeseries: series },
  });
  return compressed({ ...reply, headers: { ...reply.headers, ...headers } }, exchange);
}

function compressed(reply: Reply, { headers }: Exchange): Reply {
  if (headers['accept-encoding']?.includes('gzip') !== true || reply.body === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' }, body: gzipSync(reply.body) };
}

/** Clients that do not say whom to write to are turned away, those that name their library alone among them. */
const hasContact = (userAgent = ''): boolean => /\s\S*(@|[^\d\s]\.[a-z])\S+/.test(userAgent);

function readRequest({ url, headers }: Exchange): Request {
  if (!hasContact(headers['user-agent'])) throw new Refusal(403, 'Forbidden: identify yourself in the User-Agent.');
  const number = (name: string, limit: number): number | undefined => {
    const text = url.searchParams.get(name);
    if (text === null) return undefined;
    if (/\.\d{5}/.test(text)) throw new Refusal(403, `Forbidden: at most 4 decimals in ${name}.`);
    if (text.trim() === '' || !(Math.abs(Number(text)) <= limit)) throw new Refusal(422, `${name} is invalid.`);
    return Number(text);
  };
  const [latitude, longitude, altitude] = [number('lat', 90), number('lon', 180), number('altitude', 9000)];
  if (latitude === undefined || longitude === undefined) throw new Refusal(422, 'lat and lon are required.');
  if (altitude !== undefined && !Number.isInteger(altitude)) throw new Refusal(422, 'altitude must be an integer.');
  return { place: { latitude, longitude }, altitude };
}
