import type { Polygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { utmEpsgAt } from '../../../shared/geo/grid/utmZone.js';
import type { Field } from '../../../tools/scenes/farmland.js';
import { farmlandOf } from '../../../tools/scenes/renderScene.js';

/** A field of the demo's farm. */
export interface DemoField {
  /** Follows from the place, so that a later demo enrols the same field. */
  readonly fieldId: string;
  readonly geometry: Polygon;
}

export interface DemoPoint {
  readonly longitude: number;
  readonly latitude: number;
}

const REACH_M = 3_000;
const LEAST_AREA_M2 = 50_000;

/**
 * Fields of the synthetic country round a point, the nearest first: what its scenes show within these outlines.
 *
 * @param count how many at most
 */
export function demoFarm({ longitude, latitude }: DemoPoint, count: number): readonly DemoField[] {
  const epsg = utmEpsgAt([longitude, latitude]);
  const [x, y] = utmProjection(epsg).toMap([longitude, latitude]);
  const distance = ({ box: [west, south, east, north] }: Field): number =>
    Math.hypot((west + east) / 2 - x, (south + north) / 2 - y);
  return farmlandOf(epsg)
    .fieldsIn([x - REACH_M, y - REACH_M, x + REACH_M, y + REACH_M])
    .filter(({ use, areaM2 }) => use === 'arable' && areaM2 >= LEAST_AREA_M2)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, count)
    .map((field) => ({ fieldId: `Field ${field.id.toString(36)}`, geometry: polygonOf(field, epsg) }));
}

function polygonOf({ outline }: Field, epsg: number): Polygon {
  const { toPosition } = utmProjection(epsg);
  const ring = outline.map((place): Position => {
    const [longitude, latitude] = toPosition(place);
    return [Number(longitude.toFixed(6)), Number(latitude.toFixed(6))];
  });
  return { type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] };
}
