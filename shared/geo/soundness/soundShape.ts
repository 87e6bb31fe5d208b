import { fieldFaults } from '../../kit/errors/catalogue.js';
import { boxAround, geoBoxAround, type Box } from '../shapes/box.js';
import type { Position, Ring } from '../shapes/geoJson.js';
import { requireNoCrossing } from './boundaryCrossing.js';
import type { FieldParts } from './boundaryEdges.js';
import { FieldFailure } from './fieldFailure.js';
import { requireNesting } from './ringNesting.js';
import type { WorkBudget } from './workBudget.js';

/** Most positions of a field. */
export const MOST_FIELD_POSITIONS = 100_000;

/**
 * Checks that rings are closed, within range, cross nothing and nest. Winding is of no matter.
 *
 * @returns the box around all parts, in degrees
 * @throws FieldFailure
 */
export function requireSoundRings(parts: FieldParts, budget: WorkBudget): Box {
  const positions = parts.flat(2);
  requireCount(positions.length);
  requireRings(parts);
  requireRange(positions);
  for (const ring of parts.flat()) requireOneSide(ring);
  requireNoCrossing(parts, budget);
  requireNesting(parts, budget);
  return geoBoxAround(positions);
}

/** @throws FieldFailure above the most positions of a geometry */
export function requireCount(count: number): void {
  if (count <= MOST_FIELD_POSITIONS) return;
  const text = `The field has ${count} positions; at most ${MOST_FIELD_POSITIONS} are allowed, so simplify it.`;
  throw new FieldFailure(fieldFaults.tooManyPositions, text);
}

function requireRings(parts: FieldParts): void {
  if (parts.length === 0 || parts.some(({ length }) => length === 0)) {
    throw new FieldFailure(fieldFaults.ringTooShort, 'The field has a part without a ring; remove it.');
  }
  for (const ring of parts.flat()) {
    if (!isClosed(ring)) {
      const text = 'A ring does not end where it begins; repeat its first position.';
      throw new FieldFailure(fieldFaults.ringNotClosed, text);
    }
    if (ring.length < 4) {
      const text = `A ring has ${ring.length} different positions; at least 4 are needed, the closing one counted in.`;
      throw new FieldFailure(fieldFaults.ringTooShort, text);
    }
  }
}

function isClosed(ring: Ring): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first === undefined || last === undefined || (first[0] === last[0] && first[1] === last[1]);
}

/** @throws FieldFailure for longitudes and latitudes that there are not */
export function requireRange(positions: readonly Position[]): void {
  const isOut = ([longitude, latitude]: Position): boolean => Math.abs(longitude) > 180 || Math.abs(latitude) > 90;
  if (!positions.some(isOut)) return;
  const looksSwapped = !positions.some(([longitude, latitude]) => isOut([latitude, longitude]));
  const hint = looksSwapped ? ' Longitude and latitude look swapped.' : '';
  throw new FieldFailure(
    fieldFaults.outOfRange,
    `A position is outside longitude ±180, latitude ±90; longitude comes first.${hint}`,
  );
}

function requireOneSide(ring: Ring): void {
  const [west, , east] = boxAround(ring);
  if (east - west <= 180) return;
  const text =
    'A ring spans more than 180° of longitude; split the field at ±180° into the parts of a MultiPolygon (RFC 7946, 3.1.9).';
  throw new FieldFailure(fieldFaults.acrossAntimeridian, text);
}
