import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { requireLand } from '../land/getLand.js';
import type { LandKey } from '../land/land.js';
import type { FarmInsightStore } from '../insights/insightStore.js';
import type { LandStore } from '../land/landStore.js';
import { checkPreconditions, type Preconditions } from '../../kit/validation/preconditions.js';
import { typeOfLand } from '../insights/farmInsight.js';

export interface RemoveLandPorts {
  readonly land: LandStore;
  readonly insights: Pick<FarmInsightStore, 'hasAny'>;
  /** Has a resource that is marked deleted with whatever has slipped in below it. */
  readonly sweepUp: (key: LandKey) => Promise<void>;
}

/**
 * Deletes a party, farm or field of which nothing depends. From the mark on the resource is gone for callers, and whatever
 * a request under way may still create below it goes with it.
 *
 * @throws ServiceError 404, 409 while others depend on it, 412 by its precondition
 */
export const removeLand =
  ({ land, insights, sweepUp }: RemoveLandPorts) =>
  async (key: LandKey, precondition: Preconditions): Promise<void> => {
    const found = await requireLand(land, key);
    checkPreconditions(precondition, found.land);
    const dependents = await dependentsOf({ land, insights }, key);
    if (dependents !== undefined) {
      throw new ServiceError(
        farmFaults.conflict,
        `The ${key.kind} ${key.id} has ${dependents}. Delete them first, or delete all at once with cascade-delete.`,
      );
    }
    await sweepUp(key);
    if (await land.mark(key, found.etag)) return;
    throw new ServiceError(
      farmFaults.conflict,
      `The ${key.kind} ${key.id} was changed at the same time; send it again.`,
    );
  };

/** What lies below a resource, in words; undefined when nothing does. */
async function dependentsOf(
  { land, insights }: Pick<RemoveLandPorts, 'land' | 'insights'>,
  { kind, tenant, partyId, id }: LandKey,
): Promise<string | undefined> {
  const isThere = (below: 'farm' | 'field', farmId?: string): Promise<boolean> =>
    land.hasAny({ kind: below, tenant, partyId }, farmId);
  if (kind === 'party' && (await isThere('farm'))) return 'farms';
  if (kind === 'party' && (await isThere('field'))) return 'fields';
  if (kind === 'farm' && (await isThere('field', id))) return 'fields';
  const resource = { tenant, partyId, resourceType: typeOfLand[kind], resourceId: id };
  return (await insights.hasAny(resource)) ? 'insights' : undefined;
}
