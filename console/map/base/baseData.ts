import { toMercator } from '../mercator.js';
import type { MercatorBox } from '../warp.js';

/** A coast or a border in web mercator. */
export interface BaseLine {
  readonly box: MercatorBox;
  /** x and y of each point in turn. */
  readonly points: Float32Array;
}

/** A town with its place in web mercator. */
export interface BasePlace {
  readonly name: string;
  readonly at: readonly [x: number, y: number];
  /** How often the number of its people halves until one is left. */
  readonly size: number;
  /** Code of the country (ISO 3166-1), in the United States with that of the state: `DE`, `USIA`. */
  readonly region: string;
}

/** Steps of the files to a degree. */
const STEPS = 100;
/** The map ends before the pole. */
const NORTHERNMOST = 85;

/** Whole numbers as `infra/build/baseMap.mjs` packs them. */
function* numbersIn(bytes: Uint8Array): Generator<number, undefined> {
  let [value, factor] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 127) * factor;
    factor *= 128;
    if (byte > 127) continue;
    yield value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    [value, factor] = [0, 1];
  }
}

const mercatorOf = (x: number, y: number): [x: number, y: number] =>
  toMercator([x / STEPS, Math.min(NORTHERNMOST, y / STEPS)]);

function lineOf(next: () => number): BaseLine {
  const points = new Float32Array(2 * next());
  let [x, y] = [0, 0];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < points.length; at += 2) {
    x += next();
    y += next();
    const [across, up] = mercatorOf(x, y);
    points.set([across, up], at);
    [west, east] = [Math.min(west, across), Math.max(east, across)];
    [south, north] = [Math.min(south, up), Math.max(north, up)];
  }
  return { box: [west, south, east, north], points };
}

/** Coasts and borders of a file. */
export function linesIn(bytes: Uint8Array): {
  readonly coasts: readonly BaseLine[];
  readonly borders: readonly BaseLine[];
} {
  const numbers = numbersIn(bytes);
  const next = (): number => numbers.next().value ?? 0;
  const some = (): readonly BaseLine[] => Array.from({ length: next() }, () => lineOf(next));
  return { coasts: some(), borders: some() };
}

/** Whole numbers in turn, each added to the one before. */
function summed(count: number, next: () => number): readonly number[] {
  let sum = 0;
  return Array.from({ length: count }, () => (sum += next()));
}

/** Places of a file, the largest first. */
export function placesIn(bytes: Uint8Array): readonly BasePlace[] {
  const length = numbersIn(bytes).next().value ?? 0;
  const from = bytes.findIndex((byte) => byte < 128) + 1;
  const names = new TextDecoder().decode(bytes.subarray(from, from + length)).split('\n');
  const regions = (names.pop() ?? '').match(/US..|../g) ?? [];
  const numbers = numbersIn(bytes.subarray(from + length));
  const next = (): number => numbers.next().value ?? 0;
  const [across, up] = [summed(names.length, next), summed(names.length, next)];
  const places = names.map((name, index): BasePlace => {
    const at = mercatorOf(across[index] ?? 0, up[index] ?? 0);
    return { name, at, size: next(), region: regions[index] ?? '' };
  });
  return places.sort((one, other) => other.size - one.size);
}
