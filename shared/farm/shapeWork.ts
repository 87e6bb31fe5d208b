import { FieldFailure } from '../geo/soundness/fieldFailure.js';
import { requireLimits } from '../enrollments/fieldShape.js';
import { partsOf, type MultiPolygon, type Polygon } from '../geo/geoJson.js';
import { doMeet, positionsOf, type ComparedArea } from '../geo/intersects.js';
import { rightHanded } from '../geo/rightHanded.js';
import type { TenantTurns } from '../limits/tenantTurns.js';
import type { RunTask } from '../worker/tasks.js';
import { jsonBytesOf, unpacked, type PackedShape } from './packedShape.js';

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
}

/** All of it in the event loop. */
export const shapesHere: ShapeWork = {
  doesMeet: (_tenant, shape) => doesShapeMeet(shape),
  feature: (_tenant, packed) => featureShape(packed),
};

/** Bytes of JSON that are read in the event loop: some 2,000 positions. */
const MOST_BYTES_HERE = 64 * 1024;
/** Bytes of JSON times positions of the area: some 5 ms. */
const MOST_COMPARED_HERE = 100 * MOST_BYTES_HERE;

/** What is much is done beside the event loop, one piece of each tenant at a time. */
export const shapesBeside = (run: RunTask, turns: TenantTurns): ShapeWork => ({
  doesMeet: (tenant, shape) => {
    const bytes = jsonBytesOf(shape.packed);
    const isMuch = bytes > MOST_BYTES_HERE || bytes * positionsOf(shape.area.geometry).length > MOST_COMPARED_HERE;
    return isMuch ? turns.run(tenant, () => run('doesShapeMeet', shape)) : doesShapeMeet(shape);
  },
  feature: (tenant, packed) =>
    jsonBytesOf(packed) > MOST_BYTES_HERE
      ? turns.run(tenant, () => run('featureShape', packed))
      : featureShape(packed),
});
