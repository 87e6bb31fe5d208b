import type { Clock } from '../../kit/clock.js';
import type { Enqueuer } from '../../work/enqueue.js';
import { newItem } from '../../work/item/workItem.js';
import type { FarmWorkStore } from '../upkeep/farmWorkStore.js';
import type { ErasureScope } from '../upkeep/erasureScope.js';
import { NOTHING_ERASED, workOfErasure, type Erasure } from './erasure.js';

export interface StartErasurePorts {
  readonly erasures: FarmWorkStore<Erasure>;
  readonly work: Pick<Enqueuer, 'send'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Has a party, or everything of a tenant, erased; one that is under way goes on, one that has ended begins anew. */
export const startErasure =
  ({ erasures, work, clock }: StartErasurePorts) =>
  async (scope: ErasureScope): Promise<Erasure> => {
    const key = workOfErasure(scope);
    const now = clock.now().getTime();
    const erasure: Erasure = { ...scope, status: 'Waiting', counts: NOTHING_ERASED, createdAt: now };
    // In no lane: it ends the imports that would stand before it there. A command of an operator can send no message; the
    // next sweep looks at the item.
    const item = { ...newItem(key, now), checkAt: now };
    for (;;) {
      const there = await erasures.find(key);
      if (there !== undefined && there.value.endedAt === undefined) return there.value;
      const isBegun = there === undefined ? erasures.insert(item, erasure) : erasures.insertAgain(item, there, erasure);
      if (!(await isBegun)) continue;
      await work.send(item);
      return erasure;
    }
  };
