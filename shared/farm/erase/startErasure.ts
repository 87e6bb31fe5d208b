import type { Clock } from '../../clock.js';
import type { Lanes } from '../../work/lanes.js';
import { farmLaneOf } from '../../work/lane.js';
import { inLane, newItem } from '../../work/workItem.js';
import type { FarmWorkStore } from '../farmWorkStore.js';
import type { ErasureScope } from '../erasureScope.js';
import { NOTHING_ERASED, workOfErasure, type Erasure } from './erasure.js';

export interface StartErasurePorts {
  readonly erasures: FarmWorkStore<Erasure>;
  readonly lanes: Pick<Lanes, 'wait'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Has a party, or everything of a tenant, erased; one that is under way goes on, one that has ended begins anew. */
export const startErasure =
  ({ erasures, lanes, clock }: StartErasurePorts) =>
  async (scope: ErasureScope): Promise<Erasure> => {
    const key = workOfErasure(scope);
    const now = clock.now().getTime();
    const erasure: Erasure = { ...scope, status: 'Waiting', counts: NOTHING_ERASED, createdAt: now };
    const lane = farmLaneOf(scope.tenant);
    // Operators' commands leave the ticket and can give no slot: the next sweep looks at it.
    const item = inLane({ ...newItem(key, now), checkAt: now }, { lane, askedAt: now });
    for (;;) {
      const there = await erasures.find(key);
      if (there !== undefined && there.value.endedAt === undefined) return there.value;
      const isBegun = there === undefined ? erasures.insert(item, erasure) : erasures.insertAgain(item, there, erasure);
      if (!(await isBegun)) continue;
      // A ticket that can't be left is left by the sweep.
      await lanes.wait(lane, { ...key, askedAt: now }).catch(() => undefined);
      return erasure;
    }
  };
