import type { Box } from '../../geo/shapes/box.js';
import { partsOf, type Position, type Ring } from '../../geo/shapes/geoJson.js';
import { comparedArea, positionsOf, type ComparedArea } from '../../geo/shapes/intersects.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { FieldFailure } from '../../geo/soundness/fieldFailure.js';
import { MOST_FIELD_POSITIONS, requireRange, requireSoundRings } from '../../geo/soundness/soundShape.js';
import { WorkBudget } from '../../geo/soundness/workBudget.js';
import { isJsonObject } from '../../kit/json/json.js';
import { polygonAreaHa } from '../../geo/grid/polygonArea.js';
import type { Extent, Geometry, PackedShape } from '../land/land.js';
import { packedShape } from '../land/packedShape.js';
import { invalidRequest } from './resourceRules.js';

/** A geometry with what it spans. */
export interface SoundField {
  readonly geometry: Geometry;
  readonly extent: Extent;
}

/** The same as it is stored. */
export interface SoundShape {
  readonly packed: PackedShape;
  readonly extent: Extent;
}

/** Above so many bytes of JSON, some 1,000 positions, a check may take longer than requests should wait. */
const MOST_CHECKED_HERE = 32 * 1024;

/** Whether the check of a geometry may hold up the event loop. @param json of the geometry */
export const isLarge = (json: Uint8Array): boolean => json.byteLength > MOST_CHECKED_HERE;

/**
 * The check itself counts equal neighbours once, so up to twice as many positions may still be a field.
 *
 * @throws ServiceError 400 for what is far too large
 */
function requirePositions(geometry: Geometry): void {
  const count = positionsOf(geometry).length;
  if (count <= 2 * MOST_FIELD_POSITIONS) return;
  throw invalidRequest(`geometry has ${count} positions; at most ${MOST_FIELD_POSITIONS} are allowed, so simplify it.`);
}

/** Checks a geometry in the process of tasks, which hands on no errors. @returns else what is wrong with it */
export function inspectGeometry(json: Uint8Array): SoundShape | { readonly wrong: string } {
  try {
    return soundShape(json);
  } catch (error) {
    if (error instanceof ServiceError) return { wrong: error.message };
    throw error;
  }
}

/**
 * The geometry of a field with what it spans, as it was sent: a third coordinate and the direction of rings included.
 *
 * @throws ServiceError 400 for one that is not sound
 */
export function fieldGeometry(value: unknown): SoundField {
  const geometry = wellFormed(value);
  try {
    return { geometry, extent: { box: soundBox(geometry), areaHa: areaHaOf(geometry) } };
  } catch (error) {
    if (!(error instanceof FieldFailure)) throw error;
    throw invalidRequest(`geometry: ${error.message}`);
  }
}

/** The same as it is stored: members beside type and coordinates are left out. @throws ServiceError 400 */
export function soundShape(json: Uint8Array): SoundShape {
  const { type, coordinates } = wellFormed(JSON.parse(Buffer.from(json).toString('utf8')));
  requirePositions({ type, coordinates } as Geometry);
  const { geometry, extent } = fieldGeometry({ type, coordinates });
  return { packed: packedShape(geometry), extent };
}

/** Most positions of a geometry by which fields are searched. */
const MOST_SEARCH_POSITIONS = 1_000;

/** A geometry by which fields are searched. @throws ServiceError 400 for one that is not sound, or has too many positions */
export function searchGeometry(value: unknown): ComparedArea {
  const geometry = wellFormed(value);
  const count = positionsOf(geometry).length;
  if (count <= MOST_SEARCH_POSITIONS) return comparedArea(fieldGeometry(geometry).geometry);
  throw invalidRequest(
    `intersectsWithGeometry has ${count} positions; at most ${MOST_SEARCH_POSITIONS} are taken, so simplify it.`,
  );
}

/** @throws ServiceError 400 for anything but a geometry of the forms that fields have */
export function wellFormed(value: unknown): Geometry {
  const { type, coordinates } = isJsonObject(value) ? value : {};
  if (type === 'Point' && isPosition(coordinates)) return { ...(value as object), type, coordinates };
  if (type === 'Polygon' && isListOf(coordinates, isRing)) return { ...(value as object), type, coordinates };
  if (type === 'MultiPolygon' && isListOf(coordinates, (part) => isListOf(part, isRing))) {
    return { ...(value as object), type, coordinates };
  }
  throw invalidRequest(
    'geometry must be a Point, Polygon or MultiPolygon with finite coordinates, longitude before latitude (RFC 7946).',
  );
}

const isPosition = (value: unknown): value is Position =>
  Array.isArray(value) && value.length >= 2 && value.length <= 4 && value.every(Number.isFinite);

const isRing = (value: unknown): value is Ring => isListOf(value, isPosition);

function isListOf<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

/** @throws FieldFailure */
function soundBox(geometry: Geometry): Box {
  if (geometry.type !== 'Point') return requireSoundRings(partsOf(geometry).map(withoutRepeats), new WorkBudget());
  const [longitude, latitude] = geometry.coordinates;
  requireRange([geometry.coordinates]);
  return [longitude, latitude, longitude, latitude];
}

/** Rings without equal neighbours: these are no fault. */
const withoutRepeats = (rings: readonly Ring[]): readonly Ring[] =>
  rings.map((ring) =>
    ring.filter(([x, y], index) => index === 0 || x !== ring[index - 1]?.[0] || y !== ring[index - 1]?.[1]),
  );

const areaHaOf = (geometry: Geometry): number => (geometry.type === 'Point' ? 0 : polygonAreaHa(geometry));
