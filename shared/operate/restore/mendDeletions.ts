import { cascadeFacts } from '../../farm/cascade/cascadeFacts.js';
import { CASCADE, CASCADE_PREFIX, workOfCascade, type CascadeJob } from '../../farm/cascade/cascadeJob.js';
import { tombstoneKey, TombstoneStore } from '../../farm/erase/tombstoneStore.js';
import type { FarmWorkRow } from '../../farm/upkeep/farmWorkStore.js';
import { landKinds, partyKeyOf, type LandKey } from '../../farm/land/land.js';
import { landPlaceOf, placeNameOf, tableOf } from '../../farm/land/landPlace.js';
import type { LandRow } from '../../farm/land/landRow.js';
import { deterministicId } from '../../kit/ids.js';
import { deletionsLaneOf } from '../../work/lanes/lane.js';
import { inLane, newItem, type WorkItem } from '../../work/item/workItem.js';
import { WorkStore } from '../../work/item/workStore.js';
import type { MendPorts } from './mendJobs.js';

type MendDeletionsPorts = Pick<MendPorts, 'rows' | 'clock'>;

/**
 * After a restore: writes the work of deletions that were answered and had not come to their end. These are cascade deletes,
 * and parties, farms and fields that are marked, by whichever deletion: without it they would be gone for their callers and
 * stand in the way of new ones of their id for ever.
 *
 * @returns how many
 */
export async function mendDeletions(ports: MendDeletionsPorts): Promise<number> {
  const work = new WorkStore(ports.rows('work'));
  let mended = 0;
  for (const items of [openCascades(ports), markedLand(ports)]) {
    for await (const item of items) {
      // What is there already goes on.
      await work.insert(item);
      mended += 1;
    }
  }
  return mended;
}

/** The work of cascade deletes that have not ended. A resource that was created behind the request is another. */
async function* openCascades({ rows, clock }: MendDeletionsPorts): AsyncGenerator<WorkItem> {
  const now = clock.now().getTime();
  for await (const page of rows('work').scan<FarmWorkRow>({ prefix: CASCADE_PREFIX })) {
    for (const { id, target, createdAt: askedAt, endedAt } of page.map(
      ({ value }) => JSON.parse(value) as CascadeJob,
    )) {
      if (endedAt !== undefined) continue;
      const found = await rows(tableOf[target.kind]).find<Pick<LandRow, 'createdAt'>>(...landPlaceOf(target));
      const createdAt = Math.min(found?.createdAt ?? askedAt, askedAt);
      const item = newItem({ ...workOfCascade(target, id), facts: cascadeFacts({ target, createdAt }) }, now);
      yield inLane({ ...item, checkAt: now }, { lane: deletionsLaneOf(target.tenant), askedAt: now });
    }
  }
}

/** The work of what is marked. What lies below a marked party or farm goes with that; erasures have work of their own. */
async function* markedLand({ rows, clock }: MendDeletionsPorts): AsyncGenerator<WorkItem> {
  const now = clock.now().getTime();
  const covered = new Set<string>();
  const isErased = await openErasures({ rows });
  for (const kind of landKinds) {
    const where = { column: 'isDeleting', equals: true };
    for await (const page of rows(tableOf[kind]).scan<LandRow>({}, { where })) {
      for (const { partitionKey, partyId, id, farmKey } of page) {
        const [tenant = ''] = partitionKey.split('|');
        const target: LandKey = { kind, tenant, partyId, id };
        const above = [partyKeyOf(tenant, partyId), { ...target, kind: 'farm', id: farmKey } as const];
        if (isErased(target) || (kind !== 'party' && above.some((key) => covered.has(placeNameOf(key))))) continue;
        covered.add(placeNameOf(target));
        yield { ...newItem(workOfMark(target), now), checkAt: now };
      }
    }
  }
}

/** Like that of a single deletion: it goes on only with what is marked. */
const workOfMark = (target: LandKey) => ({
  kind: CASCADE,
  id: `${target.tenant}|${target.kind}|${deterministicId('restored', placeNameOf(target))}`,
  facts: cascadeFacts({ target }),
});

/** Whether an erasure that has not come to its end takes a resource along. */
async function openErasures({ rows }: Pick<MendPorts, 'rows'>): Promise<(key: LandKey) => boolean> {
  const open = new Set((await new TombstoneStore(rows('farmParties')).listOpen()).map(tombstoneKey));
  return ({ tenant, partyId }) => open.has(tombstoneKey({ tenant })) || open.has(tombstoneKey({ tenant, partyId }));
}
