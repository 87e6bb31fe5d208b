import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { requireNoCrossing } from '../../../shared/geo/soundness/boundaryCrossing.js';
import type { FieldParts } from '../../../shared/geo/soundness/boundaryEdges.js';
import { FieldFailure } from '../../../shared/geo/soundness/fieldFailure.js';
import { WorkBudget } from '../../../shared/geo/soundness/workBudget.js';
import type { Position, Ring } from '../../../shared/geo/shapes/geoJson.js';

const closed = (...corners: Position[]): Ring => [...corners, corners[0]!];

function failureOf(parts: FieldParts): FieldFailure | undefined {
  try {
    requireNoCrossing(parts, new WorkBudget());
    return undefined;
  } catch (error) {
    if (error instanceof FieldFailure) return error;
    throw error;
  }
}
const codeOf = (...rings: Ring[]): string | undefined => failureOf([rings])?.fault.code;

describe('a boundary is sound', () => {
  test.each<[string, Ring[]]>([
    ['as a triangle', [closed([0, 0], [4, 0], [0, 4])]],
    ['clockwise', [closed([0, 0], [0, 4], [4, 4], [4, 0])]],
    ['with a corner on a straight edge', [closed([0, 0], [2, 0], [4, 0], [4, 4], [0, 4])]],
    ['with a hole', [closed([0, 0], [9, 0], [9, 9], [0, 9]), closed([2, 2], [4, 2], [4, 4], [2, 4])]],
    [
      'with a hole that touches the outer ring in a corner',
      [closed([0, 0], [9, 0], [9, 9], [0, 9]), closed([0, 0], [3, 1], [1, 3])],
    ],
    [
      'with a hole that touches an edge with a corner',
      [closed([0, 0], [9, 0], [9, 9], [0, 9]), closed([0, 4], [3, 3], [3, 5])],
    ],
    ['when two loops meet in a corner without going through', [closed([0, 0], [2, 2], [4, 0], [4, 4], [2, 2], [0, 4])]],
    ['when a corner touches an edge from inside', [closed([0, 0], [8, 0], [8, 4], [4, 0], [0, 4])]],
  ])('%s', (_what, rings) => {
    expect(codeOf(...rings)).toBeUndefined();
  });
});

describe('a boundary crosses itself', () => {
  test.each<[string, Ring[], string]>([
    ['as a bow tie', [closed([0, 0], [4, 4], [4, 0], [0, 4])], 'longitude 2.000000, latitude 2.000000'],
    [
      'as a bow tie with its knot in a corner',
      [closed([0, 0], [2, 2], [4, 4], [4, 0], [2, 2], [0, 4])],
      'longitude 2.000000, latitude 2.000000',
    ],
    ['in a spike', [closed([0, 0], [4, 0], [6, 0], [4, 0], [4, 4], [0, 4])], 'longitude 6.000000, latitude 0.000000'],
    ['running along itself', [closed([0, 0], [6, 0], [6, 2], [4, 2], [4, 0], [2, 0], [0, 0.5])], 'latitude 0.000000'],
    ['through an edge with a corner', [closed([0, 0], [4, 0], [4, 4], [2, 0], [1, -3], [0, 4])], 'latitude 0.000000'],
    [
      'with a hole across its edge',
      [closed([0, 0], [9, 0], [9, 9], [0, 9]), closed([8, 2], [12, 2], [12, 4], [8, 4])],
      'longitude 9.000000',
    ],
    [
      'with a hole along its edge',
      [closed([0, 0], [9, 0], [9, 9], [0, 9]), closed([0, 2], [3, 2], [3, 4], [0, 4])],
      'longitude 0.000000',
    ],
  ])('%s, and the place is named', (_what, rings, place) => {
    const failure = failureOf([rings]);
    expect(failure?.fault.code).toBe('self_crossing');
    expect(failure?.message).toContain(place);
  });
});

describe('parts of a field', () => {
  const square = closed([0, 0], [4, 0], [4, 4], [0, 4]);
  test('may share an edge, a corner or nothing', () => {
    for (const other of [
      closed([4, 0], [8, 0], [8, 4], [4, 4]),
      closed([4, 4], [8, 4], [8, 8], [4, 8]),
      closed([9, 9], [12, 9], [12, 12]),
    ]) {
      expect(failureOf([[square], [other]])).toBeUndefined();
    }
  });

  test('must not cross', () => {
    const failure = failureOf([[square], [closed([2, 2], [8, 2], [8, 8], [2, 8])]]);
    expect(failure?.fault.code).toBe('overlapping_parts');
  });
});

/** Whether two integer edges share more than a point. */
function runAlong([a, b]: [Position, Position], [c, d]: [Position, Position]): boolean {
  const side = (p: Position): number => (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
  if (side(c) !== 0 || side(d) !== 0) return false;
  const along = ([x, y]: Position): number => x * (b[0] - a[0]) + y * (b[1] - a[1]);
  const [low, high] = [along(a), along(b)].sort((x, y) => x - y) as [number, number];
  const [otherLow, otherHigh] = [along(c), along(d)].sort((x, y) => x - y) as [number, number];
  return Math.min(high, otherHigh) > Math.max(low, otherLow);
}

function windingAt(ring: Ring, [x, y]: Position): number {
  let winding = 0;
  for (let index = 0; index + 1 < ring.length; index += 1) {
    const [[x0, y0], [x1, y1]] = [ring[index]!, ring[index + 1]!];
    const side = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0);
    if (y0 <= y && y1 > y && side > 0) winding += 1;
    if (y0 > y && y1 <= y && side < 0) winding -= 1;
  }
  return winding;
}

