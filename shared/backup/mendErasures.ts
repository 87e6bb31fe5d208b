import { workOfErasure, NOTHING_ERASED, type Erasure } from '../farm/erase/erasure.js';
import { TombstoneStore } from '../farm/erase/tombstoneStore.js';
import { FarmWorkStore } from '../farm/farmWorkStore.js';
import { newItem } from '../work/workItem.js';
import type { MendPorts } from './mendJobs.js';

/** After a restore: writes the work of erasures that had not come to their end. @returns how many */
export async function mendErasures({ rows, clock }: Pick<MendPorts, 'rows' | 'clock'>): Promise<number> {
  const erasures = new FarmWorkStore<Erasure>(rows('work'));
  const open = await new TombstoneStore(rows('farmParties')).listOpen();
  const createdAt = clock.now().getTime();
  for (const scope of open) {
    const erasure: Erasure = { ...scope, status: 'Waiting', counts: NOTHING_ERASED, createdAt };
    await erasures.insert(newItem(workOfErasure(scope), createdAt), erasure);
  }
  return open.length;
}
