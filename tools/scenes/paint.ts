import { lineOf, nonFieldCover } from './cover.js';
import type { Cover, NonFieldCover } from './cover.js';
import { fieldLook } from './fieldLook.js';
import type { FieldLook, SceneDay } from './fieldLook.js';
import { addNoiseAlong } from './noise.js';
import type { Line, Noise } from './noise.js';
import { usualUnevenness } from './palette.js';
import type { Unevenness } from './palette.js';
import { hashOf, unitAt } from './random.js';
import { spectra } from './spectra.js';
import type { Spectrum } from './spectra.js';

const { abs, floor, max } = Math;

/** Reflectance 0–1 at every sample, a plane each for B02, B03, B04, B08. */
export type FinePlanes = readonly [Float32Array, Float32Array, Float32Array, Float32Array];

/** The patterns that run through a country, along one row of samples. */
interface Patterns {
  /** Soil light and dark over hundreds and over tens of metres. */
  readonly soil: Float32Array;
  readonly growth: Float32Array;
  /** Grain of tree crowns, roofs and gardens. */
  readonly grain: Float32Array;
  readonly unevenness: Unevenness;
}

const soilNoises: readonly (readonly [salt: number, scaleM: number, weight: number])[] = [
  [71, 380, 0.6],
  [72, 95, 0.5],
];
const growthNoises: typeof soilNoises = [
  [73, 65, 0.8],
  [76, 27, 0.6],
];
const grainNoises: typeof soilNoises = [
  [74, 22, 0.7],
  [75, 9, 0.6],
];

const covers: Readonly<Record<NonFieldCover, { readonly spectrum: Spectrum; readonly grain: number }>> = {
  paved: { spectrum: spectra.paved, grain: 0.05 },
  gravel: { spectrum: spectra.gravel, grain: 0.08 },
  grass: { spectrum: spectra.grass, grain: 0.08 },
  trees: { spectrum: spectra.trees, grain: 0.15 },
  ditch: { spectrum: spectra.ditch, grain: 0.1 },
  water: { spectrum: spectra.water, grain: 0.02 },
  forest: { spectrum: spectra.forest, grain: 0.16 },
  town: { spectrum: spectra.town, grain: 0.45 },
};

/** Paints the ground as it is on one day, in the light of the sun, without air in between. */
export function painted({ grid, fields, samples }: Cover, seed: number, day: SceneDay): FinePlanes {
  const looks = new Map<number, FieldLook>();
  const lookOf = (index: number): FieldLook | undefined => {
    const field = fields[index];
    const known = looks.get(index);
    if (known !== undefined || field === undefined) return known;
    const look = fieldLook(field, day);
    looks.set(index, look);
    return look;
  };
  const plane = (): Float32Array => new Float32Array(samples.length);
  const planes: FinePlanes = [plane(), plane(), plane(), plane()];
  const patterns = {
    soil: new Float32Array(grid.width),
    growth: new Float32Array(grid.width),
    grain: new Float32Array(grid.width),
    unevenness: day.palette?.unevenness ?? usualUnevenness,
  };
  for (let row = 0; row < grid.height; row += 1) {
    const line = lineOf(grid, row);
    fillPatterns(patterns, seed, line);
    for (let column = 0; column < grid.width; column += 1) {
      const k = row * grid.width + column;
      const code = samples[k] ?? 0;
      const look = code < 0 ? undefined : lookOf(code);
      if (look === undefined) paintCover(planes, k, { cover: nonFieldCover(code), grain: patterns.grain[column] ?? 0 });
      else paintField(planes, k, { look, patterns, column, x: line.startX + column * line.stepM, y: line.y });
    }
  }
  return planes;
}

function fillPatterns(patterns: Patterns, seed: number, line: Line): void {
  const fill = (into: Float32Array, noises: typeof soilNoises, scale: number): void => {
    into.fill(0);
    for (const [salt, scaleM, weight] of noises) addNoiseAlong(noiseOf(seed, salt, scale * scaleM), line, weight, into);
  };
  fill(patterns.soil, soilNoises, patterns.unevenness.scale);
  fill(patterns.growth, growthNoises, patterns.unevenness.scale);
  fill(patterns.grain, grainNoises, 1);
}

function noiseOf(seed: number, salt: number, scaleM: number): Noise {
  return { seed: hashOf(seed, salt), scaleM };
}

function paintCover(
  planes: FinePlanes,
  k: number,
  { cover, grain }: { readonly cover: NonFieldCover; readonly grain: number },
): void {
  const { spectrum, grain: strength } = covers[cover];
  const light = max(0.3, 1 + strength * grain);
  planes.forEach((plane, band) => {
    plane[k] = (spectrum[band] ?? 0) * light;
  });
}

interface FieldSample {
  readonly look: FieldLook;
  readonly patterns: Patterns;
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

function paintField(planes: FinePlanes, k: number, { look, patterns, column, x, y }: FieldSample): void {
  const { ground, canopy, axis } = look;
  const [dx, dy] = [x - axis.middle[0], y - axis.middle[1]];
  const along = dx * axis.along[0] + dy * axis.along[1];
  const across = dy * axis.along[0] - dx * axis.along[1];
  const soil = patterns.soil[column] ?? 0;
  const growth = patterns.growth[column] ?? 0;
  const place = { along: along / axis.halfM, across: across / axis.halfAcrossM, growth };
  const { growthGreen, soilGreen, soilLight } = patterns.unevenness;
  const pattern = (growthGreen * growth + soilGreen * soil) * look.growth * (4 * look.green * (1 - look.green) + 0.08);
  const wanted = look.green + pattern + look.slope * place.along + greenerBy(look, place);
  const green = wanted < 0 ? 0 : wanted > 1 ? 1 : wanted;
  const light = rowLight(look, across) * lighterBy(look, place);
  const bareLight = (1 - green) * (1 + soilLight * look.growth * soil) * light;
  const plantLight = green * light;
  planes[0][k] = ground[0] * bareLight + canopy[0] * plantLight;
  planes[1][k] = ground[1] * bareLight + canopy[1] * plantLight;
  planes[2][k] = ground[2] * bareLight + canopy[2] * plantLight;
  planes[3][k] = ground[3] * bareLight + canopy[3] * plantLight;
}

/** A place in a field: along and across its axis, about -1 to 1, and the country's growth pattern there. */
interface FieldPlace {
  readonly along: number;
  readonly across: number;
  readonly growth: number;
}

function greenerBy({ worked, variety, headland, spots }: FieldLook, { along, across, growth }: FieldPlace): number {
  let green = 0;
  if (along > worked.from) green += worked.green;
  if (across > variety.from) green += variety.green;
  if (abs(along) > headland.from) green += headland.green;
  if (growth > spots.from) green += spots.green;
  return green;
}

function lighterBy({ worked, variety, headland, spots }: FieldLook, { along, across, growth }: FieldPlace): number {
  let light = 1;
  if (along > worked.from) light *= worked.light;
  if (across > variety.from) light *= variety.light;
  if (abs(along) > headland.from) light *= headland.light;
  if (growth > spots.from) light *= spots.light;
  return light;
}

/** Rows and tramlines run along the field. */
function rowLight({ rows, tracks }: FieldLook, across: number): number {
  const row = 1 + 2 * rows.strength * (unitAt(rows.seed, floor(across / rows.widthM), 0) - 0.5);
  if (tracks.depth === 0) return row;
  const position = (across + tracks.shiftM) / tracks.periodM;
  return position - floor(position) < trackM / tracks.periodM ? row * (1 - tracks.depth) : row;
}

const trackM = 2.5;
