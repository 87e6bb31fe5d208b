import type { GddRecord } from '../gddRecord.js';

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
export const unitOf = ({ temperatureUnit }: GddRecord): string => `°${temperatureUnit}·day`;

const whole = (value: number): string => String(Math.round(value) + 0);

/** What the picture shows. */
export const headline = (record: GddRecord): string => {
  const { crop, gddStartDate, gddEndDate } = record;
  return `${cropNames[crop] ?? crop}: growing degree-days, ${gddStartDate} to ${gddEndDate}`;
};

/** The sum in a sentence: total, range, departure from normal, definition and date. */
export function subline(record: GddRecord): string {
  const { total, range, normal, method, temperatureUnit, asOfDate } = record;
  const spread = range.p10 === range.p90 ? '' : ` (8 of 10 years: ${whole(range.p10)} to ${whole(range.p90)})`;
  const degrees = (limit: number): string => String(Math.round(limit * 10) / 10);
  const limits =
    method.upper === null
      ? `base ${degrees(method.lower)}`
      : `limits ${degrees(method.lower)} to ${degrees(method.upper)}`;
  return [
    `Total ${whole(total)} ${unitOf(record)}${spread}`,
    ...(normal === undefined ? [] : [departureInWords(normal)]),
    `${limits} °${temperatureUnit}`,
    `as of ${asOfDate}`,
  ].join(' · ');
}

function departureInWords({ departure, departurePercent }: NonNullable<GddRecord['normal']>): string {
  if (Math.round(departure) === 0) return 'as normal';
  const percent = departurePercent === null ? '' : ` (${Math.abs(departurePercent).toFixed(1)} %)`;
  return `${whole(Math.abs(departure))}${percent} ${departure > 0 ? 'above' : 'below'} normal`;
}
