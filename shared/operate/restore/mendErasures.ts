import { workOfErasure, NOTHING_ERASED, type Erasure } from '../../farm/erase/erasure.js';
import { TombstoneStore } from '../../farm/erase/tombstoneStore.js';
import { FarmWorkStore } from '../../farm/upkeep/farmWorkStore.js';
import { newItem } from '../../work/item/workItem.js';
import type { MendPorts } from './mendJobs.js';

/** After a restore: writes the work of erasures that had not come to their end. @returns how many */
export async function mendErasures({ rows, clock }: Pick<MendPorts, 'rows' | 'clock'>): Promise<number> {
  const erasures = new FarmWorkStore<Erasure>(rows('work'));
  const open = await new TombstoneStore(rows('farmParties')).listOpen();
  const createdAt = clock.now().getTime();
  for (const scope of open) {
    const erasure: Erasure = { ...scope, status: 'Waiting', counts: NOTHING_ERASED, createdAt };
    // The next sweep looks at it: whoever created the party meanwhile would have it erased.
    const item = { ...newItem(workOfErasure(scope), createdAt), checkAt: createdAt };
    const there = await erasures.find(item);
    if (there === undefined) await erasures.insert(item, erasure);
    // Of an earlier erasure of the same, which had come to its end.
    else if (there.value.endedAt !== undefined) await erasures.insertAgain(item, there, erasure);
  }
  return open.length;
}
