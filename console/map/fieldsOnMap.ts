import type { MultiPolygon, Polygon } from '../../shared/geo/shapes/geoJson.js';
import type { MapField } from './mapScene.js';
import { toMercator, type MercatorPoint } from './mercator.js';
import type { MercatorBox } from './warp.js';

/** A field in the map's own coordinates. */
export interface FieldOnMap {
  readonly id: string;
  /** Outer rings and holes of all parts. */
  readonly rings: readonly (readonly MercatorPoint[])[];
  readonly box: MercatorBox;
}

/** Rings of a geometry, all parts in a row. */
export function ringsOf(geometry: Polygon | MultiPolygon): readonly (readonly MercatorPoint[])[] {
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  return parts.flat().map((ring) => ring.map(toMercator));
}

/** The box around boxes; west > east when there are none. */
export function boxAroundAll(boxes: Iterable<MercatorBox>): MercatorBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    [west, south] = [Math.min(west, box[0]), Math.min(south, box[1])];
    [east, north] = [Math.max(east, box[2]), Math.max(north, box[3])];
  }
  return [west, south, east, north];
}

/** Brings a field onto the map. */
export function fieldOnMap({ id, geometry }: MapField): FieldOnMap {
  const rings = ringsOf(geometry);
  return { id, rings, box: boxAroundAll(rings.flat().map(([x, y]): MercatorBox => [x, y, x, y])) };
}

/** Whether a point lies in a field; a hole isn't part of it. */
export function isInField({ rings, box }: FieldOnMap, [x, y]: MercatorPoint): boolean {
  if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) return false;
  let isInside = false;
  for (const ring of rings) {
    ring.forEach(([toX, toY], index) => {
      const [fromX, fromY] = ring.at(index - 1) ?? [toX, toY];
      const crosses = fromY > y !== toY > y && x < fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX);
      if (crosses) isInside = !isInside;
    });
  }
  return isInside;
}

const inside = new WeakMap<FieldOnMap, MercatorPoint>();

/** A place inside of a field, in the middle of the widest piece of a line across it. */
export function insideOf(field: FieldOnMap): MercatorPoint {
  const known = inside.get(field) ?? middleOfWidest(field);
  inside.set(field, known);
  return known;
}

function middleOfWidest({ rings, box }: FieldOnMap): MercatorPoint {
  const y = (box[1] + box[3]) / 2;
  const crossings = rings.flatMap((ring) =>
    ring.flatMap(([toX, toY], index) => {
      const [fromX, fromY] = ring.at(index - 1) ?? [toX, toY];
      return fromY > y !== toY > y ? [fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX)] : [];
    }),
  );
  const sorted = crossings.sort((one, other) => one - other);
  let [left, right] = [box[0], box[0]];
  for (let at = 0; at + 1 < sorted.length; at += 2) {
    const [from = 0, to = 0] = [sorted[at], sorted[at + 1]];
    if (to - from > right - left) [left, right] = [from, to];
  }
  return [(left + right) / 2, y];
}

/** An order: the selected field first, then those near the middle of a box. */
export function nearTo(box: MercatorBox, selected: string | undefined) {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const distance = ({ id, box: [west, south, east, north] }: FieldOnMap): number =>
    id === selected ? -1 : Math.hypot((west + east) / 2 - x, (south + north) / 2 - y);
  return (one: FieldOnMap, other: FieldOnMap): number => distance(one) - distance(other);
}
