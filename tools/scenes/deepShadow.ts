import { hashOf } from './random.js';

/** Side of the patches that lie in shadow: two pixels of the classification. */
const PATCH_M = 40;
const SEED = 23;

/**
 * Whether a place lies in deep shadow that the classification takes for ground, as on slopes away from a low sun.
 *
 * @param fraction share of the land that does, 0–1
 */
export function isInDeepShadow(x: number, y: number, fraction: number): boolean {
  return hashOf(SEED, Math.floor(x / PATCH_M), Math.floor(y / PATCH_M)) / 2 ** 32 < fraction;
}

/**
 * Digital number of deep shadow: its reflectance lies slightly below zero, which files with the offset can say and others
 * can't.
 */
export const shadowDn = (addedDn: number): number => Math.max(1, addedDn - 15);
