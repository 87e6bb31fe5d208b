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

/** The longest bar of 1, 2 or 5 times a power of ten metres that fits. */
export function scaleBarOf(groundMetresPerPixel: number, mostPixels: number): ScaleBar {
  const most = groundMetresPerPixel * mostPixels;
  const power = 10 ** Math.floor(Math.log10(most));
  const metres = power * ([5, 2, 1].find((factor) => factor * power <= most) ?? 1);
  const text = metres >= 1000 ? `${metres / 1000} km` : `${metres} m`;
  return { text, width: Math.round(metres / groundMetresPerPixel) };
}
