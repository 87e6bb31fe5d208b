import type { Clock } from '../../kit/clock.js';
import { isTurn } from '../../work/upkeep/nightTurn.js';
import type { FarmRequests } from './farmRequests.js';
import type { FarmInsightStore } from '../insights/insightStore.js';
import type { LandStore } from '../land/landStore.js';

const DAY_MS = 86_400_000;
/** Nights from one sweep of a party to the next: what is some weeks too old only takes space. */
const SWEPT_EVERY_DAYS = 30;
/** How long what callers asked for is shown behind its end. */
const REQUEST_DAYS = 30;
/** A file is written a moment before the row that names it. */
const STRAY_AFTER_MS = DAY_MS;
const PAGE = 1_000;

export interface SweepFarmDataPorts {
  readonly land: Pick<LandStore, 'page'>;
  readonly insights: Pick<FarmInsightStore, 'removeOld' | 'removeStrayFiles'>;
  readonly requests: Pick<FarmRequests, 'forgetEnded' | 'removeStrayFiles'>;
  readonly listTenants: () => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface SweptFarmData {
  readonly insights: number;
  readonly files: number;
  readonly requests: number;
}

/**
 * Deletes insights that were not changed for so many days and files that nothing names, of a thirtieth of the parties each
 * night; forgets the cascade deletes, imports and erasures that ended a month ago.
 */
export const sweepFarmData =
  (ports: SweepFarmDataPorts, insightDays: number, everyDays = SWEPT_EVERY_DAYS) =>
  async (): Promise<SweptFarmData> => {
    const now = ports.clock.now().getTime();
    const turn = { day: new Date(now).toISOString().slice(0, 10), everyDays };
    let [insights, files] = [0, 0];
    for (const tenant of await ports.listTenants()) {
      if (isTurn(tenant, turn)) files += await ports.requests.removeStrayFiles(tenant, now - STRAY_AFTER_MS);
      for await (const partyId of partiesOf(ports, tenant)) {
        const party = { tenant, partyId };
        if (!isTurn(`${tenant}|${partyId}`, turn)) continue;
        const removed = await removeOld(ports, party, now - insightDays * DAY_MS);
        insights += removed.insights;
        files += removed.attachments + (await ports.insights.removeStrayFiles(party, now - STRAY_AFTER_MS));
      }
    }
    return { insights, files, requests: await ports.requests.forgetEnded(now - REQUEST_DAYS * DAY_MS) };
  };

async function* partiesOf({ land }: SweepFarmDataPorts, tenant: string): AsyncGenerator<string> {
  for (let after: { party: string; row: string } | undefined; ;) {
    const page = await land.page({ kind: 'party', tenant }, { after, most: PAGE });
    yield* page.map(({ at }) => at.row);
    if (page.length < PAGE) return;
    after = page.at(-1)?.at;
  }
}

async function removeOld(
  { insights }: SweepFarmDataPorts,
  party: { readonly tenant: string; readonly partyId: string },
  before: number,
): Promise<{ readonly insights: number; readonly attachments: number }> {
  const sum = { insights: 0, attachments: 0 };
  for (;;) {
    const removed = await insights.removeOld(party, before);
    if (removed.insights + removed.attachments + removed.days === 0) return sum;
    sum.insights += removed.insights;
    sum.attachments += removed.attachments;
  }
}
