import type { Units } from '../parts/units.js';

/** Lines closer than this, in CSS pixels, would be a tint. */
const LEAST_SPACING = 24;
/** A zone's grid bends too much beyond it. */
const MOST_SPACING_M = 20_000;
const SPACINGS_M = [20, 100, 200, 1000, 2000, 10_000, MOST_SPACING_M];

/** Metres between grid lines at a scale; undefined where a grid says nothing any more. */
export function gridSpacingM(groundMetresPerPixel: number): number | undefined {
  return SPACINGS_M.find((spacing) => spacing / groundMetresPerPixel >= LEAST_SPACING);
}

/** A bar's length on the ground and on the page. */
export interface ScaleBar {
  readonly text: string;
  /** CSS pixels, at most the length asked for. */
  readonly width: number;
}

const METRES_OF_FOOT = 0.3048;
const FEET_OF_MILE = 5280;

/** The largest of 1, 2 or 5 times a power of ten that is not above a number. */
function roundBelow(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2, 1].find((factor) => factor * power <= most) ?? 1);
}

/** The longest bar of a round length that fits, in metres or in feet and miles. */
export function scaleBarOf(groundMetresPerPixel: number, mostPixels: number, units: Units = 'metric'): ScaleBar {
  const most = groundMetresPerPixel * mostPixels;
  if (units === 'us') {
    const feet = most / METRES_OF_FOOT;
    const isMiles = feet >= FEET_OF_MILE;
    const length = roundBelow(isMiles ? feet / FEET_OF_MILE : feet);
    const metres = length * METRES_OF_FOOT * (isMiles ? FEET_OF_MILE : 1);
    return { text: `${length} ${isMiles ? 'mi' : 'ft'}`, width: Math.round(metres / groundMetresPerPixel) };
  }
  const metres = roundBelow(most);
  const text = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
  return { text, width: Math.round(metres / groundMetresPerPixel) };
}
