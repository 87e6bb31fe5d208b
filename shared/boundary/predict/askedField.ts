import { cutOut } from '../../raster/tiff/pixels.js';
import { cleaned, maskOfWindow, type CandidateMask } from '../candidates/candidateMask.js';
import type { Pixel } from '../window/chooseDates.js';
import type { SeenDate } from './edgeEvidence.js';
import type { Plane } from '../window/gaussian.js';
import { logits, type Network } from '../network/network.js';

const { exp, max, min } = Math;

/** Side of what the mask network sees, in pixels: the point lies at the middle. */
const side = 128;
const clickSigma = 3;

/** At most so many dates are looked at, to save time: the last ones. */
const mostDates = 3;

/**
 * Probability of every pixel of a window to lie in the field of the asked pixel, 0–1; 0 farther from that pixel than the
 * mask network sees.
 *
 * @param dates those that the boundary network has looked at
 * @returns undefined without any
 */
export function askedField(network: Network, dates: readonly SeenDate[], pixel: Pixel): Plane | undefined {
  const used = dates.slice(-mostDates);
  const [first] = used;
  if (first === undefined) return undefined;
  const { width, height } = first.opinion.boundary;
  const data = new Float32Array(width * height);
  for (const date of used) {
    const [seen] = logits(network, inputsAround(date, pixel));
    if (seen !== undefined) addInWindow({ width, height, data }, seen, { pixel, weight: 1 / used.length });
  }
  return { width, height, data };
}

/** From half on, a pixel lies in the asked field. */
const insideFrom = 0.5;
const fewestPixels = 20;

/** The network's answer as a mask; undefined where the asked pixel does not lie in it, or where it is no 20 pixels. */
export function askedMask(field: Plane, pixel: Pixel): CandidateMask | undefined {
  const data = Uint8Array.from(field.data, (value) => (value >= insideFrom ? 1 : 0));
  if (data[pixel.row * field.width + pixel.column] !== 1) return undefined;
  const mask = cleaned(maskOfWindow({ ...field, data }), pixel, field);
  return mask.size < fewestPixels ? undefined : mask;
}

/** Bands, the boundary network's two probabilities where the ground was seen, and the asked pixel; 0 beyond the window. */
function inputsAround(
  { date: { networkInput = [], clear }, opinion: { boundary, field } }: SeenDate,
  pixel: Pixel,
): Plane[] {
  const seen = (plane: Plane): Plane => ({
    ...plane,
    data: plane.data.map((value, k) => value * (clear.data[k] ?? 0)),
  });
  return [...[...networkInput, seen(boundary), seen(field)].map((plane) => partAround(plane, pixel)), click];
}

function partAround(plane: Plane, pixel: Pixel): Plane {
  const [top, left] = [pixel.row - side / 2, pixel.column - side / 2];
  const column = max(0, left);
  const row = max(0, top);
  const part = {
    column,
    row,
    width: min(plane.width, left + side) - column,
    height: min(plane.height, top + side) - row,
  };
  const known = cutOut(plane.data, plane.width, part);
  const data = new Float32Array(side * side);
  for (let y = 0; y < part.height; y += 1) {
    data.set(known.subarray(y * part.width, (y + 1) * part.width), (row - top + y) * side + column - left);
  }
  return { width: side, height: side, data };
}

const click: Plane = {
  width: side,
  height: side,
  data: Float32Array.from({ length: side * side }, (_, k) => {
    const [down, across] = [Math.floor(k / side) - side / 2, (k % side) - side / 2];
    return exp(-(down ** 2 + across ** 2) / (2 * clickSigma ** 2));
  }),
};

function addInWindow(
  window: Plane & { readonly data: Float32Array },
  seen: Plane,
  { pixel, weight }: { readonly pixel: Pixel; readonly weight: number },
): void {
  const [top, left] = [pixel.row - side / 2, pixel.column - side / 2];
  for (let row = max(0, top); row < min(window.height, top + side); row += 1) {
    for (let column = max(0, left); column < min(window.width, left + side); column += 1) {
      const k = row * window.width + column;
      const logit = seen.data[(row - top) * side + column - left] ?? 0;
      window.data[k] = (window.data[k] ?? 0) + weight / (1 + exp(-logit));
    }
  }
}
