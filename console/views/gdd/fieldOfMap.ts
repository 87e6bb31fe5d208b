import { partsOf } from '../../../shared/geo/geoJson.js';
import type { LandPatch } from '../../api/farm.js';
import type { ListedField } from '../../api/fields.js';
import { nameBasedId } from '../../parts/nameBasedId.js';

/** The namespace of the fields that came from the map: the name-based id of the customer within it names the rest. */
const NAMESPACE = '7b0f4a1e-52c8-5d6b-9a43-0c1e8f2d6a95';

/** The id that a field of the map has as a field of the tenant: the same one each time. */
export const idOfMapField = async (customer: string, fieldId: string): Promise<string> =>
  nameBasedId(await nameBasedId(NAMESPACE, customer), fieldId);

/** What is written of it. Parts of one field in several places are no boundary that degree-days take. */
export function patchOfMapField({ field_id: name, geometry }: ListedField, farmId: string): LandPatch | undefined {
  const [shape, ...others] = partsOf(geometry);
  if (shape === undefined || others.length > 0) return undefined;
  return { name, farmId, geometry: { type: 'Polygon', coordinates: shape }, source: 'Field imagery' };
}
