import type { GddRecord } from '../form/gddRecord.js';
import { dayInWords } from './scale.js';

/** Crops as people write them. */
export const cropNames: Readonly<Record<string, string>> = {
  CANOLA: 'Canola',
  CORN: 'Corn',
  COTTON: 'Cotton',
  SUGAR_BEET: 'Sugar beet',
  SOYBEAN: 'Soybean',
  WINTER_WHEAT: 'Winter wheat',
};

/** Unit of all sums in the picture. */
export const sumUnitOf = ({ temperatureUnit }: GddRecord): string => `°${temperatureUnit}·day`;

/** Whole degree-days, and tenths where there are few. */
const inWords = (value: number): string =>
  Math.abs(value) < 10 ? String(Math.round(value * 10) / 10 + 0) : String(Math.round(value) + 0);

/** Title of the picture: crop and season. */
export const headline = (record: GddRecord): string => {
  const { crop, gddStartDate, gddEndDate } = record;
  return `${cropNames[crop] ?? crop}: growing degree-days, ${gddStartDate} to ${gddEndDate}`;
};

/** The line below the title: total, range, departure from normal, date, and whether the result is incomplete. */
export function subline(record: GddRecord): string {
  const { total, range, normal, asOfDate } = record;
  const spread = range.p10 === range.p90 ? '' : ` (8 of 10 seasons: ${inWords(range.p10)} to ${inWords(range.p90)})`;
  return [
    `Total ${inWords(total)} ${sumUnitOf(record)}${spread}`,
    ...(normal === undefined ? [] : [departureInWords(normal)]),
    `as of ${asOfDate}`,
    ...(record.incomplete === undefined ? [] : ['incomplete']),
  ].join(' · ');
}

/** The next line: limits, height of the field and of its grid cell, uncertainty from the cell. */
export function placeLine(record: GddRecord): string {
  const { method, temperatureUnit, location, uncertainty } = record;
  const degrees = (limit: number): string => String(Math.round(limit * 10) / 10);
  const limits =
    method.upper === null
      ? `base ${degrees(method.lower)}`
      : `limits ${degrees(method.lower)} to ${degrees(method.upper)}`;
  const place = uncertainty.place === 0 ? [] : [`place ±${inWords(uncertainty.place)} ${sumUnitOf(record)}`];
  const height = location.elevationM === undefined ? 'height of the field not known' : heightInWords(record);
  return [`${limits} °${temperatureUnit}`, height, ...place].join(' · ');
}

/** A smaller difference between the heights of cell and field is not mentioned, m. */
const toldHeightM = 50;

function heightInWords({ location, sources }: GddRecord): string {
  const field = `field at ${Math.round(location.elevationM ?? 0)} m`;
  const cell = sources.find(({ product }) => product === 'archive') ?? sources[0];
  const { gridElevationM, elevationCorrectionC } = cell ?? {};
  if (gridElevationM === undefined || elevationCorrectionC === undefined) return field;
  if (Math.abs(gridElevationM - (location.elevationM ?? 0)) < toldHeightM) return field;
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;
  const { tmax, tmin } = elevationCorrectionC;
  return `${field}, its cell at ${Math.round(gridElevationM)} m: ${signed(tmax)} °C by day, ${signed(tmin)} °C by night`;
}

/** An older forecast is named with its day. */
const newForecastMs = 24 * 3_600_000;

/** `forecast`, with its day when it is more than a day old. */
export function forecastInWords({ sources, asOf }: GddRecord): string {
  const made = sources.find(({ product }) => product === 'forecast')?.retrievedAt;
  const isOld = made !== undefined && Date.parse(asOf) - Date.parse(made) > newForecastMs;
  return isOld ? `forecast of ${dayInWords(made)}` : 'forecast';
}

function departureInWords({ departure, departurePercent }: NonNullable<GddRecord['normal']>): string {
  if (Math.abs(departure) < 0.05) return 'as normal';
  const percent = departurePercent === null ? '' : ` (${Math.abs(departurePercent).toFixed(1)} %)`;
  return `${inWords(Math.abs(departure))}${percent} ${departure > 0 ? 'above' : 'below'} normal`;
}
