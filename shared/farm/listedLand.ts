import { doBoxesMeet } from '../geo/box.js';
import { doMeet, type ComparedArea } from '../geo/intersects.js';
import { limiter } from '../raster/limiter.js';
import type { Row } from '../storage/rows.js';
import type { Listed } from './boundedScan.js';
import type { Land, LandKey } from './land.js';
import { landOfRow, shapeOfRow, type LandRow } from './landRow.js';
import { positionOf, type LandPosition, type LandScope } from './landPlace.js';
import type { ShapeStore } from './shapeStore.js';

/** A resource of a list. */
export type ListedLand = Listed<Land, LandPosition>;

/** What of geometries a list reads. */
export interface ShapeOptions {
  readonly withGeometry?: boolean;
  /** What each is compared with. A geometry that was compared is dropped at once: a page of large ones needs gigabytes. */
  readonly meets?: ComparedArea | undefined;
}

/** Where geometries are read. */
interface LandShapes {
  readonly shapes: Pick<ShapeStore, 'read'>;
  /** A resource as it is now, with its geometry. */
  readonly find: (key: LandKey) => Promise<Land | undefined>;
}

type Owner = Pick<LandKey, 'kind' | 'tenant'>;

/** Geometries of one page that are read from blobs at the same time. */
const SHAPES_AT_ONCE = 16;

/** The resources of rows, each with its geometry where that is wanted, and compared with an area. */
export async function listedLand(
  from: LandShapes,
  { kind, tenant }: LandScope,
  rows: readonly Row<LandRow>[],
  options: ShapeOptions,
): Promise<readonly ListedLand[]> {
  const atOnce = limiter(SHAPES_AT_ONCE);
  return Promise.all(
    rows.map(async (row) => ({
      ...(await atOnce(() => seen(from, { kind, tenant }, row, options))),
      at: positionOf(row),
    })),
  );
}

async function seen(
  from: LandShapes,
  owner: Owner,
  row: Row<LandRow>,
  { withGeometry = false, meets }: ShapeOptions,
): Promise<Omit<ListedLand, 'at'>> {
  const land = landOfRow(owner.kind, row);
  if (!mayMeet(land, meets)) return { item: land, isMeeting: false };
  if (land.extent === undefined || (meets === undefined && !withGeometry)) return { item: land };
  const geometry = await geometryOf(from, owner, row, land);
  if (geometry === undefined) return { item: land, isMeeting: meets === undefined };
  const isMeeting = meets === undefined || doMeet(geometry, meets);
  return { item: withGeometry ? { ...land, geometry } : land, isMeeting };
}

/** A geometry that was replaced since its row was read is read anew. */
async function geometryOf(
  { shapes, find }: LandShapes,
  owner: Owner,
  row: Row<LandRow>,
  { id, partyId }: Land,
): Promise<Land['geometry']> {
  return (await shapes.read(shapeOfRow(row))) ?? (await find({ ...owner, partyId, id }))?.geometry;
}

/** Without a point in common with the box of an area a geometry need not be looked at. */
const mayMeet = ({ extent }: Land, area: ComparedArea | undefined): boolean =>
  area === undefined || (extent !== undefined && doBoxesMeet(extent.box, area.box));
