import type { StyleShares } from '../scenes/layout.js';

/** How a family of scenes is drawn; what is absent is drawn as in all training scenes. Pairs are least and most. */
export interface SceneFamily {
  readonly styles?: StyleShares;
  /** Width of the sensor's spot, metres. */
  readonly sigmaM?: readonly [number, number];
  /** Standard deviation of the sensor's noise, reflectance. */
  readonly noise?: readonly [number, number];
  /** Days of the year. */
  readonly days?: readonly [number, number];
  /** How much parts of a field differ from the rest, as a factor. */
  readonly contrast?: readonly [number, number];
  /** How uneven fields are within, as a factor. */
  readonly roughness?: number;
}

/**
 * Hard negatives: more strips, and half-worked parts, headlands, pockets and second varieties that differ from the rest of
 * their field as much as neighbours do.
 */
export const disturbedFamily: SceneFamily = {
  styles: [
    ['small', 0.18],
    ['middle', 0.24],
    ['strip', 0.28],
    ['large', 0.15],
    ['huge', 0.12],
    ['pivot', 0.03],
  ],
  contrast: [1, 3],
};

/**
 * Families that no training has seen: what a model gains on all of them does not rest on how its own scenes were drawn.
 * Each lies beyond the training scenes in one way: how land is divided, how large fields are and how uneven, the season,
 * the sensor.
 */
export const heldOutFamilies: Readonly<Record<string, SceneFamily>> = {
  smallholders: {
    styles: [
      ['small', 0.5],
      ['strip', 0.5],
    ],
  },
  plains: {
    styles: [
      ['huge', 0.6],
      ['large', 0.25],
      ['pivot', 0.15],
    ],
    roughness: 2.5,
  },
  // Training draws days 60 to 305.
  winter: { days: [310, 420], roughness: 1.4 },
  // Training draws spots of 4 to 9 m and noise up to 0.004.
  haze: { sigmaM: [9, 10.5], noise: [0.004, 0.006], roughness: 1.4 },
};
