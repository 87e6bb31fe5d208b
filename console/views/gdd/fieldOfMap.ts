import { partsOf } from '../../../shared/geo/shapes/geoJson.js';
import { putField, readFarmField, type LandPatch } from '../../api/farm.js';
import type { ListedField } from '../../api/fields.js';
import { ApiError } from '../../api/errors.js';
import { customerFolder } from '../../api/storage.js';
import { farmAccess } from '../../parts/farmAccess.js';
import { nameBasedId } from '../../parts/nameBasedId.js';
import { fields } from '../fields/fieldsStore.js';
import type { SeasonWanted } from './seasonWanted.js';

/** The namespace of the fields that came from the map: the name-based id of the customer within it names the rest. */
const NAMESPACE = '7b0f4a1e-52c8-5d6b-9a43-0c1e8f2d6a95';

/** The id that a field of the map has as a field of the tenant: the same one each time. */
export const idOfMapField = async (customer: string, fieldId: string): Promise<string> =>
  nameBasedId(await nameBasedId(NAMESPACE, customer), fieldId);

/** Parts of one field in several places are no boundary that degree-days take. */
export const isOnePart = ({ geometry }: ListedField): boolean => partsOf(geometry).length === 1;

/** What is written of a field of one part. @param farmId empty for none */
export function patchOfMapField({ field_id: name, geometry }: ListedField, farmId: string): LandPatch {
  const [coordinates = []] = partsOf(geometry);
  const farm = farmId === '' ? {} : { farmId };
  return { name, ...farm, geometry: { type: 'Polygon', coordinates }, source: 'Field imagery' };
}

/** The fields of the map that can have degree-days: where the token may write farm data, they become fields of a farm. */
export function mapFields(): readonly ListedField[] {
  const access = farmAccess.value;
  return access.state === 'own' && access.canWrite ? (fields.value ?? []) : [];
}

/** The field of the map that is chosen; undefined where the field of a farm is. */
export const mapFieldOf = ({ mapField }: Pick<SeasonWanted, 'mapField'>): ListedField | undefined =>
  mapField === undefined ? undefined : mapFields().find((field) => field.field_id === mapField && isOnePart(field));

/** The id of a field of the map among those of the farm. */
export const landIdOf = async ({ field_id: fieldId }: ListedField): Promise<string> => {
  const [customer = ''] = (await customerFolder()).split('/');
  return idOfMapField(customer, fieldId);
};

/** The id of the chosen field; one of the map is created first, once: what was changed of it since then stays. */
export async function fieldIdOf(wanted: SeasonWanted): Promise<string> {
  const { partyId, farmId, fieldId } = wanted;
  const field = mapFieldOf(wanted);
  if (field === undefined || partyId === '') return fieldId;
  const id = await landIdOf(field);
  try {
    await readFarmField(partyId, id);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await putField(partyId, id, patchOfMapField(field, farmId));
  }
  return id;
}
