import { unitAt } from './random.js';
import { pixelM } from './sensor.js';
import { spectra } from './spectra.js';
import { airAlong } from './weather.js';
import type { Air, Weather } from './weather.js';

const { floor, max, min, round } = Math;

/** A window of 10 m pixels; the origin is its upper left corner, on a multiple of 10 m. */
export interface PixelGrid {
  readonly originX: number;
  readonly originY: number;
  readonly width: number;
  readonly height: number;
}

/** What lies between the ground and the numbers of a product. */
export interface Sight {
  readonly weather: Weather;
  /** Cloud and shade over every row of pixels. */
  readonly air: readonly Air[];
  /** Additive noise of the sensor, standard deviation in reflectance. */
  readonly noise: { readonly seed: number; readonly sigma: number };
}

/** How much of the haze each band sees. */
const hazeByBand = [1, 0.7, 0.4, 0.1];
const gainNoise = 0.006;
const shadeDepth = 0.6;

/** Clouds and shade over the rows of a grid of squares. */
export function airOver(weather: Weather, { originX, originY, width, height }: PixelGrid, stepM: number): Air[] {
  return Array.from({ length: height }, (_, row) =>
    airAlong(weather, { startX: originX + stepM / 2, stepM, y: originY - (row + 0.5) * stepM }, width),
  );
}

/** One band of the ground, reflectance 0–1, as the product's numbers: haze, shade, cloud, noise; × 10000, at least 1. */
export function seenThrough(ground: Float32Array, band: number, window: PixelGrid, sight: Sight): Uint16Array {
  const { width, height } = window;
  const lit = litGround(ground, band, sight, window);
  const numbers = new Uint16Array(width * height);
  const [column0, row0] = [round(window.originX / pixelM), round(window.originY / pixelM)];
  const seed = sight.noise.seed + 16 * band;
  for (let k = 0; k < numbers.length; k += 1) {
    const row = floor(k / width);
    const [x, y] = [column0 + k - row * width, row0 - row];
    const value = (lit[k] ?? 0) * (1 + gainNoise * bellAt(seed, x, y)) + sight.noise.sigma * bellAt(seed + 1, x, y);
    numbers[k] = min(65_535, max(1, round(10_000 * value)));
  }
  return numbers;
}

function litGround(ground: Float32Array, band: number, { weather, air }: Sight, { width }: PixelGrid): Float32Array {
  const haze = weather.haze * (hazeByBand[band] ?? 0);
  const cloudLight = spectra.cloud[band] ?? 0.5;
  return ground.map((value, k) => {
    const row = floor(k / width);
    const opacity = air[row]?.cloud[k - row * width] ?? 0;
    const shade = 1 - shadeDepth * (air[row]?.shadow[k - row * width] ?? 0);
    return (value * (1 - haze) * shade + haze) * (1 - opacity) + cloudLight * opacity;
  });
}

/** Nearly normal noise of standard deviation 1: three uniform numbers added up. */
function bellAt(seed: number, x: number, y: number): number {
  return 2 * (unitAt(seed, x, y) + unitAt(seed ^ 0x5bd1e995, x, y) + unitAt(seed ^ 0x1b873593, x, y) - 1.5);
}
