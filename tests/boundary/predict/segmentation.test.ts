import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mergeOrders, mergeTree, regionSums } from '../../../shared/boundary/regions/mergeTree.js';
import { regionBorders } from '../../../shared/boundary/regions/regionBorders.js';
import { superpixels } from '../../../shared/boundary/regions/superpixels.js';
import type { Plane } from '../../../shared/boundary/window/gaussian.js';

/** Two basins of 0 with a ridge of 1 between them, seven columns wide. */
const ridge: Plane = {
  width: 7,
  height: 5,
  data: Float32Array.from({ length: 35 }, (_, k) => (k % 7 === 3 ? 1 : 0)),
};

const planes: fc.Arbitrary<Plane> = fc
  .tuple(fc.integer({ min: 2, max: 14 }), fc.integer({ min: 2, max: 14 }))
  .chain(([width, height]) =>
    fc
      .array(fc.double({ min: 0, max: 2, noNaN: true }), { minLength: width * height, maxLength: width * height })
      .map((values) => ({ width, height, data: Float32Array.from(values) })),
  );

describe('superpixels', () => {
  test('a ridge between two basins parts them', () => {
    const { count, labels } = superpixels(ridge);
    expect(count).toBe(2);
    expect(labels[0]).not.toBe(labels[6]);
    expect(labels[0]).toBe(labels[28]);
  });

  test('a basin shallower than 0.03 is none', () => {
    const shallow = { ...ridge, data: ridge.data.map((value) => 0.02 * value) };
    expect(superpixels(shallow).count).toBe(1);
  });

  test('give every pixel one of their numbers, and every number a pixel', () => {
    fc.assert(
      fc.property(planes, (plane) => {
        const { count, labels } = superpixels(plane);
        expect(new Set(labels)).toEqual(new Set(Array.from({ length: count }, (_, k) => k)));
      }),
    );
  });
});

describe('borders of superpixels', () => {
  test('have the length of the pixel sides and the strength of the stronger side', () => {
    // Left half 0, right half 1; the edge is 0.25 on the left of it and 0.75 on the right.
    const labels = Int32Array.from({ length: 12 }, (_, k) => (k % 4 < 2 ? 0 : 1));
    const edges = { width: 4, height: 3, data: Float32Array.from(labels, (label) => 0.25 + 0.5 * label) };
    const { count, length, strength } = regionBorders({ width: 4, height: 3, count: 2, labels }, edges);
    expect({ count, length: length[0], strength: strength[0] }).toEqual({ count: 1, length: 3, strength: 2.25 });
  });

  test('are as long together as the sides between different labels', () => {
    fc.assert(
      fc.property(planes, (plane) => {
        const regions = superpixels(plane);
        const { labels, width } = regions;
        let sides = 0;
        labels.forEach((label, k) => {
          if ((k + 1) % width !== 0 && label !== labels[k + 1]) sides += 1;
          if (k + width < labels.length && label !== labels[k + width]) sides += 1;
        });
        expect(regionBorders(regions, plane).length.reduce((sum, length) => sum + length, 0)).toBe(sides);
      }),
    );
  });
});

describe('a merge tree', () => {
  test.each(mergeOrders)('ends in one root that holds every pixel: %o', (order) => {
    fc.assert(
      fc.property(planes, (plane) => {
        const regions = superpixels(plane);
        const tree = mergeTree(regionSums(regions, [plane]), regionBorders(regions, plane), order);
        expect(tree.parent).toHaveLength(2 * regions.count - 1);
        expect(tree.size.at(-1)).toBe(plane.data.length);
        tree.parent.forEach((parent, node) => {
          if (node === tree.parent.length - 1) expect(parent).toBe(-1);
          else expect(parent).toBeGreaterThan(node);
        });
      }),
      { numRuns: 30 },
    );
  });

  test('merges like with like first', () => {
    // Three columns of regions: 0 and 0.1 alike, 1 apart, the edges between them equal.
    const labels = Int32Array.from({ length: 9 }, (_, k) => k % 3);
    const regions = { width: 3, height: 3, count: 3, labels };
    const colour: Plane = { width: 3, height: 3, data: Float32Array.from(labels, (label) => [0, 0.1, 1][label]!) };
    const edges: Plane = { width: 3, height: 3, data: new Float32Array(9).fill(0.5) };
    const tree = mergeTree(regionSums(regions, [colour]), regionBorders(regions, edges), mergeOrders[0]!);
    expect([...tree.parent.keys()].filter((node) => tree.parent[node] === 3)).toEqual([0, 1]);
  });
});
