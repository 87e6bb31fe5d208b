import { fieldFaults } from '../../kit/errors/catalogue.js';
import type { Position, Ring } from '../shapes/geoJson.js';
import { boxAround } from '../shapes/box.js';
import { placeText } from './boundaryCrossing.js';
import type { FieldParts } from './boundaryEdges.js';
import { FieldFailure } from './fieldFailure.js';
import type { WorkBudget } from './workBudget.js';

interface BoxedRing {
  readonly ring: Ring;
  readonly box: ReturnType<typeof boxAround>;
}

/**
 * Checks boundaries that do not cross: each hole must lie in its outer ring and in no other hole, and no part in another,
 * or areas would be counted twice or not at all.
 *
 * @throws FieldFailure that names the place
 */
export function requireNesting(parts: FieldParts, budget: WorkBudget): void {
  const boxed = parts.map((rings) => rings.map((ring): BoxedRing => ({ ring, box: boxAround(ring) })));
  for (const [outer, ...holes] of boxed) {
    if (outer === undefined) continue;
    for (const [index, hole] of holes.entries()) {
      const others = holes.filter((_, other) => other !== index);
      budget.spend(holes.length);
      if (!liesIn(hole, outer, budget) || others.some((other) => liesIn(hole, other, budget))) {
        const text = `The hole at ${placeText(hole.ring[0] ?? [0, 0])} is not inside its ring, or is inside another hole.`;
        throw new FieldFailure(fieldFaults.holeOutside, text);
      }
    }
  }
  requireSeparateParts(boxed, budget);
}

function requireSeparateParts(boxed: readonly (readonly BoxedRing[])[], budget: WorkBudget): void {
  for (const [index, [outer]] of boxed.entries()) {
    budget.spend(boxed.length);
    const inside = boxed.some(
      (part, other) => other !== index && outer !== undefined && liesInPart(outer, part, budget),
    );
    if (!inside) continue;
    const text = `The part at ${placeText(outer?.ring[0] ?? [0, 0])} lies inside another part; join them.`;
    throw new FieldFailure(fieldFaults.overlappingParts, text);
  }
}

/** Inside the part's outer ring, and not in one of its holes. */
function liesInPart(ring: BoxedRing, [outer, ...holes]: readonly BoxedRing[], budget: WorkBudget): boolean {
  return outer !== undefined && liesIn(ring, outer, budget) && !holes.some((hole) => liesIn(ring, hole, budget));
}

/** Whether a ring that doesn't cross the other lies inside it; false for the same ring twice. */
function liesIn(inner: BoxedRing, outer: BoxedRing, budget: WorkBudget): boolean {
  const [west, south, east, north] = inner.box;
  const [outerWest, outerSouth, outerEast, outerNorth] = outer.box;
  if (west < outerWest || south < outerSouth || east > outerEast || north > outerNorth) return false;
  for (const corner of inner.ring) {
    budget.spend(outer.ring.length);
    const place = placeOf(corner, outer.ring);
    if (place !== 'edge') return place === 'inside';
  }
  return false;
}

/** Even–odd rule, with points on the ring itself told apart. */
function placeOf([x, y]: Position, ring: Ring): 'inside' | 'outside' | 'edge' {
  let isInside = false;
  let from = ring.at(-1);
  for (const to of ring) {
    if (from !== undefined) {
      const side = (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
      if (side === 0 && isWithin(x, from[0], to[0]) && isWithin(y, from[1], to[1])) return 'edge';
      if (from[1] > y !== to[1] > y && side > 0 === to[1] > from[1]) isInside = !isInside;
    }
    from = to;
  }
  return isInside ? 'inside' : 'outside';
}

const isWithin = (value: number, a: number, b: number): boolean => value >= Math.min(a, b) && value <= Math.max(a, b);
