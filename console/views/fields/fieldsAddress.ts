import type { MapPosition } from '../../map/mapScene.js';
import { dateOf, dayNumber } from '../../parts/dateText.js';

/** Another day that is looked at beside the chosen one: left and right of a line, or as the difference of both. */
export interface Compared {
  readonly date: string;
  readonly how: 'swipe' | 'difference';
}

const PREFIXES: Readonly<Record<Compared['how'], string>> = { swipe: 'vs-', difference: 'since-' };
const COMPARED = /^(vs|since)-(\d{4}-\d{2}-\d{2})$/;
const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const POSITION = new RegExp(`^@${NUMBER},${NUMBER},${NUMBER}$`);
/** Decimals of a degree that are about a metre. */
const DECIMALS = 5;

/** Whether a part of an address is a day that there is. */
export const isDay = (part: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(part) && dateOf(dayNumber(part)) === part;

/** The part of an address that names the other day. */
export const comparedPart = ({ date, how }: Compared): string => `${PREFIXES[how]}${date}`;

/** The other day that an address names. */
export function comparedOf(parts: readonly string[]): Compared | undefined {
  for (const part of parts) {
    const [, prefix, date] = COMPARED.exec(part) ?? [];
    if (date !== undefined && isDay(date)) return { date, how: prefix === 'vs' ? 'swipe' : 'difference' };
  }
  return undefined;
}

/** The part of an address that says where the map is: latitude, longitude, metres of a pixel. */
export function positionPart({ centre: [longitude, latitude], metresPerPixel }: MapPosition): string {
  return `@${latitude.toFixed(DECIMALS)},${longitude.toFixed(DECIMALS)},${Number(metresPerPixel.toPrecision(4))}`;
}

/** Where an address says that the map is. */
export function positionOf(parts: readonly string[]): MapPosition | undefined {
  for (const part of parts) {
    const found = POSITION.exec(part);
    if (found === null) continue;
    const [latitude = 0, longitude = 0, metresPerPixel = 0] = found.slice(1).map(Number);
    if (Math.abs(latitude) <= 85 && metresPerPixel > 0) return { centre: [longitude, latitude], metresPerPixel };
  }
  return undefined;
}
