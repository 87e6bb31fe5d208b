import { addNoiseAlong } from './noise.js';
import type { Line } from './noise.js';
import { hashOf, hashOfText, Random } from './random.js';

const { floor, max, min } = Math;

/** What is in the air over one row of pixels. */
export interface Air {
  /** Opacity of cloud 0–1, of cloud shadow 0–1. */
  readonly cloud: Float32Array;
  readonly shadow: Float32Array;
}

/** The weather of one day over a country. */
export interface Weather {
  readonly seed: number;
  /** Share of the sky that clouds cover in the long run, 0–1. */
  readonly cloudFraction: number;
  /** Light scattered in by haze, reflectance in B02. */
  readonly haze: number;
  /** Where shadows fall, as seen from their clouds, in metres. */
  readonly shadowShift: readonly [x: number, y: number];
}

/** Noise levels that 0, 10 … 100 % of the sky exceed; measured once on the noise below. */
const levels = [3, 1.07, 0.72, 0.45, 0.22, 0, -0.22, -0.45, -0.72, -1.07, -3];

/** How far from the cloud's edge it is thin. */
const softness = 0.22;
const cloudNoises: readonly (readonly [salt: number, scaleM: number, weight: number])[] = [
  [81, 5200, 0.72],
  [82, 1500, 0.42],
  [83, 420, 0.2],
];

/**
 * Weather of a day: about one day in three is clear, one in five overcast.
 *
 * @param cloudFraction fixes the share of cloud, 0–1; 0 is a cloudless sky
 */
export function weatherOn(seed: number, date: string, cloudFraction?: number): Weather {
  const random = new Random(hashOf(seed, hashOfText(date), 80));
  const drawn = random.isTrue(0.35) ? 0 : random.isTrue(0.3) ? random.between(0.7, 1) : random.between(0.02, 0.7);
  const heightM = random.between(400, 1400);
  return {
    seed: hashOf(seed, hashOfText(date), 84),
    cloudFraction: cloudFraction ?? drawn,
    haze: random.between(0, 0.03),
    shadowShift: [-heightM * 0.35, heightM * 0.85],
  };
}

/** Clouds and shadows along a line of pixels. */
export function airAlong(weather: Weather, line: Line, pixels: number): Air {
  const cloud = new Float32Array(pixels);
  const shadow = new Float32Array(pixels);
  if (weather.cloudFraction <= 0) return { cloud, shadow };
  const [dx, dy] = weather.shadowShift;
  addOpacity(weather, line, cloud);
  // A place is in the shade when a cloud stands where the place is seen from against the shadow's shift.
  addOpacity(weather, { ...line, startX: line.startX - dx, y: line.y - dy }, shadow);
  return { cloud, shadow };
}

function addOpacity(weather: Weather, line: Line, into: Float32Array): void {
  for (const [salt, scaleM, weight] of cloudNoises) {
    addNoiseAlong({ seed: hashOf(weather.seed, salt), scaleM }, line, weight, into);
  }
  const level = levelOf(weather.cloudFraction);
  for (let k = 0; k < into.length; k += 1) {
    into[k] = min(1, max(0, ((into[k] ?? 0) - level) / softness + 0.5));
  }
}

function levelOf(fraction: number): number {
  const position = min(1, fraction) * (levels.length - 1);
  const below = min(levels.length - 2, floor(position));
  const [from, to] = [levels[below] ?? 0, levels[below + 1] ?? 0];
  return from + (to - from) * (position - below);
}
