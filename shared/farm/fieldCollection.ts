import { SEARCH_REGION } from '../dataManager/dataManager.js';
import { FieldFailure } from '../geo/soundness/fieldFailure.js';
import { fieldIdFault } from '../enrollments/fieldId.js';
import { requireLimits } from '../enrollments/fieldShape.js';
import { partsOf, type MultiPolygon, type Polygon } from '../geo/geoJson.js';
import { rightHanded } from '../geo/rightHanded.js';
import { eachOf } from '../raster/limiter.js';
import { requireLand } from './getLand.js';
import { isSameKey, type Land, type LandKey } from './land.js';
import type { LandPosition } from './landPlace.js';
import type { LandStore } from './landStore.js';
import type { WireObject } from './resourceRules.js';

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

/** Fields as GeoJSON features. */
export interface FieldCollection {
  readonly features: readonly WireObject[];
  /** Where the next ones begin; absent behind the last. */
  readonly next?: LandPosition;
}

const ROWS_A_READ = 100;
const MOST_READS = 20;
/** Some 16 MB of JSON. */
const MOST_POSITIONS = 400_000;
const READS_AT_ONCE = 16;

type Area = Polygon | MultiPolygon;
type FieldOfArea = Land & { readonly geometry: Area };

/**
 * Fields of a party that have an area, by their ids, in the form in which enrollments take them.
 *
 * @throws ServiceError 404 without the party
 */
export const fieldCollection =
  ({ land }: { readonly land: Pick<LandStore, 'find' | 'page'> }) =>
  async (party: LandKey, query: CollectionQuery): Promise<FieldCollection> => {
    await requireLand(land, party);
    const isWanted = wantedBy(query);
    const { ids, limit } = query;
    if (ids !== undefined) {
      const fields = (await fieldsOf(land, party, ids)).filter(isWanted);
      return { features: fields.map((field) => featureOf(field, query)) };
    }
    const found: FieldOfArea[] = [];
    let [after, positions] = [query.after, 0];
    for (let reads = 0; reads < MOST_READS; reads += 1) {
      const scope = { kind: 'field', tenant: party.tenant, partyId: party.id } as const;
      const rows = await land.page(scope, { after, most: ROWS_A_READ, withGeometry: true });
      for (const { item, at } of rows) {
        if (found.length === limit || positions > MOST_POSITIONS) return collectionOf(found, query, after);
        after = at;
        if (!isWanted(item)) continue;
        found.push(item);
        positions += partsOf(item.geometry).flat(2).length;
      }
      if (rows.length < ROWS_A_READ) return collectionOf(found, query, undefined);
    }
    return collectionOf(found, query, after);
  };

const collectionOf = (
  fields: readonly FieldOfArea[],
  query: CollectionQuery,
  next: LandPosition | undefined,
): FieldCollection => ({
  features: fields.map((field) => featureOf(field, query)),
  ...(next === undefined ? {} : { next }),
});

function wantedBy({ farmIds }: CollectionQuery): (field: Land) => field is FieldOfArea {
  const isOfFarm = ({ farmId }: Land): boolean =>
    farmIds === undefined || farmIds.some((id) => farmId !== undefined && isSameKey(id, farmId));
  return (field): field is FieldOfArea => {
    const { geometry, isDeleting, status } = field;
    const hasArea = geometry !== undefined && geometry.type !== 'Point';
    return hasArea && isDeleting !== true && status !== SEARCH_REGION && isOfFarm(field);
  };
}

async function fieldsOf(
  land: Pick<LandStore, 'find'>,
  { tenant, partyId }: LandKey,
  ids: readonly string[],
): Promise<readonly Land[]> {
  const found: Land[] = [];
  await eachOf(ids, READS_AT_ONCE, async (id) => {
    const stored = await land.find({ kind: 'field', tenant, partyId, id });
    if (stored !== undefined && !found.some((other) => isSameKey(other.id, id))) found.push(stored.land);
  });
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

function featureOf(field: FieldOfArea, { hasPrefix }: CollectionQuery): WireObject {
  const { geometry, id, partyId, farmId, name } = field;
  const fieldId = hasPrefix ? `${partyId}.${id}` : id;
  const why = refusalOf(fieldId, geometry);
  return {
    type: 'Feature',
    geometry: rightHanded(geometry),
    properties: {
      field_id: fieldId,
      party_id: partyId,
      ...(farmId === undefined ? {} : { farm_id: farmId }),
      ...(name === undefined ? {} : { name }),
      enrollable: why === undefined,
      ...(why === undefined ? {} : { not_enrollable: why }),
    },
  };
}

/** Why an enrollment would not take the field; undefined when it does. */
function refusalOf(fieldId: string, geometry: Area): string | undefined {
  const fault = fieldIdFault(fieldId);
  if (fault !== undefined) return `field_id ${fault}`;
  try {
    requireLimits(partsOf(geometry));
    return undefined;
  } catch (error) {
    if (error instanceof FieldFailure) return error.message;
    throw error;
  }
}
