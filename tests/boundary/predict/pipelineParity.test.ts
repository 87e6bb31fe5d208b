import { describe, expect, test } from '@jest/globals';
import { candidateFeatures, featureNames } from '../../../shared/boundary/candidates/candidateFeatures.js';
import { candidatesAt, segmented } from '../../../shared/boundary/candidates/candidates.js';
import { clearMask } from '../../../shared/boundary/window/chooseDates.js';
import { fineContours } from '../../../shared/boundary/predict/fineContours.js';
import { meanGradient } from '../../../shared/boundary/window/gradient.js';
import { normalised } from '../../../shared/boundary/window/normalise.js';
import { outlineAround } from '../../../shared/boundary/predict/fieldOutline.js';
import { ringArea, ringHolds } from '../../../shared/geo/shapes/rings.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { fixtureBytes, fixtureFloats, fixtureJson, largestDifference, planesOf } from './fixtures.js';

interface PipelineCase {
  readonly seed: { readonly row: number; readonly column: number };
  readonly arrays: Readonly<Record<string, { readonly byteOffset: number; readonly shape: readonly number[] }>>;
  readonly candidates: readonly {
    readonly pixels: number;
    readonly runs: readonly number[];
    readonly features: readonly number[];
  }[];
  readonly chosen: number;
  readonly polygonUtm: readonly (readonly [number, number])[];
}

/** A part of the window on the grid of 2.5 m, its inside as run lengths. */
interface FineOutline {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
  readonly runs: readonly number[];
}

const side = 128;
const reference = fixtureJson('pipeline.json') as PipelineCase;
const floats = (name: string): Float32Array => {
  const { byteOffset, shape } = reference.arrays[name]!;
  return fixtureFloats(
    'pipeline.bin',
    byteOffset,
    shape.reduce((product, length) => product * length, 1),
  );
};

const grid = {
  epsg: 32632,
  originX: 500_000,
  originY: 5_400_000,
  pixelWidth: 10,
  pixelHeight: 10,
  width: side,
  height: side,
};
const bytes = fixtureBytes('pipeline.bin');
const numbers = Uint16Array.from({ length: 4 * side * side }, (_, k) => bytes[2 * k]! + 256 * bytes[2 * k + 1]!);
const band = (k: number): Uint16Array => numbers.subarray(k * side * side, (k + 1) * side * side);
const scene = {
  date: '2021-06-03',
  sceneIds: ['synthetic'],
  bands: { B02: band(0), B03: band(1), B04: band(2), B08: band(3) },
};
const date = normalised({ scene, clear: clearMask(scene, grid), clearFraction: 1 });
const channels = planesOf(floats('channels'), side, side);
const edges = planesOf(floats('edges'), side, side)[0]!;
const candidates = candidatesAt(segmented(channels, edges), reference.seed);
const features = candidateFeatures(candidates, { channels, edges, hasNir: true, point: reference.seed });

function pixelsOf(runs: readonly number[], count = side * side): Uint8Array {
  const pixels = new Uint8Array(count);
  let at = 0;
  runs.forEach((length, k) => {
    if (k % 2 === 1) pixels.fill(1, at, at + length);
    at += length;
  });
  return pixels;
}

/** The pixels of each candidate that are inside, as indexes of the window. */
const insides = candidates.map(({ mask: { top, left, bitmap } }) =>
  Array.from(bitmap.data, (value, k) =>
    value === 1 ? (top + Math.floor(k / bitmap.width)) * side + left + (k % bitmap.width) : -1,
  ).filter((k) => k >= 0),
);

/** The candidate that is most like one of the reference's, and how much. */
function nearest({ runs, pixels: size }: { readonly runs: readonly number[]; readonly pixels: number }): {
  readonly index: number;
  readonly iou: number;
} {
  const pixels = pixelsOf(runs);
  const ious = insides.map((inside) => {
    const shared = inside.filter((k) => pixels[k] === 1).length;
    return shared / (size + inside.length - shared);
  });
  const iou = Math.max(...ious);
  return { index: ious.indexOf(iou), iou };
}

describe('one synthetic scene, step by step against the Python reference', () => {
  test('channels agree to 1e-4', () => {
    channels.forEach(({ data }, k) => {
      expect(largestDifference(date.channels[k]!.data, data)).toBeLessThan(1e-4);
    });
  });

  test('the gradient agrees to 1e-4', () => {
    expect(largestDifference(meanGradient([date], date.clear).data, floats('gradient'))).toBeLessThan(1e-4);
  });

  test('from the same edges, the candidates are the same masks', () => {
    expect(candidates).toHaveLength(reference.candidates.length);
    for (const candidate of reference.candidates) expect(nearest(candidate).iou).toBeGreaterThan(0.95);
  });

  test('the chosen mask is among them', () => {
    expect(nearest(reference.candidates[reference.chosen]!).iou).toBe(1);
  });

  test('features agree to 1 %, the number of vertices to 15 %', () => {
    const differences: unknown[] = [];
    for (const expected of reference.candidates) {
      const { index, iou } = nearest(expected);
      if (iou < 1) continue;
      featureNames.forEach((name, k) => {
        const [found, wanted] = [features[index]![k]!, expected.features[k]!];
        const tolerance = Math.max(
          (name === 'vertices' ? 0.15 : 0.01) * Math.abs(wanted),
          name === 'vertices' ? 2 : 5e-4,
        );
        if (Math.abs(found - wanted) > tolerance) differences.push({ name, found, wanted });
      });
    }
    expect(differences).toEqual([]);
  });

  test('the polygon has the reference polygon’s area to 1 %', () => {
    const { index } = nearest(reference.candidates[reference.chosen]!);
    const projection = utmProjection(grid.epsg);
    const point = projection.toPosition([500_000 + (10 * side) / 2 + 5, 5_400_000 - (10 * side) / 2 - 5]);
    const outline = outlineAround({ mask: candidates[index]!.mask, grid, pixel: reference.seed }, point);
    const ring = outline!.polygon.coordinates[0]!.map((position) => projection.toMap(position));
    expect(ringArea(ring) / ringArea(reference.polygonUtm)).toBeCloseTo(1, 2);
  });

  test('the outline at a quarter of a pixel holds the same fine pixels but for one in 200', () => {
    const fine = fixtureJson('fine-outline.json') as FineOutline;
    const gradient = floats('gradient');
    const probability = {
      ...edges,
      data: edges.data.map((value, k) => (value - 0.15 * Math.min(2, gradient[k]!)) / 1.6),
    };
    const { index } = nearest(reference.candidates[reference.chosen]!);
    const [ring, ...others] = fineContours(candidates[index]!.mask, probability);
    expect(others).toEqual([]);
    const expected = pixelsOf(fine.runs, fine.width * fine.height);
    const different = expected.filter((value, k) => {
      const column = fine.left + ((k % fine.width) + 0.5) / 4;
      const row = fine.top + (Math.floor(k / fine.width) + 0.5) / 4;
      return ringHolds(ring!, [column, row]) !== (value === 1);
    });
    expect(different.length / expected.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.005);
  });
});
