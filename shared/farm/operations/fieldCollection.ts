import { SEARCH_REGION } from '../../jobs/dataManager/dataManager.js';
import { fieldIdFault } from '../../enrollments/upload/fieldId.js';
import { requireLand } from '../land/getLand.js';
import { isSameKey, type Land, type LandKey } from '../land/land.js';
import type { LandPosition } from '../land/landPlace.js';
import type { LandStore } from '../land/landStore.js';
import type { WireObject } from '../wire/resourceRules.js';
import { shapesHere, type FeatureShape, type ShapeWork } from '../land/shapeWork.js';

/** Which fields of a party are wanted. */
export interface CollectionQuery {
  readonly farmIds?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Most fields. */
  readonly limit: number;
  /** Whether ids begin with that of the party: an enrollment may hold fields of several. */
  readonly hasPrefix: boolean;
  readonly after?: LandPosition | undefined;
}

export interface FieldCollectionPorts {
  readonly land: Pick<LandStore, 'find' | 'page' | 'packedOf'>;
  /** Writes geometries; in the event loop when absent. */
  readonly shapes?: ShapeWork;
}

/** A field as a GeoJSON feature has it. */
export interface CollectedField {
  /** JSON of the geometry. */
  readonly geometry: Uint8Array;
  readonly properties: WireObject;
}

/** Fields as GeoJSON features. */
export interface FieldCollection {
  readonly features: readonly CollectedField[];
  /** Where the next ones begin; absent behind the last. */
  readonly next?: LandPosition;
}

/** Rows of a read, of up to 80 KB each. */
const ROWS_A_READ = 64;
const MOST_READS = 32;
/** Some 8 MB of JSON. */
const MOST_POSITIONS = 200_000;

/**
 * Fields of a party that have an area, by their ids, in the form in which enrollments take them.
 *
 * @throws ServiceError 404 without the party, 429 when too much of the tenant waits to be written
 */
export const fieldCollection =
  ({ land, shapes = shapesHere }: FieldCollectionPorts) =>
  async (party: LandKey, query: CollectionQuery): Promise<FieldCollection> => {
    await requireLand(land, party);
    const { tenant, partyId } = party;
    const isWanted = wantedBy(query);
    const features: CollectedField[] = [];
    let [after, positions] = [query.after, 0];
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const part = { after, most: ROWS_A_READ, ids: query.ids, withShapes: true };
      const rows = await land.page({ kind: 'field', tenant, partyId }, part);
      for (const { item, at, shape } of rows) {
        if (features.length === query.limit || positions > MOST_POSITIONS) return collectionOf(features, after);
        after = at;
        if (!isWanted(item)) continue;
        const packed = await land.packedOf({ kind: 'field', tenant, partyId, id: item.id }, shape);
        const written = packed && (await shapes.feature(tenant, packed));
        if (written === undefined) continue;
        features.push({ geometry: written.json, properties: propertiesOf(item, written, query) });
        positions += written.positions;
      }
      if (rows.length < ROWS_A_READ) return collectionOf(features, undefined);
    }
    return collectionOf(features, after);
  };

const collectionOf = (features: readonly CollectedField[], next: LandPosition | undefined): FieldCollection => ({
  features,
  ...(next === undefined ? {} : { next }),
});

/** Fields that may have an area; a point is found out when it is read. */
function wantedBy({ farmIds }: CollectionQuery): (field: Land) => boolean {
  const isOfFarm = ({ farmId }: Land): boolean =>
    farmIds === undefined || farmIds.some((id) => farmId !== undefined && isSameKey(id, farmId));
  return (field) =>
    field.extent !== undefined && field.isDeleting !== true && field.status !== SEARCH_REGION && isOfFarm(field);
}

function propertiesOf(
  { id, partyId, farmId, name }: Land,
  { refusal }: FeatureShape,
  { hasPrefix }: CollectionQuery,
): WireObject {
  const fieldId = hasPrefix ? `${partyId}.${id}` : id;
  const idFault = fieldIdFault(fieldId);
  // Why an enrollment would not take the field.
  const why = idFault === undefined ? refusal : `field_id ${idFault}`;
  return {
    field_id: fieldId,
    party_id: partyId,
    ...(farmId === undefined ? {} : { farm_id: farmId }),
    ...(name === undefined ? {} : { name }),
    enrollable: why === undefined,
    ...(why === undefined ? {} : { not_enrollable: why }),
  };
}
