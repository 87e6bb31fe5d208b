import type { Farmland, Field, MapBox } from './farmland.js';
import { addNoiseAlong, noiseAt } from './noise.js';
import type { Line } from './noise.js';
import { hashOf, unitAt } from './random.js';

const { abs, ceil, floor, hypot, max, min } = Math;

/** A raster of fine samples: sample (column, row) has its centre at originX + (column + ½) · stepM, originY − …. */
export interface SampleGrid {
  readonly originX: number;
  readonly originY: number;
  readonly stepM: number;
  readonly width: number;
  readonly height: number;
}

/** What lies where no field is. */
export const nonFieldCovers = ['paved', 'gravel', 'grass', 'trees', 'ditch', 'water', 'forest', 'town'] as const;
export type NonFieldCover = (typeof nonFieldCovers)[number];

/** What every sample shows: a field's index (0 and up) or a non-field cover, -1 − its index. */
export interface Cover {
  readonly grid: SampleGrid;
  readonly fields: readonly Field[];
  readonly samples: Int32Array;
}

const codeOf = (cover: NonFieldCover): number => -1 - nonFieldCovers.indexOf(cover);

/** The cover at one sample that has a code below 0. */
export function nonFieldCover(code: number): NonFieldCover {
  return nonFieldCovers[-1 - code] ?? 'grass';
}

/** The ground of a country at the samples; it does not change with the date. */
export function coverOf(farmland: Farmland, grid: SampleGrid): Cover {
  const { originX, originY, stepM, width, height } = grid;
  const box: MapBox = [originX, originY - height * stepM, originX + width * stepM, originY];
  const fields = farmland.fieldsIn(box);
  const samples = new Int32Array(width * height);
  edges(farmland.seed, grid, samples);
  fields.forEach((field, index) => {
    fill(grid, field, { samples, value: field.use === 'forest' || field.use === 'town' ? codeOf(field.use) : index });
  });
  lines(farmland.seed, grid, samples);
  houses(farmland.seed, grid, samples);
  return { grid, fields, samples };
}

/** What the unfarmed edges between fields are: tracks, grass, trees or ditches, changing over hundreds of metres. */
function edges(seed: number, grid: SampleGrid, samples: Int32Array): void {
  const kinds = [codeOf('grass'), codeOf('gravel'), codeOf('trees'), codeOf('paved'), codeOf('ditch')];
  const noises = kinds.map((_, k) => ({ seed: hashOf(seed, 61, k), scaleM: 170 }));
  const values = kinds.map(() => new Float32Array(grid.width));
  for (let row = 0; row < grid.height; row += 1) {
    values.forEach((line, k) => {
      line.fill(k === 0 ? 0.4 : 0);
      const noise = noises[k];
      if (noise !== undefined) addNoiseAlong(noise, lineOf(grid, row), 1, line);
    });
    for (let column = 0; column < grid.width; column += 1) {
      let best = 0;
      for (let k = 1; k < kinds.length; k += 1) {
        if ((values[k]?.[column] ?? 0) > (values[best]?.[column] ?? 0)) best = k;
      }
      samples[row * grid.width + column] = kinds[best] ?? -1;
    }
  }
}

/** The places of a row of samples. */
export function lineOf({ originX, originY, stepM }: SampleGrid, row: number): Line {
  return { startX: originX + stepM / 2, stepM, y: originY - (row + 0.5) * stepM };
}

/** Gives every sample whose centre lies in a field its value (even-odd rule, row by row). */
function fill(
  { originX, originY, stepM, width, height }: SampleGrid,
  { outline, box }: Field,
  { samples, value }: { readonly samples: Int32Array; readonly value: number },
): void {
  const first = max(0, floor((originY - box[3]) / stepM));
  const last = min(height - 1, ceil((originY - box[1]) / stepM));
  for (let row = first; row <= last; row += 1) {
    const y = originY - (row + 0.5) * stepM;
    const crossings = crossingsAt(outline, y);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = max(0, ceil(((crossings[k] ?? 0) - originX) / stepM - 0.5));
      const to = min(width, ceil(((crossings[k + 1] ?? 0) - originX) / stepM - 0.5));
      if (to > from) samples.fill(value, row * width + from, row * width + to);
    }
  }
}

