import type { Row } from '../../storage/rows.js';
import { idKeyOf, type Authorship, type Land, type LandKind } from './land.js';
import type { StoredShape } from './shapeStore.js';

/**
 * The columns that lists read: all but the geometry. 25 properties that JSON escapes character by character make a long
 * text of two parts.
 */
export const LISTED_COLUMNS = [
  ...['id', 'partyId', 'farmId', 'name', 'description', 'status', 'source', 'eTag', 'isDeleting'],
  ...['properties', 'properties_0', 'properties_1'],
  ...['createdAt', 'createdBy', 'modifiedAt', 'modifiedBy', 'west', 'south', 'east', 'north', 'areaHa'],
];

/** A row; `properties` is JSON. */
export interface LandRow extends Authorship, StoredShape {
  readonly id: string;
  readonly partyId: string;
  readonly eTag: string;
  readonly farmId?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly status?: string | undefined;
  readonly source?: string | undefined;
  readonly properties?: string | undefined;
  /** Key of the farm of a field; empty for none, and once the field is being deleted. */
  readonly farmKey: string;
  readonly isDeleting: boolean;
  readonly west?: number | undefined;
  readonly south?: number | undefined;
  readonly east?: number | undefined;
  readonly north?: number | undefined;
  readonly areaHa?: number | undefined;
}

/** A resource as its row keeps it. */
export function landRowOf(land: Land, shape: StoredShape): LandRow {
  const { kind: _kind, packed: _packed, properties, extent, isDeleting = false, ...plain } = land;
  const [west, south, east, north] = extent?.box ?? [];
  return {
    ...plain,
    isDeleting,
    farmKey: land.farmId === undefined || isDeleting ? '' : idKeyOf(land.farmId),
    properties: properties === undefined ? undefined : JSON.stringify(properties),
    ...{ west, south, east, north, areaHa: extent?.areaHa },
    ...shape,
  };
}

/** How a row keeps the geometry. */
export const shapeOfRow = ({ shape, shapeBlob }: LandRow): StoredShape => ({ shape, shapeBlob });

/** A resource without its geometry. */
export function landOfRow(kind: LandKind, row: Row<LandRow>): Land {
  const { partitionKey: _partition, rowKey: _row, etag: _etag, farmKey: _farm, properties, ...rest } = row;
  const { shape: _shape, shapeBlob: _blob, west, south, east, north, areaHa, isDeleting, ...land } = rest;
  const isWhole = west !== undefined && south !== undefined && east !== undefined && north !== undefined;
  return {
    ...(land as Omit<Land, 'kind'>),
    kind,
    ...(isDeleting ? { isDeleting } : {}),
    ...(properties === undefined ? {} : { properties: JSON.parse(properties) as Record<string, string | number> }),
    ...(isWhole ? { extent: { box: [west, south, east, north], areaHa: areaHa ?? 0 } } : {}),
  };
}
