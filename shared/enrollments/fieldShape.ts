import { hash } from 'node:crypto';
import { fieldFaults } from '../errors/catalogue.js';
import type { MultiPolygon, Position, Ring } from '../geo/geoJson.js';
import { outlineOf } from '../geo/outline.js';
import { fieldGridOf } from '../imagery/pixels/fieldGrid.js';
import { boxAround } from '../raster/grid.js';
import { polygonAreaHa } from '../raster/polygonArea.js';
import { requireNoCrossing } from './boundaryCrossing.js';
import type { FieldParts } from './boundaryEdges.js';
import type { FieldBbox, FieldOutline, FieldShape } from './field.js';
import { FieldFailure } from './fieldFailure.js';
import { requireNesting } from './ringNesting.js';
import type { WorkBudget } from './workBudget.js';

const MIN_AREA_HA = 0.01;
const MAX_AREA_HA = 10_000;
const MAX_LATITUDE = 83;
/** Longest side of the box around a field, all of which imagery reads. */
const MAX_SIDE_KM = 50;
const KM_PER_DEGREE = 111.32;

/** A sound field: its measures, and its geometry as imagery uses it. */
export interface CheckedField {
  readonly shape: FieldShape;
  /** JSON of the MultiPolygon whose hash is in `shape`. */
  readonly geometry: Uint8Array;
  readonly outline: FieldOutline;
}

/**
 * Checks one field's boundary as `readBoundary` gives it. Winding is of no matter.
 *
 * @throws FieldFailure that says what is wrong with it
 */
export function checkField(parts: FieldParts, budget: WorkBudget): CheckedField {
  const positions = parts.flat().reduce((sum, ring) => sum + ring.length, 0);
  requireRings(parts);
  requireRange(parts);
  const bbox = bboxOf(parts);
  requireNoCrossing(parts, budget);
  requireNesting(parts, budget);
  const multiPolygon: MultiPolygon = { type: 'MultiPolygon', coordinates: parts };
  const geometry = new TextEncoder().encode(JSON.stringify(multiPolygon));
  const geometryHash = hash('sha256', geometry);
  const areaHa = requiredArea(multiPolygon);
  const grid = fieldGridOf(multiPolygon);
  const outline = { geometry: outlineOf(multiPolygon), bbox, areaHa };
  return { shape: { areaHa, bbox, epsg: grid.epsg, grid, geometryHash, positions }, geometry, outline };
}

/**
 * Checks what enrollments ask beyond a sound boundary: where it lies, how far it reaches, how large it is.
 *
 * @throws FieldFailure that names the limit
 */
export function requireLimits(parts: FieldParts): void {
  requireRange(parts);
  bboxOf(parts);
  requiredArea({ type: 'MultiPolygon', coordinates: parts });
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

function requireRange(parts: FieldParts): void {
  const positions = parts.flat(2);
  const isOut = ([longitude, latitude]: Position): boolean => Math.abs(longitude) > 180 || Math.abs(latitude) > 90;
  if (positions.some(isOut)) {
    const looksSwapped = !positions.some(([longitude, latitude]) => isOut([latitude, longitude]));
    const hint = looksSwapped ? ' Longitude and latitude look swapped.' : '';
    throw new FieldFailure(
      fieldFaults.outOfRange,
      `A position is outside longitude ±180, latitude ±90; longitude comes first.${hint}`,
    );
  }
  if (positions.some(([, latitude]) => Math.abs(latitude) > MAX_LATITUDE)) {
    const text = `The field reaches beyond ${MAX_LATITUDE}° of latitude, where there is no imagery.`;
    throw new FieldFailure(fieldFaults.notCovered, text);
  }
}

/** The box around all parts of a field. @throws FieldFailure when it is too long for one image */
function bboxOf(parts: FieldParts): FieldBbox {
  for (const ring of parts.flat()) {
    const [west, , east] = boxAround(ring);
    if (east - west <= 180) continue;
    const text = 'A ring spans more than 180° of longitude; split the field at the antimeridian into two parts.';
    throw new FieldFailure(fieldFaults.acrossAntimeridian, text);
  }
  const [west, south, east, north] = unwrappedBox(parts);
  requireCompact([west, south, east, north]);
  return [west, south, east > 180 ? east - 360 : east, north];
}

/** East of 180° where the parts lie on both sides of the antimeridian. */
function unwrappedBox(parts: FieldParts): FieldBbox {
  const positions = parts.flat(2);
  const box = boxAround(positions);
  return box[2] - box[0] > 180 ? boxAround(positions.map(([x, y]): Position => [x < 0 ? x + 360 : x, y])) : box;
}

function requireCompact([west, south, east, north]: FieldBbox): void {
  const parallel = Math.cos((Math.min(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const sideKm = Math.max((east - west) * parallel, north - south) * KM_PER_DEGREE;
  if (sideKm <= MAX_SIDE_KM) return;
  const text = `The box around the field is ${Math.round(sideKm)} km long; at most ${MAX_SIDE_KM} km are allowed, so make a field of each distant part.`;
  throw new FieldFailure(fieldFaults.tooSpreadOut, text);
}

/** @returns hectares */
function requiredArea(geometry: MultiPolygon): number {
  const areaHa = polygonAreaHa(geometry);
  if (areaHa < MIN_AREA_HA) {
    const text = `The field has ${areaHa.toFixed(4)} ha; at least ${MIN_AREA_HA} ha are needed.`;
    throw new FieldFailure(fieldFaults.tooSmall, text);
  }
  if (areaHa > MAX_AREA_HA) {
    const text = `The field has ${Math.round(areaHa)} ha; at most ${MAX_AREA_HA} are allowed, so split it.`;
    throw new FieldFailure(fieldFaults.tooLarge, text);
  }
  return areaHa;
}
