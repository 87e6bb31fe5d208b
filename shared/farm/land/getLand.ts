import { commonFaults } from '../../kit/errors/catalogue.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Land, LandKey } from './land.js';
import type { LandStore, StoredLand } from './landStore.js';

/** A party, farm or field of the tenant, with its geometry. @throws ServiceError 404 also for one that is being deleted, 503 */
export const getLand =
  ({ land }: { readonly land: Pick<LandStore, 'findWhole'> }) =>
  async (key: LandKey): Promise<Land> => {
    const { land: found } = present(key, await land.findWhole(key));
    if (found.extent === undefined || found.packed !== undefined) return found;
    const text = `The geometry of the ${nameOf(key)} cannot be read. Send it again with a PATCH, or have its file restored.`;
    throw new ServiceError(commonFaults.unavailable, text);
  };

/** The same without its geometry. @throws ServiceError 404 */
export async function requireLand(land: Pick<LandStore, 'find'>, key: LandKey): Promise<StoredLand> {
  return present(key, await land.find(key));
}

function present<T extends StoredLand>(key: LandKey, found: T | undefined): T {
  if (found !== undefined && found.land.isDeleting !== true) return found;
  throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no ${nameOf(key)}.`);
}

const nameOf = ({ kind, partyId, id }: LandKey): string =>
  kind === 'party' ? `party ${id}` : `${kind} ${id} of a party ${partyId}`;