/** Points where edges meet: every corner and every intersection. */
function meetings(ring: Ring): Position[] {
  const points: Position[] = [...ring];
  for (let i = 0; i + 1 < ring.length; i += 1) {
    for (let j = i + 1; j + 1 < ring.length; j += 1) {
      const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [ring[i]!, ring[i + 1]!, ring[j]!, ring[j + 1]!];
      const determinant = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
      if (determinant === 0) continue;
      const t = ((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx)) / determinant;
      const u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / determinant;
      if (t >= 0 && t <= 1 && u >= 0 && u <= 1) points.push([ax + t * (bx - ax), ay + t * (by - ay)]);
    }
  }
  return points;
}

/** Whether at most two ways of the ring lead through each meeting of edges. */
function meetsInPairs(ring: Ring): boolean {
  const isNear = ([x, y]: Position, [otherX, otherY]: Position): boolean => Math.hypot(x - otherX, y - otherY) < 1e-9;
  const isOn = (point: Position, [a, b]: [Position, Position]): boolean =>
    Math.abs(
      Math.hypot(point[0] - a[0], point[1] - a[1]) +
        Math.hypot(point[0] - b[0], point[1] - b[1]) -
        Math.hypot(b[0] - a[0], b[1] - a[1]),
    ) < 1e-9;
  return meetings(ring).every((point) => {
    const corners = ring.slice(1).filter((corner) => isNear(corner, point)).length;
    const edges = ring.slice(1).filter((to, index) => {
      const from = ring[index]!;
      return !isNear(from, point) && !isNear(to, point) && isOn(point, [from, to]);
    }).length;
    return corners + edges <= 2;
  });
}

/**
 * A closed line can be pulled apart into one without a crossing only if it winds around every point 0 times or once,
 * the same way: at a crossing of two ways the four sides differ by 2. Looked at closely around every meeting of edges.
 */
function windsSimply(ring: Ring): boolean {
  const windings = new Set<number>();
  for (const [x, y] of meetings(ring)) {
    for (let step = 0; step < 720; step += 1) {
      const angle = ((step + 0.37) / 720) * 2 * Math.PI;
      windings.add(windingAt(ring, [x + 1e-4 * Math.cos(angle), y + 1e-4 * Math.sin(angle)]));
    }
  }
  return Math.max(...windings) - Math.min(...windings) <= 1;
}

test('a ring on a small grid crosses itself exactly when it runs along itself or winds otherwise than once', () => {
  const coordinate = fc.integer({ min: 0, max: 4 });
  const corner = fc.tuple(coordinate, coordinate) as fc.Arbitrary<Position>;
  const seen = { crossing: 0, sound: 0 };
  fc.assert(
    fc.property(fc.array(corner, { minLength: 3, maxLength: 7 }), (corners) => {
      const ring = closed(
        ...corners.filter(([x, y], index) => {
          const [beforeX, beforeY] = corners.at(index - 1)!;
          return x !== beforeX || y !== beforeY;
        }),
      );
      fc.pre(ring.length >= 4 && meetsInPairs(ring));
      const edges = ring.slice(1).map((to, index): [Position, Position] => [ring[index]!, to]);
      const isAlong = edges.some((edge, index) => edges.slice(index + 1).some((other) => runAlong(edge, other)));
      const expected = isAlong || !windsSimply(ring) ? 'self_crossing' : undefined;
      seen[expected === undefined ? 'sound' : 'crossing'] += 1;
      expect(codeOf(ring)).toBe(expected);
    }),
    { numRuns: 400 },
  );
  expect(Math.min(seen.crossing, seen.sound)).toBeGreaterThan(20);
});

describe('the time a boundary may take', () => {
  const zigzag = (teeth: number, vertical: boolean): Ring => {
    const corners: Position[] = [];
    for (let tooth = 0; tooth < teeth; tooth += 1) {
      corners.push([tooth % 2 === 0 ? 0 : 1, tooth / teeth], [tooth % 2 === 0 ? 1 : 0, (tooth + 0.5) / teeth]);
    }
    corners.push([-1, 1], [-1, 0]);
    return closed(...corners.map(([x, y]): Position => (vertical ? [y, x] : [x, y])));
  };

  test.each([false, true])('is short for a comb of long teeth, lying (%s) or standing', (vertical) => {
    expect(codeOf(zigzag(10_000, vertical))).toBeUndefined();
  });

  test('ends with a failure for a boundary made to be slow', () => {
    // Slanting teeth are long along both axes: whichever way the sweep goes, all of them are open at a time.
    const corners: Position[] = [];
    for (let tooth = 0; tooth < 40_000; tooth += 1) {
      const shift = tooth / 100_000;
      corners.push(tooth % 2 === 0 ? [shift, -shift] : [10 + shift, 10 - shift]);
    }
    expect(codeOf(closed(...corners, [20, 5], [10, -20], [-5, -5]))).toBe('geometry_too_complex');
  });
});
