import type { Clock } from '../../kit/clock.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Lanes } from '../../work/lanes/lanes.js';
import { deletionsLaneOf } from '../../work/lanes/lane.js';
import { inLane, newItem } from '../../work/item/workItem.js';
import type { FarmWorkStore } from '../upkeep/farmWorkStore.js';
import { isSameKey, type LandKey } from '../land/land.js';
import type { LandStore } from '../land/landStore.js';
import { workOfCascade, type CascadeJob } from './cascadeJob.js';
import { cascadeFacts } from './cascadeFacts.js';

export interface StartCascadePorts {
  readonly land: Pick<LandStore, 'find'>;
  readonly cascades: FarmWorkStore<CascadeJob>;
  readonly lanes: Pick<Lanes, 'wait'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Has a party, farm or field deleted with all that lies below it. The same id and target once more answer the job as it is.
 *
 * @throws ServiceError 404 without the resource, 409 for an id that another resource was deleted by
 */
export const startCascade =
  ({ land, cascades, lanes, clock }: StartCascadePorts) =>
  async (jobId: string, target: LandKey): Promise<CascadeJob> => {
    const key = workOfCascade(target, jobId);
    const there = await cascades.find(key);
    if (there !== undefined) return asAskedFor(there.value, target);
    const found = await land.find(target);
    if (found === undefined) {
      throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no ${target.kind} ${target.id}.`);
    }
    const now = clock.now().getTime();
    const job: CascadeJob = { id: jobId, target, status: 'Waiting', createdAt: now, lastActionAt: now };
    const lane = deletionsLaneOf(target.tenant);
    const item = newItem({ ...key, facts: cascadeFacts({ target, createdAt: found.land.createdAt }) }, now);
    if (await cascades.insert(inLane(item, { lane, askedAt: now }), job)) {
      // A ticket that can't be left is left by the sweep.
      await lanes.wait(lane, { ...key, askedAt: now }).catch(() => undefined);
      return job;
    }
    return getCascade({ cascades })(target, jobId).then((other) => asAskedFor(other, target));
  };

/** @throws ServiceError 404 */
export const getCascade =
  ({ cascades }: Pick<StartCascadePorts, 'cascades'>) =>
  async (of: Pick<LandKey, 'tenant' | 'kind'>, jobId: string): Promise<CascadeJob> => {
    const found = await cascades.find(workOfCascade(of, jobId));
    if (found !== undefined) return found.value;
    throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no cascade delete ${jobId} of a ${of.kind}.`);
  };

function asAskedFor(job: CascadeJob, { partyId, id }: LandKey): CascadeJob {
  if (isSameKey(job.target.partyId, partyId) && isSameKey(job.target.id, id)) return job;
  throw new ServiceError(
    farmFaults.conflict,
    `The cascade delete ${job.id} deletes another ${job.target.kind}. Choose another id.`,
  );
}
