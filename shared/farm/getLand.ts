import { commonFaults } from '../errors/catalogue.js';
import { farmFaults } from '../errors/farmFaults.js';
import { ServiceError } from '../errors/serviceError.js';
import type { Land, LandKey } from './land.js';
import type { LandStore, StoredLand } from './landStore.js';

/** A party, farm or field of the tenant. @throws ServiceError 404 also for one that is being deleted, 503 */
export const getLand =
  ({ land }: { readonly land: Pick<LandStore, 'find'> }) =>
  async (key: LandKey): Promise<Land> => {
    const { land: found } = await requireLand(land, key, { withGeometry: true });
    if (found.extent === undefined || found.geometry !== undefined) return found;
    const text = `The geometry of the ${nameOf(key)} cannot be read. Send it again with a PATCH, or have its file restored.`;
    throw new ServiceError(commonFaults.unavailable, text);
  };

/** The same without its geometry where that is not asked for. @throws ServiceError 404 */
export async function requireLand(
  land: Pick<LandStore, 'find'>,
  key: LandKey,
  { withGeometry = false } = {},
): Promise<StoredLand> {
  const found = await land.find(key, { withGeometry });
  if (found === undefined || found.land.isDeleting === true) {
    throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no ${nameOf(key)}.`);
  }
  return found;
}

const nameOf = ({ kind, partyId, id }: LandKey): string =>
  kind === 'party' ? `party ${id}` : `${kind} ${id} of a party ${partyId}`;
