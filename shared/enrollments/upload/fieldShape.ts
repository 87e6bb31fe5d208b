import { hash } from 'node:crypto';
import { fieldFaults } from '../../kit/errors/catalogue.js';
import { geoBoxAround } from '../../geo/shapes/box.js';
import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import { outlineOf } from '../../geo/shapes/thinnedOutline.js';
import { fieldGridOf } from '../../scenes/pixels/fieldGrid.js';
import { polygonAreaHa } from '../../geo/grid/polygonArea.js';
import type { FieldParts } from '../../geo/soundness/boundaryEdges.js';
import type { FieldBbox, FieldOutline, FieldShape } from '../fields/field.js';
import { FieldFailure } from '../../geo/soundness/fieldFailure.js';
import { requireSoundRings } from '../../geo/soundness/soundShape.js';
import type { WorkBudget } from '../../geo/soundness/workBudget.js';

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
  const bbox = requireSoundRings(parts, budget);
  requireCovered(bbox);
  requireCompact(bbox);
  const multiPolygon: MultiPolygon = { type: 'MultiPolygon', coordinates: parts };
  requireArea(multiPolygon);
  return measuredField(multiPolygon);
}

/** The measures of a geometry that is known to be sound. */
export function measuredField(multiPolygon: MultiPolygon): CheckedField {
  const { coordinates } = multiPolygon;
  const positions = coordinates.flat().reduce((sum, ring) => sum + ring.length, 0);
  const bbox = geoBoxAround(coordinates.flat(2));
  const geometry = new TextEncoder().encode(JSON.stringify(multiPolygon));
  const geometryHash = hash('sha256', geometry);
  const areaHa = polygonAreaHa(multiPolygon);
  const grid = fieldGridOf(multiPolygon);
  const outline = { geometry: outlineOf(multiPolygon), bbox, areaHa };
  return { shape: { areaHa, bbox, epsg: grid.epsg, grid, geometryHash, positions }, geometry, outline };
}

/**
 * Checks what enrollments ask of a sound boundary beyond that: where it lies, how far it reaches, how large it is.
 *
 * @throws FieldFailure that names the limit
 */
export function requireLimits(parts: FieldParts): void {
  const bbox = geoBoxAround(parts.flat(2));
  requireCovered(bbox);
  requireCompact(bbox);
  requireArea({ type: 'MultiPolygon', coordinates: parts });
}

/** @throws FieldFailure where there is no imagery */
function requireCovered([, south, , north]: FieldBbox): void {
  if (Math.max(-south, north) <= MAX_LATITUDE) return;
  const text = `The field reaches beyond ${MAX_LATITUDE}° of latitude, where there is no imagery.`;
  throw new FieldFailure(fieldFaults.notCovered, text);
}

/** @throws FieldFailure when the field is too long for one image */
function requireCompact([west, south, east, north]: FieldBbox): void {
  const width = east < west ? east + 360 - west : east - west;
  const parallel = Math.cos((Math.min(Math.abs(south), Math.abs(north)) * Math.PI) / 180);
  const sideKm = Math.max(width * parallel, north - south) * KM_PER_DEGREE;
  if (sideKm <= MAX_SIDE_KM) return;
  const text = `The box around the field is ${Math.round(sideKm)} km long; at most ${MAX_SIDE_KM} km are allowed, so make a field of each distant part.`;
  throw new FieldFailure(fieldFaults.tooSpreadOut, text);
}

/** @throws FieldFailure for a field that is too small or too large */
function requireArea(geometry: MultiPolygon): void {
  const areaHa = polygonAreaHa(geometry);
  if (areaHa < MIN_AREA_HA) {
    const text = `The field has ${areaHa.toFixed(4)} ha; at least ${MIN_AREA_HA} ha are needed.`;
    throw new FieldFailure(fieldFaults.tooSmall, text);
  }
  if (areaHa > MAX_AREA_HA) {
    const text = `The field has ${Math.round(areaHa)} ha; at most ${MAX_AREA_HA} ha are allowed, so split it.`;
    throw new FieldFailure(fieldFaults.tooLarge, text);
  }
}
