import type { Rgb } from '../../raster/write/cogInput.js';

const rgbOf = (hex: string): Rgb => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

/** Viridis (matplotlib, CC0) at 0, 10, … 100: even steps of lightness, readable with any colour vision. */
const VIRIDIS = [
  '440154',
  '482576',
  '414487',
  '35608d',
  '2a788e',
  '21908c',
  '22a884',
  '43bf71',
  '7ad151',
  'bbdf27',
  'fde725',
].map(rgbOf);

/** BrBG of five classes (ColorBrewer 2.0, C. Brewer): brown is below, green above the field's middle. */
const BROWN_TO_GREEN = ['a6611a', 'dfc27d', 'f5f5f5', '80cdc1', '018571'].map(rgbOf);

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];

/** A palette of 256 colours: 0–100 by `colorAt`, 255 (nodata) white, the rest is never used. */
function percentPalette(colorAt: (percent: number) => Rgb): readonly Rgb[] {
  return Array.from({ length: 256 }, (_, value) => {
    if (value === 255) return WHITE;
    return value <= 100 ? colorAt(value) : BLACK;
  });
}

/** Colours of the vegetation layer, 0 (none) to 100 (dense): viridis. */
export const VEGETATION_PALETTE: readonly Rgb[] = percentPalette((percent) => {
  const step = Math.min(9, Math.floor(percent / 10));
  const [from, to] = [VIRIDIS[step] ?? BLACK, VIRIDIS[step + 1] ?? BLACK];
  const between = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + ((to[channel] - from[channel]) * (percent - step * 10)) / 10);
  return [between(0), between(1), between(2)];
});

/** Colours of the scouting layer: five equal steps from brown (0–19) over pale (40–59) to green (80–100). */
export const SCOUTING_PALETTE: readonly Rgb[] = percentPalette(
  (percent) => BROWN_TO_GREEN[Math.min(4, Math.floor(percent / 20))] ?? BLACK,
);
