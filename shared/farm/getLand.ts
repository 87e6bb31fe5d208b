import { farmFaults } from '../errors/farmFaults.js';
import { ServiceError } from '../errors/serviceError.js';
import type { Land, LandKey } from './land.js';
import type { LandStore, StoredLand } from './landStore.js';

/** A party, farm or field of the tenant. @throws ServiceError 404 also for one that is being deleted */
export const getLand =
  ({ land }: { readonly land: Pick<LandStore, 'find'> }) =>
  async (key: LandKey): Promise<Land> =>
    (await requireLand(land, key)).land;

/** @throws ServiceError 404 */
export async function requireLand(land: Pick<LandStore, 'find'>, key: LandKey): Promise<StoredLand> {
  const found = await land.find(key);
  if (found === undefined || found.land.isDeleting === true) {
    throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no ${nameOf(key)}.`);
  }
  return found;
}

const nameOf = ({ kind, partyId, id }: LandKey): string =>
  kind === 'party' ? `party ${id}` : `${kind} ${id} of a party ${partyId}`;
