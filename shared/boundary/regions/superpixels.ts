import { blurred, type Plane } from '../window/gaussian.js';
import { MinHeap } from './minHeap.js';

const { max, min, round } = Math;

/** A window cut into small regions, each pixel with its region's number 0…count-1. */
export interface Superpixels {
  readonly width: number;
  readonly height: number;
  readonly count: number;
  /** [row][column] */
  readonly labels: Int32Array;
}

const smoothingSigma = 0.5;
const basinDepth = 0.03;
const levelsPerUnit = 2000;

/**
 * Watershed of the edge map: one region for every basin deeper than 0.03, without lines between them.
 *
 * @see Vincent & Soille (1991), Watersheds in digital spaces
 */
export function superpixels(edges: Plane): Superpixels {
  const smooth = blurred(edges, smoothingSigma);
  const markers = regionalMinima(withoutShallowBasins(smooth));
  flood(smooth, markers.labels);
  return { width: edges.width, height: edges.height, ...markers };
}

/**
 * Reconstruction by erosion of plane + 0.03 over the plane, 8 neighbours.
 *
 * Scans forth and back until nothing changes; the basins are shallow, so few scans are needed.
 */
function withoutShallowBasins({ width, height, data }: Plane): Plane {
  const filled = data.map((value) => value + basinDepth);
  for (let hasChanged = true; hasChanged;) {
    const forth = scan({ width, height, data }, filled, 1);
    const back = scan({ width, height, data }, filled, -1);
    hasChanged = forth || back;
  }
  return { width, height, data: filled };
}

/** Lowers each pixel to the lowest of itself and its four neighbours scanned before, but not below the plane. */
function scan({ width, height, data }: Plane, filled: Float32Array, direction: 1 | -1): boolean {
  let behind = new Float32Array(width + 2).fill(Infinity);
  let line = behind.slice();
  let hasChanged = false;
  for (let row = 0; row < height; row += 1) {
    const start = direction === 1 ? row * width : data.length - 1 - row * width;
    if (scanLine({ data, filled }, { behind, line }, { start, direction, width })) hasChanged = true;
    [behind, line] = [line, behind];
  }
  return hasChanged;
}

/** `behind` and `line` hold the values of the last and of this line, shifted by one place, with Infinity at both ends. */
function scanLine(
  { data, filled }: { readonly data: Float32Array; readonly filled: Float32Array },
  { behind, line }: { readonly behind: Float32Array; readonly line: Float32Array },
  { start, direction, width }: { readonly start: number; readonly direction: 1 | -1; readonly width: number },
): boolean {
  let hasChanged = false;
  let last = Infinity;
  for (let step = 0; step < width; step += 1) {
    const k = start + direction * step;
    const before = filled[k] ?? 0;
    const low = min(last, behind[step] ?? 0, behind[step + 1] ?? 0, behind[step + 2] ?? 0);
    last = low < before ? max(data[k] ?? 0, low) : before;
    line[step + 1] = last;
    if (last >= before) continue;
    filled[k] = last;
    hasChanged = true;
  }
  return hasChanged;
}

/** Numbers from 0 on for the plateaus (in steps of 1/2000) without a lower 4-neighbour, -1 elsewhere. */
function regionalMinima({ width, height, data }: Plane): Omit<Superpixels, 'width' | 'height'> {
  const levels = Int32Array.from(data, (value) => round(value * levelsPerUnit));
  const labels = new Int32Array(data.length).fill(-1);
  const isSeen = new Uint8Array(data.length);
  const plateau = new Int32Array(data.length);
  let count = 0;
  for (let start = 0; start < data.length; start += 1) {
    if (isSeen[start] === 1) continue;
    const { size, isMinimum } = collectPlateau({ width, height, levels }, start, { isSeen, plateau });
    if (!isMinimum) continue;
    for (let k = 0; k < size; k += 1) labels[plateau[k] ?? 0] = count;
    count += 1;
  }
  return { count, labels };
}

interface Levels {
  readonly width: number;
  readonly height: number;
  readonly levels: Int32Array;
}

/** The four neighbours of a pixel inside the window, in raster order; -1 where the window ends. */
function neighboursOf(k: number, { width, height }: Pick<Levels, 'width' | 'height'>, into: Int32Array): Int32Array {
  const column = k % width;
  into[0] = k >= width ? k - width : -1;
  into[1] = column > 0 ? k - 1 : -1;
  into[2] = column < width - 1 ? k + 1 : -1;
  into[3] = k < width * (height - 1) ? k + width : -1;
  return into;
}

/** Collects the equal pixels connected to `start` in `plateau`; a minimum has no lower neighbour. */
function collectPlateau(
  plane: Levels,
  start: number,
  { isSeen, plateau }: { readonly isSeen: Uint8Array; readonly plateau: Int32Array },
): { readonly size: number; readonly isMinimum: boolean } {
  const level = plane.levels[start] ?? 0;
  const neighbours = new Int32Array(4);
  let isMinimum = true;
  let size = 1;
  plateau[0] = start;
  isSeen[start] = 1;
  for (let at = 0; at < size; at += 1) {
    for (const k of neighboursOf(plateau[at] ?? 0, plane, neighbours)) {
      if (k < 0) continue;
      const other = plane.levels[k] ?? 0;
      if (other < level) isMinimum = false;
      if (other !== level || isSeen[k] === 1) continue;
      isSeen[k] = 1;
      plateau[size] = k;
      size += 1;
    }
  }
  return { size, isMinimum };
}

/**
 * Grows the labels (0 and more) over the whole window, in place: the lowest pixels of the plane first, equal ones in the
 * order in which they were reached.
 */
export function flood(plane: Plane, labels: Int32Array): void {
  const heap = new MinHeap(plane.width + plane.height);
  const neighbours = new Int32Array(4);
  let age = 0;
  labels.forEach((label, k) => {
    if (label < 0) return;
    const canGrow = neighboursOf(k, plane, neighbours).some((next) => next >= 0 && (labels[next] ?? 0) < 0);
    if (canGrow) heap.push(plane.data[k] ?? 0, 0, k);
  });
  while (heap.length > 0) {
    const from = heap.payload;
    heap.pop();
    for (const k of neighboursOf(from, plane, neighbours)) {
      if (k < 0 || (labels[k] ?? 0) >= 0) continue;
      age += 1;
      labels[k] = labels[from] ?? 0;
      heap.push(plane.data[k] ?? 0, age, k);
    }
  }
}