function crossingsAt(outline: Field['outline'], y: number): number[] {
  const crossings: number[] = [];
  let [fromX, fromY] = outline.at(-1) ?? [0, 0];
  for (const [toX, toY] of outline) {
    if (fromY > y !== toY > y) crossings.push(fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX));
    [fromX, fromY] = [toX, toY];
  }
  return crossings.sort((a, b) => a - b);
}

/** Long winding roads, brooks and tree lines: where a very smooth noise is zero, in stretches. */
const windings: readonly {
  readonly cover: NonFieldCover;
  readonly widthM: number;
  readonly scaleM: number;
  readonly from: number;
}[] = [
  { cover: 'paved', widthM: 9, scaleM: 2300, from: 0.2 },
  { cover: 'water', widthM: 12, scaleM: 3100, from: 0.7 },
  { cover: 'trees', widthM: 12, scaleM: 1700, from: 0.8 },
];

function lines(seed: number, grid: SampleGrid, samples: Int32Array): void {
  windings.forEach((winding, k) => {
    const path = { seed: hashOf(seed, 62, k), scaleM: winding.scaleM };
    const stretch = { seed: hashOf(seed, 63, k), scaleM: 2600 };
    const rows = {
      here: new Float32Array(grid.width),
      below: new Float32Array(grid.width),
      presence: new Float32Array(grid.width),
    };
    for (let row = 0; row < grid.height; row += 1) {
      const line = lineOf(grid, row);
      addNoiseAlong(path, line, 1, rows.here.fill(0));
      addNoiseAlong(path, { ...line, y: line.y - grid.stepM }, 1, rows.below.fill(0));
      addNoiseAlong(stretch, line, 1, rows.presence.fill(0));
      for (let column = 0; column + 1 < grid.width; column += 1) {
        if (isOnLine(rows, column, winding, grid.stepM)) samples[row * grid.width + column] = codeOf(winding.cover);
      }
    }
  });
}

interface WindingRows {
  readonly here: Float32Array;
  readonly below: Float32Array;
  readonly presence: Float32Array;
}

/** The distance from the zero line is the noise over its slope. */
function isOnLine(
  { here, below, presence }: WindingRows,
  column: number,
  { widthM, from }: (typeof windings)[number],
  stepM: number,
): boolean {
  if ((presence[column] ?? 0) < from) return false;
  const value = here[column] ?? 0;
  const slope = hypot((here[column + 1] ?? 0) - value, (below[column] ?? 0) - value) / stepM;
  return abs(value) < (slope * widthM) / 2;
}

/** Farmyards, copses and ponds: up to one small rectangle in every square of 420 m. */
function houses(seed: number, { originX, originY, stepM, width, height }: SampleGrid, samples: Int32Array): void {
  const squareM = 420;
  const kinds: readonly NonFieldCover[] = ['town', 'town', 'trees', 'water'];
  const index = (value: number): number => floor(value / squareM);
  for (let row = index(originY - height * stepM) - 1; row <= index(originY) + 1; row += 1) {
    for (let column = index(originX) - 1; column <= index(originX + width * stepM) + 1; column += 1) {
      const trait = (salt: number): number => unitAt(hashOf(seed, 64, salt), column, row);
      if (noiseAt({ seed: hashOf(seed, 65), scaleM: 2500 }, column * squareM, row * squareM) + 2 * trait(0) < 1.3)
        continue;
      const [halfX, halfY] = [6 + 30 * trait(1) ** 2, 6 + 30 * trait(2) ** 2];
      const [middleX, middleY] = [(column + trait(3)) * squareM, (row + trait(4)) * squareM];
      const left = max(0, ceil((middleX - halfX - originX) / stepM - 0.5));
      const right = min(width, ceil((middleX + halfX - originX) / stepM - 0.5));
      const top = max(0, ceil((originY - middleY - halfY) / stepM - 0.5));
      const bottom = min(height, ceil((originY - middleY + halfY) / stepM - 0.5));
      const code = codeOf(kinds[floor(trait(5) * kinds.length)] ?? 'town');
      for (let y = top; y < bottom && right > left; y += 1) samples.fill(code, y * width + left, y * width + right);
    }
  }
}
