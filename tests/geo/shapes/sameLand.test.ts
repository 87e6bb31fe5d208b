import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { MultiPolygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import { outlineOf } from '../../../shared/geo/shapes/thinnedOutline.js';
import { isSameLand } from '../../../shared/geo/shapes/sameLand.js';
import { tries } from '../../support/fullRun.js';
import { anyLand, writingOf } from '../writings.js';

const square = (size = 0.01): MultiPolygon => ({
  type: 'MultiPolygon',
  coordinates: [[[[9, 55], [9 + size, 55], [9 + size, 55.01], [9, 55.01], [9, 55]]]], // prettier-ignore
});

describe('the same land', () => {
  test('is land as other tools write it: turned, begun elsewhere, shuffled, rounded, moved by 1e-10°', () => {
    fc.assert(
      fc.property(
        anyLand.chain((land) => fc.tuple(writingOf(land), writingOf(land))),
        ([one, other]) => {
          // Rounded to six decimals here and to seven there, a corner lies up to 5.5e-7° from itself.
          expect(isSameLand(one, other)).toBe(true);
        },
      ),
      { numRuns: tries(2_000) },
    );
  });

  test('is what lists of fields show of it', () => {
    fc.assert(
      fc.property(anyLand, (land) => isSameLand(land, outlineOf(land))),
      { numRuns: tries(500) },
    );
  });

  test('is not land of which one corner lies 1e-6° elsewhere', () => {
    fc.assert(
      fc.property(anyLand, fc.nat(), fc.constantFrom(-1e-6, 1e-6), (land, at, step) => {
        const corner = land.coordinates.flat(2)[at % land.coordinates.flat(2).length];
        const move = (position: Position): Position => {
          const isCorner = position[0] === corner?.[0] && position[1] === corner[1];
          return isCorner ? [position[0], position[1] + step] : position;
        };
        const coordinates = land.coordinates.map((part) => part.map((ring) => ring.map(move)));
        expect(isSameLand(land, { type: 'MultiPolygon', coordinates })).toBe(false);
      }),
      { numRuns: tries(1_000) },
    );
  });

  test.each([
    { why: 'another land', other: square(0.02) },
    { why: 'a part less', other: { type: 'MultiPolygon', coordinates: [] } as const },
    {
      why: 'the same part twice',
      other: { type: 'MultiPolygon', coordinates: [...square().coordinates, ...square().coordinates] } as const,
    },
    { why: 'one corner of it', other: { type: 'Point', coordinates: [9, 55] } as const },
  ])('is not $why', ({ other }) => {
    expect(isSameLand(square(), other)).toBe(false);
    expect(isSameLand(other, square())).toBe(false);
  });

  test('of points is the same place', () => {
    const at = (x: number) => ({ type: 'Point', coordinates: [x, 55] }) as const;
    expect(isSameLand(at(9), at(9.0000000001))).toBe(true);
    expect(isSameLand(at(9), at(9.000002))).toBe(false);
  });

  test('of many parts in another order is found up to some hundred of them, and not looked for without end', () => {
    const parts = (count: number): MultiPolygon['coordinates'] =>
      Array.from({ length: count }, (_, k) => [[[k / 500, 55], [k / 500, 55.001], [k / 500 + 0.001, 55], [k / 500, 55]]]); // prettier-ignore
    const isFound = (count: number): boolean =>
      isSameLand(
        { type: 'MultiPolygon', coordinates: parts(count) },
        { type: 'MultiPolygon', coordinates: parts(count).toReversed() },
      );
    expect([isFound(300), isFound(3_000)]).toEqual([true, false]);
  });
});
