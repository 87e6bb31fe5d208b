import type { Cover } from '../scenes/cover.js';
import type { StyleShares } from '../scenes/layout.js';
import { usualStyles } from '../scenes/layout.js';
import { paletteOf } from '../scenes/palette.js';
import { hashOf, Random } from '../scenes/random.js';
import { SceneRenderer } from '../scenes/renderScene.js';
import type { RenderedScene, SceneOptions } from '../scenes/renderScene.js';
import { paintedMarginPixels, samplesPerPixel } from '../scenes/sensor.js';
import type { PixelGrid } from '../scenes/sight.js';
import type { SceneFamily } from './sceneFamilies.js';

/** Zone in which the training countries lie; each seed is a country of its own. */
export const trainingEpsg = 32632;

/** More of the smallest and the largest fields. */
const hardStyles: StyleShares = [
  ['small', 0.16],
  ['middle', 0.26],
  ['strip', 0.14],
  ['large', 0.2],
  ['huge', 0.18],
  ['pivot', 0.06],
];
const hardShare = 0.45;
const usualSigmaM = [4, 9] as const;
const usualNoise = [0.0006, 0.0015] as const;
const strongNoise = [0.001, 0.004] as const;
const usualDays = [60, 305] as const;

/** One window of one country on one or more dates of one fortnight. */
export interface TrainingScene {
  readonly renderer: SceneRenderer;
  readonly window: PixelGrid;
  readonly dates: readonly { readonly date: string; readonly scene: RenderedScene }[];
}

/** What to draw of a seed. */
export interface TrainingOptions {
  /** Pixels. */
  readonly side: number;
  readonly dates: number;
  /** Share of the scenes whose crops owe nothing to the calendar, 0–1. */
  readonly paletteShare: number;
  /** 0–1, default 0. */
  readonly cloudFraction?: number;
  /** How uneven fields are within, as a factor on what is drawn, default 1. */
  readonly roughness?: number;
  readonly family?: SceneFamily;
}

/** The scene of a seed: place, season, sensor and unevenness all follow from it. */
export function trainingScene(seed: number, options: TrainingOptions): TrainingScene {
  const { side, dates, paletteShare, family = {} } = options;
  const roughness = (options.roughness ?? 1) * (family.roughness ?? 1);
  const random = new Random(hashOf(seed, 7001));
  const isHard = random.isTrue(hardShare);
  const styles = family.styles ?? (isHard ? hardStyles : usualStyles);
  const renderer = new SceneRenderer(trainingEpsg, { seed, styles });
  const window = {
    originX: 300_000 + 10 * Math.floor(random.between(0, 40_000)),
    originY: 5_000_000 + 10 * Math.floor(random.between(0, 40_000)),
    width: side,
    height: side,
  };
  const seen = sightOf(random, isHard, family);
  const look = {
    ...seen,
    cloudFraction: options.cloudFraction ?? 0,
    roughness: roughness * (isHard ? random.between(1, 2.4) : 1),
    ...contrastOf(seed, family),
  };
  const first =
    Date.UTC(Math.floor(random.between(2017, 2026)), 0, 1) +
    Math.floor(random.between(...(family.days ?? usualDays))) * 86_400_000;
  const changes = changesOf(seed, { paletteShare, isHard, roughness });
  return {
    renderer,
    window,
    dates: Array.from({ length: dates }, (_, k) => {
      const date = new Date(first + k * 5 * 86_400_000).toISOString().slice(0, 10);
      return { date, scene: renderer.render(window, date, { ...look, ...changes(k) }) };
    }),
  };
}

/** The sensor's spot and noise; noise is strong in half of the hard scenes. */
function sightOf(
  random: Random,
  isHard: boolean,
  { sigmaM = usualSigmaM, noise }: SceneFamily,
): Pick<SceneOptions, 'sigmaM' | 'noise'> {
  const spotM = random.between(...sigmaM);
  const range = noise ?? (isHard && random.isTrue(0.5) ? strongNoise : usualNoise);
  return { sigmaM: spotM, noise: random.between(...range) };
}

function contrastOf(seed: number, { contrast }: SceneFamily): Pick<SceneOptions, 'contrast'> {
  return contrast === undefined ? {} : { contrast: new Random(hashOf(seed, 7004)).between(...contrast) };
}

/** Palettes for a share of the seeds; in half of those every date has its own. */
function changesOf(
  seed: number,
  { paletteShare, isHard, roughness: factor }: { paletteShare: number; isHard: boolean; roughness: number },
): (date: number) => Pick<SceneOptions, 'palette' | 'roughness'> {
  const random = new Random(hashOf(seed, 7003));
  if (!random.isTrue(paletteShare)) return () => ({});
  const isFresh = random.isTrue(0.5);
  const roughness = factor * (isHard ? random.between(1, 2.4) : random.between(0.3, 1.2));
  return (date) => ({ roughness, palette: paletteOf(seed, isFresh ? hashOf(seed, date) : seed) });
}

/** A change of field nearer than this to a place makes it boundary. */
const boundaryReachM = 6;

/**
 * What the network learns: bit 0 where more than half of the pixel lies within 6 m of a change of field, bit 1 where
 * its middle lies in a field.
 *
 * @returns [row][column]
 */
export function boundaryLabels({ grid, samples }: Cover): Uint8Array {
  const near = new Uint8Array(samples.length);
  const reach = boundaryReachM / grid.stepM;
  const offsets: number[] = [];
  for (let y = -2; y <= 2; y += 1) {
    for (let x = -2; x <= 2; x += 1) if (Math.hypot(x, y) < reach) offsets.push(y * grid.width + x);
  }
  const fieldAt = (k: number): number => Math.max(-1, samples[k] ?? -1);
  for (let k = grid.width; k < samples.length; k += 1) {
    const isChange = fieldAt(k) !== fieldAt(k - 1) || fieldAt(k) !== fieldAt(k - grid.width);
    if (isChange) for (const offset of offsets) near[k + offset] = 1;
  }
  return labelsOfPixels(grid.width, near, fieldAt);
}

function labelsOfPixels(width: number, near: Uint8Array, fieldAt: (sample: number) => number): Uint8Array {
  const side = width / samplesPerPixel - 2 * paintedMarginPixels;
  return Uint8Array.from({ length: side * side }, (_, pixel) => {
    const [row, column] = [Math.floor(pixel / side) + paintedMarginPixels, (pixel % side) + paintedMarginPixels];
    let count = 0;
    for (let k = 0; k < samplesPerPixel ** 2; k += 1) {
      const y = row * samplesPerPixel + Math.floor(k / samplesPerPixel);
      count += near[y * width + column * samplesPerPixel + (k % samplesPerPixel)] ?? 0;
    }
    const middle = (row * samplesPerPixel + 2) * width + column * samplesPerPixel + 2;
    return (count > samplesPerPixel ** 2 / 2 ? 1 : 0) + (fieldAt(middle) >= 0 ? 2 : 0);
  });
}
