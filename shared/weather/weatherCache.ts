import type { JsonObject } from '../json.js';
import type { Day, DaySpan } from './calendar.js';
import { addDays, dayNumber } from '../validation/calendar.js';
import { dayAtOffset } from './calendar.js';
import type { Place, RawTemperatures, Revision, WeatherAnswer, WeatherOrigin } from './weatherSource.js';

/** Where weather is kept between jobs, shared by all instances. Losing it costs calls, never a result. */
export interface WeatherCache {
  get(key: string): Promise<JsonObject | undefined>;
  put(key: string, value: JsonObject): Promise<void>;
}

/** One archive day as kept: null where the provider had nothing. */
export interface CachedDay extends RawTemperatures {
  readonly date: Day;
  /** Milliseconds since 1970 UTC. */
  readonly retrievedAt: number;
  readonly revision?: Revision;
}

/** The archive days of one calendar year in one grid cell. */
export interface ArchiveChunk {
  readonly origin: WeatherOrigin;
  readonly days: readonly CachedDay[];
}

/** All days of whole years in one grid cell, day by day from `from` on; null where the provider had nothing. */
export interface ReferenceWeather {
  readonly origin: WeatherOrigin;
  readonly retrievedAt: number;
  readonly from: Day;
  readonly minC: readonly (number | null)[];
  readonly maxC: readonly (number | null)[];
}

/** The years the normals are taken from: the current standard reference period of the WMO. */
export const referenceYears = { first: 1991, last: 2020 } as const;

export const referenceSpan: DaySpan = { from: `${referenceYears.first}-01-01`, to: `${referenceYears.last}-12-31` };

/** Providers revise their days for so long: NASA POWER's final model is closed by the month, about two months late. */
export const revisedDays = 75;

/** The newest year whose days are all final at a time: a year counts from the middle of March after it. */
export const lastCompleteYear = (now: number): number =>
  Number(addDays(dayAtOffset(now, 0), -revisedDays).slice(0, 4)) - 1;

/** The newest year that a reference holds. */
export const lastYearOf = ({ from, minC }: ReferenceWeather): number =>
  Number(addDays(from, minC.length - 1).slice(0, 4));

/** Part of every key: another layout of the stored JSON gets another version. */
const layout = 'v2';
const hour = 3_600_000;
/** Younger archive days are still revised by the providers. */
const settledAfterDays = 10;
const unsettledFreshMs = 6 * hour;
const preliminaryFreshMs = 24 * hour;
const forecastFreshMs = 2 * hour;
const incompleteReferenceFreshMs = 24 * hour;

/** Cells of days are about a kilometre wide, practically the field itself; cells of normals about ten. */
export const dayCellDegrees = 0.01;
export const referenceCellDegrees = 0.1;

/** The centre of a place's cell. Providers are asked for it, so that the answer doesn't depend on who asked first. */
export const cellOf = ({ latitude, longitude, elevationM }: Place, degrees: number): Place => {
  const centre = (value: number): number => Number((Math.round(value / degrees) * degrees).toFixed(2)) + 0;
  return { latitude: centre(latitude), longitude: centre(longitude), ...(elevationM !== undefined && { elevationM }) };
};

/** Reference years are asked for at a round height, so that the fields of a plain share them. */
const referenceStepM = 100;

/** The cell of a place's reference years; what is left of its height is for the correction. */
export const referenceCellOf = (place: Place): Place => {
  const { elevationM, ...cell } = cellOf(place, referenceCellDegrees);
  if (elevationM === undefined) return cell;
  return { ...cell, elevationM: Math.round(elevationM / referenceStepM) * referenceStepM + 0 };
};

const cellName = ({ latitude, longitude, elevationM }: Place): string =>
  [latitude.toFixed(2), longitude.toFixed(2), ...(elevationM === undefined ? [] : [`${elevationM}m`])].join('_');

/** Who is asked for what: a provider and one of its models. */
export interface Product {
  readonly provider: string;
  readonly model: string;
}

const productName = ({ provider, model }: Product): string => `${layout}/${provider}/${model}`;

/** Key of one year of archive days of a cell. */
export const archiveKey = (product: Product, cell: Place, year: string): string =>
  `${productName(product)}/days/${cellName(cell)}/${year}.json`;

/** Key of the newest forecast of a cell. */
export const forecastKey = (product: Product, cell: Place): string =>
  `${productName(product)}/forecast/${cellName(cell)}.json`;

/** Key of the reference years of a cell. */
export const referenceKey = (product: Product, cell: Place): string =>
  `${productName(product)}/reference/${cellName(cell)}/since-${referenceYears.first}.json`;

/** Key of the height of a cell. */
export const heightKey = (cell: Place): string => `${layout}/copernicus-dem/${cellName(cell)}.json`;

/** Instances' clocks differ: what was read in the future by ours is taken for as old as it is ahead. */
const isYounger = (retrievedAt: number, now: number, limitMs: number): boolean => Math.abs(now - retrievedAt) < limitMs;

/**
 * A day that its provider calls final never expires, a preliminary one does after a day. Where nothing is said, a day
 * that was at least ten days old when it was read never expires; others, and missing ones, are good for six hours.
 */
export function isFreshDay(day: CachedDay, now: number): boolean {
  if (day.minC === null) return isYounger(day.retrievedAt, now, unsettledFreshMs);
  if (day.revision === 'preliminary') return isYounger(day.retrievedAt, now, preliminaryFreshMs);
  const settled = day.revision === 'final' || day.date <= addDays(dayAtOffset(day.retrievedAt, 0), -settledAfterDays);
  return settled || isYounger(day.retrievedAt, now, unsettledFreshMs);
}

/** A forecast is good for two hours, or for as long as its provider says, but for no more than a day. */
export const isFreshForecast = ({ retrievedAt, freshUntil = 0 }: WeatherAnswer, now: number): boolean =>
  isYounger(retrievedAt, now, forecastFreshMs) || (now < freshUntil && isYounger(retrievedAt, now, 24 * hour));

/** Older forecasts know no more than the normals do. */
const forecastOfUseMs = 72 * hour;

/** Whether a forecast that can't be renewed is better than none. */
export const isUsableForecast = ({ retrievedAt }: WeatherAnswer, now: number): boolean =>
  isYounger(retrievedAt, now, forecastOfUseMs);

/** Reference years are good for ever, unless days were missing: those are asked for again a day later. */
export const isFreshReference = (reference: ReferenceWeather, now: number): boolean =>
  !reference.minC.includes(null) || isYounger(reference.retrievedAt, now, incompleteReferenceFreshMs);

/** An archive answer as days of whole years, with nulls where days are missing. */
export function referenceOf(
  { days, origin, retrievedAt }: WeatherAnswer,
  { from, to }: DaySpan = referenceSpan,
): ReferenceWeather {
  const first = dayNumber(from);
  const length = dayNumber(to) - first + 1;
  const minC = Array<number | null>(length).fill(null);
  const maxC = Array<number | null>(length).fill(null);
  for (const day of days) {
    const index = dayNumber(day.date) - first;
    if (index < 0 || index >= length) continue;
    minC[index] = day.minC;
    maxC[index] = day.maxC;
  }
  return { origin, retrievedAt, from, minC, maxC };
}

/** Reference years with those that follow them. */
export const continued = (earlier: ReferenceWeather, later: ReferenceWeather): ReferenceWeather => ({
  ...later,
  from: earlier.from,
  minC: [...earlier.minC, ...later.minC],
  maxC: [...earlier.maxC, ...later.maxC],
});
