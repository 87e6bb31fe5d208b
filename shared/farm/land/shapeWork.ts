import { FieldFailure } from '../../geo/soundness/fieldFailure.js';
import { requireLimits } from '../../enrollments/upload/fieldShape.js';
import { partsOf, type MultiPolygon, type Polygon } from '../../geo/shapes/geoJson.js';
import { interiorPointOf, type InteriorPoint } from '../../geo/shapes/interiorPoint.js';
import { doMeet, positionsOf, type ComparedArea } from '../../geo/shapes/intersects.js';
import { rightHanded } from '../../geo/shapes/rightHanded.js';
import type { PackedShape } from './land.js';
import { unpacked } from './packedShape.js';

/** A stored geometry and what it is compared with. */
export interface ShapeToCompare {
  readonly packed: PackedShape;
  readonly area: ComparedArea;
}

/** A stored geometry as a feature has it. */
export interface FeatureShape {
  /** Its JSON by the right-hand rule. */
  readonly json: Uint8Array;
  readonly positions: number;
  /** Why an enrollment would not take it. */
  readonly refusal?: string;
}

/** Whether a stored geometry has a point in common with an area. */
export const doesShapeMeet = async ({ packed, area }: ShapeToCompare): Promise<boolean> =>
  doMeet(await unpacked(packed), area);

/** A stored geometry as GeoJSON goes out; undefined for a point, which is no area. */
export async function featureShape(packed: PackedShape): Promise<FeatureShape | undefined> {
  const geometry = await unpacked(packed);
  if (geometry.type === 'Point') return undefined;
  const refusal = refusalOf(geometry);
  return {
    json: Buffer.from(JSON.stringify(rightHanded(geometry))),
    positions: positionsOf(geometry).length,
    ...(refusal === undefined ? {} : { refusal }),
  };
}

/** A point within a stored geometry; undefined when it has no area. */
export async function pointOfShape(packed: PackedShape): Promise<InteriorPoint | undefined> {
  const geometry = await unpacked(packed);
  return geometry.type === 'Point' ? undefined : interiorPointOf(geometry);
}

function refusalOf(geometry: Polygon | MultiPolygon): string | undefined {
  try {
    requireLimits(partsOf(geometry));
    return undefined;
  } catch (error) {
    if (error instanceof FieldFailure) return error.message;
    throw error;
  }
}

/** Work on the stored geometries of tenants. */
export interface ShapeWork {
  readonly doesMeet: (tenant: string, shape: ShapeToCompare) => Promise<boolean>;
  readonly feature: (tenant: string, packed: PackedShape) => Promise<FeatureShape | undefined>;
  readonly point: (tenant: string, packed: PackedShape) => Promise<InteriorPoint | undefined>;
}

/** All of it in the event loop. */
export const shapesHere: ShapeWork = {
  doesMeet: (_tenant, shape) => doesShapeMeet(shape),
  feature: (_tenant, packed) => featureShape(packed),
  point: (_tenant, packed) => pointOfShape(packed),
};
