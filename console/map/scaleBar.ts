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
