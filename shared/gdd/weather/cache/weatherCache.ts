import type { JsonObject } from '../../../kit/json/json.js';
import { countDays, type Day, dayAtOffset, type DaySpan } from '../fieldDays.js';
import { addDays, dayNumber } from '../../../kit/validation/calendar.js';
import type { GroundPoint, RawTemperatures, Revision, WeatherAnswer, WeatherOrigin } from '../weatherSource.js';

/** Weather kept between jobs, shared by all instances. Without it jobs make more calls and have the same results. */
export interface WeatherCache {
  get(key: string): Promise<JsonObject | undefined>;
  put(key: string, value: JsonObject): Promise<void>;
}

/** One archive day as cached: null where the provider had no value. */
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

/** All days of whole years in one grid cell, day by day from `from` on; null where the provider had no value. */
export interface ReferenceWeather {
  readonly origin: WeatherOrigin;
  readonly retrievedAt: number;
  readonly from: Day;
  readonly minC: readonly (number | null)[];
  readonly maxC: readonly (number | null)[];
}

/** Years of the normals: the current standard reference period of the WMO. */
export const referenceYears = { first: 1991, last: 2020 } as const;

/** All days of the reference period. */
export const referenceSpan: DaySpan = { from: `${referenceYears.first}-01-01`, to: `${referenceYears.last}-12-31` };

/** Days for which providers revise a day: NASA POWER closes a month of its final model about two months late. */
export const revisedDays = 75;

/** The newest year whose days are all final; a year is from the middle of March after it. @param now milliseconds */
export const lastCompleteYear = (now: number): number =>
  Number(addDays(dayAtOffset(now, 0), -revisedDays).slice(0, 4)) - 1;

/** The newest year in a reference. */
export const lastYearOf = ({ from, minC }: ReferenceWeather): number =>
  Number(addDays(from, minC.length - 1).slice(0, 4));

/** Version of the layout of the stored JSON, part of every key. */
const layout = 'v2';
const hour = 3_600_000;
/** Younger archive days are still revised by their provider. */
const finalAfterDays = 10;
const revisedFreshMs = 6 * hour;
const preliminaryFreshMs = 24 * hour;
const forecastFreshMs = 2 * hour;
const incompleteReferenceFreshMs = 24 * hour;

/** Width of a cell of days: about a kilometre, practically the field itself. */
export const dayCellDegrees = 0.01;
/** Width of a cell of reference years: about ten kilometres. */
const referenceCellDegrees = 0.1;

/** The centre of a place's cell. Providers are asked for the centre, so that all fields of a cell have one answer. */
export const weatherCellOf = ({ latitude, longitude, elevationM }: GroundPoint, degrees: number): GroundPoint => {
  const centre = (value: number): number => Number((Math.round(value / degrees) * degrees).toFixed(2)) + 0;
  return { latitude: centre(latitude), longitude: centre(longitude), ...(elevationM !== undefined && { elevationM }) };
};

/** Reference years are asked for at a rounded height, so that the fields of a plain share them, m. */
const referenceStepM = 100;

/** The cell of a place's reference years; the height correction makes up for the rounding of the height. */
export const referenceCellOf = (place: GroundPoint): GroundPoint => {
  const { elevationM, ...cell } = weatherCellOf(place, referenceCellDegrees);
  if (elevationM === undefined) return cell;
  return { ...cell, elevationM: Math.round(elevationM / referenceStepM) * referenceStepM + 0 };
};

const cellName = ({ latitude, longitude, elevationM }: GroundPoint): string =>
  [latitude.toFixed(2), longitude.toFixed(2), ...(elevationM === undefined ? [] : [`${elevationM}m`])].join('_');

/** A provider and one of its models. */
export interface WeatherProduct {
  readonly provider: string;
  readonly model: string;
}

const productName = ({ provider, model }: WeatherProduct): string => `${layout}/${provider}/${model}`;

/** Key of one year of archive days of a cell. */
export const archiveKey = (product: WeatherProduct, cell: GroundPoint, year: string): string =>
  `${productName(product)}/days/${cellName(cell)}/${year}.json`;

/** Key of the newest forecast of a cell. */
export const forecastKey = (product: WeatherProduct, cell: GroundPoint): string =>
  `${productName(product)}/forecast/${cellName(cell)}.json`;

/** Key of the reference years of a cell. */
export const referenceKey = (product: WeatherProduct, cell: GroundPoint): string =>
  `${productName(product)}/reference/${cellName(cell)}/since-${referenceYears.first}.json`;

/** Key of the height of a cell. */
export const heightKey = (cell: GroundPoint): string => `${layout}/copernicus-dem/${cellName(cell)}.json`;

/** Clocks of instances differ: a time that lies ahead of this instance's clock counts as equally long ago. */
const isYounger = (retrievedAt: number, now: number, limitMs: number): boolean => Math.abs(now - retrievedAt) < limitMs;

/**
 * Whether a cached day need not be asked for again: a final day is kept for good, a preliminary one for a day. Without a
 * revision, a day that was at least ten days old when it was read is kept for good. Other and missing days are kept for
 * six hours.
 */
export function isFreshDay(day: CachedDay, now: number): boolean {
  if (day.minC === null) return isYounger(day.retrievedAt, now, revisedFreshMs);
  if (day.revision === 'preliminary') return isYounger(day.retrievedAt, now, preliminaryFreshMs);
  const isFinal = day.revision === 'final' || day.date <= addDays(dayAtOffset(day.retrievedAt, 0), -finalAfterDays);
  return isFinal || isYounger(day.retrievedAt, now, revisedFreshMs);
}

/** Whether a forecast is fresh: for two hours, or for as long as its provider says, but for a day at most. */
export const isFreshForecast = ({ retrievedAt, freshUntil = 0 }: WeatherAnswer, now: number): boolean =>
  isYounger(retrievedAt, now, forecastFreshMs) || (now < freshUntil && isYounger(retrievedAt, now, 24 * hour));

/** Older forecasts are no better than the normals. */
const forecastOfUseMs = 72 * hour;

/** Whether a forecast may be used when no newer one can be had. */
export const isUsableForecast = ({ retrievedAt }: WeatherAnswer, now: number): boolean =>
  isYounger(retrievedAt, now, forecastOfUseMs);

/** Whether reference years are fresh: for good, or for a day where days are missing. */
export const isFreshReference = (reference: ReferenceWeather, now: number): boolean =>
  !reference.minC.includes(null) || isYounger(reference.retrievedAt, now, incompleteReferenceFreshMs);

/** An archive answer as the days of a span of whole years, with nulls where days are missing. */
export function referenceOf({ days, origin, retrievedAt }: WeatherAnswer, span = referenceSpan): ReferenceWeather {
  const { from } = span;
  const first = dayNumber(from);
  const length = countDays(span);
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

/** Reference years followed by later ones. */
export const continued = (earlier: ReferenceWeather, later: ReferenceWeather): ReferenceWeather => ({
  ...later,
  from: earlier.from,
  minC: [...earlier.minC, ...later.minC],
  maxC: [...earlier.maxC, ...later.maxC],
});
