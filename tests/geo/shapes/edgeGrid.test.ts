import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { boxAround } from '../../../shared/geo/shapes/box.js';
import { EdgeGrid, type Edge } from '../../../shared/geo/shapes/edgeGrid.js';
import { segmentsMeet } from '../../../shared/geo/shapes/rings.js';
import { tries } from '../../support/fullRun.js';

/** Degrees to nine decimals, a tenth of a millimetre. Whole numbers touch each other often. */
const degrees = fc.integer({ min: -5e9, max: 5e9 }).map((steps) => steps / 1e9);
const coordinate = fc.oneof(fc.integer({ min: -5, max: 5 }), degrees);
const position = fc.tuple(coordinate, coordinate);
const edge = fc.tuple(position, position);

describe('a grid of edges', () => {
  test('is met by just the edges that meet one of it', () => {
    fc.assert(
      fc.property(fc.array(edge, { minLength: 1, maxLength: 20 }), edge, (edges: readonly Edge[], other: Edge) => {
        const grid = new EdgeGrid(edges, boxAround(edges.flat()));
        expect(grid.meets(other)).toBe(edges.some((each) => segmentsMeet(each, other)));
      }),
      { numRuns: tries(1_000) },
    );
  });
});
