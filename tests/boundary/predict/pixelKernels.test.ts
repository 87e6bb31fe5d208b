import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { edgeDistance } from '../../../shared/boundary/candidates/edgeDistance.js';
import {
  blurred,
  filterRows,
  gaussianDerivativeKernel,
  gaussianKernel,
} from '../../../shared/boundary/window/gaussian.js';
import { MinHeap } from '../../../shared/boundary/regions/minHeap.js';
import {
  connectedPart,
  countOf,
  dilatedBySquare,
  erodedByCross,
  erodedBySquare,
  withoutHoles,
} from '../../../shared/boundary/window/morphology.js';
import type { Bitmap } from '../../../shared/boundary/window/morphology.js';
import { percentilesInPlace } from '../../../shared/boundary/window/percentile.js';

/** A bitmap drawn with # and . */
function drawn(...rows: readonly string[]): Bitmap {
  const data = Uint8Array.from(rows.join(''), (letter) => (letter === '#' ? 1 : 0));
  return { width: rows[0]!.length, height: rows.length, data };
}

const shown = ({ width, data }: Bitmap): string[] =>
  Array.from({ length: data.length / width }, (_, row) =>
    Array.from(data.subarray(row * width, (row + 1) * width), (value) => (value === 1 ? '#' : '.')).join(''),
  );

describe('percentiles', () => {
  test.each([
    { why: 'between two values', values: [4, 1, 3, 2], percent: 50, expected: 2.5 },
    { why: 'the smallest', values: [4, 1, 3, 2], percent: 0, expected: 1 },
    { why: 'the largest', values: [4, 1, 3, 2], percent: 100, expected: 4 },
    { why: 'of one value', values: [7], percent: 98, expected: 7 },
    { why: 'a quarter of the way', values: [0, 10], percent: 25, expected: 2.5 },
  ])('$why', ({ values, percent, expected }) => {
    expect(percentilesInPlace(Float64Array.from(values), [percent])).toEqual([expected]);
  });

  test('equal those of the sorted values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 0, max: 100 }),
        (values, percent) => {
          const sorted = [...values].sort((a, b) => a - b);
          const position = ((values.length - 1) * percent) / 100;
          const [low, high] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
          const [found] = percentilesInPlace(Float64Array.from(values), [percent]);
          expect(found).toBeCloseTo(low + (position - Math.floor(position)) * (high - low), 9);
        },
      ),
    );
  });
});

describe('Gaussian filters', () => {
  test('keep a constant, up to the edges', () => {
    const plane = { width: 9, height: 4, data: new Float32Array(36).fill(2.5) };
    for (const value of blurred(plane, 0.7).data) expect(value).toBeCloseTo(2.5, 6);
  });

  test('the kernel reaches 4 sigma, and its weights add up to 1', () => {
    expect(gaussianKernel(0.8)).toHaveLength(7);
    expect(gaussianKernel(0.7).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });

  test('the derivative of a slope of 3 per pixel is 3', () => {
    const plane = { width: 15, height: 1, data: Float32Array.from({ length: 15 }, (_, k) => 3 * k) };
    // The kernel cut at 4 sigma loses a thousandth.
    expect(filterRows(plane, gaussianDerivativeKernel(0.8)).data[7]).toBeCloseTo(3, 2);
  });
});

describe('a heap', () => {
  test('gives the entries by price, equals by order', () => {
    const entry = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(1000));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        const heap = new MinHeap(1);
        entries.forEach(([price, order], k) => {
          heap.push(price, order, k);
        });
        const found: (readonly [number, number])[] = [];
        while (heap.length > 0) {
          expect(entries[heap.payload]).toEqual([heap.price, heap.order]);
          found.push([heap.price, heap.order]);
          heap.pop();
        }
        expect(found).toEqual([...entries].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
      }),
    );
  });
});

describe('morphology', () => {
  test('erosion by a square keeps what has eight neighbours; beyond the bitmap counts as inside', () => {
    expect(shown(erodedBySquare(drawn('###', '###', '###')))).toEqual(['###', '###', '###']);
    expect(shown(erodedBySquare(drawn('.....', '.###.', '.###.', '.###.', '.....')))).toEqual([
      ...['.....', '.....', '..#..', '.....', '.....'],
    ]);
  });

  test('erosion by a cross minds four neighbours only', () => {
    expect(shown(erodedByCross(drawn('.##', '###', '###'), 1))).toEqual(['..#', '.##', '###']);
  });

  test('dilation by a square fills the eight neighbours', () => {
    expect(shown(dilatedBySquare(drawn('....', '.#..', '....')))).toEqual(['###.', '###.', '###.']);
  });

  test('a connected part does not go over corners', () => {
    expect(shown(connectedPart(drawn('#..', '.##', '..#'), 4))).toEqual(['...', '.##', '..#']);
  });

  test('holes are filled, bays are not', () => {
    expect(shown(withoutHoles(drawn('####', '#.##', '##.#', '###.')))).toEqual(['####', '####', '####', '###.']);
    expect(shown(withoutHoles(drawn('###', '#..', '###')))).toEqual(['###', '#..', '###']);
  });

  test('counts its pixels', () => {
    expect(countOf(drawn('#.#', '.#.'))).toBe(3);
  });
});

describe('the distance from the edge', () => {
  test('is one side step at the rim and grows inwards; beyond the bitmap is outside', () => {
    const distance = edgeDistance(drawn('###', '###', '###'));
    expect(distance[0]).toBeCloseTo(0.955, 9);
    expect(distance[4]).toBeCloseTo(1.91, 9);
  });

  test('is 0 outside', () => {
    expect(edgeDistance(drawn('.#'))[0]).toBe(0);
  });
});
