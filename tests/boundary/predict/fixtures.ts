import { expect } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  loadBoundaryModel,
  modelFileNames,
  type BoundaryModel,
} from '../../../shared/boundary/predict/boundaryModel.js';
import type { Plane } from '../../../shared/boundary/window/gaussian.js';

const assets = new URL('../../../shared/boundary/assets/', import.meta.url);
const fixtures = new URL('../../fixtures/boundary/', import.meta.url);

/** The model that ships. */
export function shippedModel(): BoundaryModel {
  return loadBoundaryModel({
    manifest: readFileSync(new URL(modelFileNames.manifest, assets), 'utf8'),
    network: readFileSync(new URL(modelFileNames.network, assets)),
    mask: readFileSync(new URL(modelFileNames.mask, assets)),
    ranker: readFileSync(new URL(modelFileNames.ranker, assets)),
    smallRanker: readFileSync(new URL(modelFileNames.smallRanker, assets)),
  });
}

export function fixtureBytes(name: string): Uint8Array {
  return readFileSync(new URL(name, fixtures));
}

export function fixtureJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, fixtures), 'utf8'));
}

/** Little-endian float32 numbers of a fixture, from a byte offset on. */
export function fixtureFloats(name: string, byteOffset = 0, length?: number): Float32Array {
  const bytes = fixtureBytes(name);
  const count = length ?? (bytes.length - byteOffset) / 4;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: count }, (_, k) => view.getFloat32(byteOffset + 4 * k, true));
}

/** Consecutive planes of one size. */
export function planesOf(numbers: Float32Array, width: number, height: number): Plane[] {
  const size = width * height;
  return Array.from({ length: numbers.length / size }, (_, k) => ({
    width,
    height,
    data: numbers.slice(k * size, (k + 1) * size),
  }));
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let largest = 0;
  for (let k = 0; k < a.length; k += 1) largest = Math.max(largest, Math.abs(a[k]! - b[k]!));
  return largest;
}
