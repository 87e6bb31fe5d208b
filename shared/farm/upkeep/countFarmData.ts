import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import {
  NO_LAND,
  type CountInProgress,
  type FarmCountStore,
  type LandCounts,
  type StoredCounts,
} from '../land/farmCounts.js';
import { landKinds } from '../land/land.js';
import type { LandStore } from '../land/landStore.js';

const ROWS_A_READ = 1_000;
/** Three million rows: some minutes. What is more is counted on by the nights that follow. */
const READS_A_NIGHT = 3_000;
/** From this share of a quota on operators are told. */
const NEAR_FRACTION = 0.9;

export interface CountFarmDataPorts {
  readonly land: Pick<LandStore, 'keysOf'>;
  readonly counts: FarmCountStore;
  /** How many of each kind a tenant may have. */
  readonly quotas: LandCounts;
  readonly listTenants: () => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/**
 * Counts the parties, farms and fields of each tenant, whose count is the oldest first. A night reads a bounded number of
 * pages of keys; where it stops the next one goes on.
 *
 * @returns tenants whose count came to its end
 */
export const countFarmData =
  (ports: CountFarmDataPorts, reads = READS_A_NIGHT) =>
  async (): Promise<{ readonly tenants: number; readonly reads: number }> => {
    const known = await ports.counts.list();
    const tenants = (await ports.listTenants()).toSorted(byAge(known));
    let [left, done] = [reads, 0];
    for (const tenant of tenants) {
      if (left <= 0) break;
      const before = known.get(tenant) ?? { countedAt: 0 };
      const { count, used } = await countOn(ports, tenant, before.inProgress ?? beginning, left);
      left -= used;
      const isWhole = count.kind === 'done';
      await ports.counts.put(tenant, isWhole ? whole(ports, count.counts) : { ...before, inProgress: count });
      if (!isWhole) break;
      done += 1;
      sayCounts(ports, tenant, count.counts);
    }
    return { tenants: done, reads: reads - left };
  };

function sayCounts({ quotas, log }: CountFarmDataPorts, tenant: string, counts: LandCounts): void {
  const { party: parties, farm: farms, field: fields } = counts;
  log('Farm:Counted', { tenant, parties, farms, fields });
  for (const kind of landKinds) {
    const [count, most] = [counts[kind], quotas[kind]];
    if (count >= NEAR_FRACTION * most) log('Farm:NearQuota', { tenant, kind, count, most });
  }
}

const beginning: CountInProgress = { kind: landKinds[0], counts: NO_LAND };

/** The tenant in the middle of whose count a night stopped comes first, for its last full count is the oldest. */
const byAge =
  (known: ReadonlyMap<string, StoredCounts>) =>
  (one: string, other: string): number =>
    (known.get(one)?.countedAt ?? 0) - (known.get(other)?.countedAt ?? 0);

const whole = ({ clock }: CountFarmDataPorts, counts: LandCounts): StoredCounts => ({
  counts,
  countedAt: clock.now().getTime(),
});

type Count = CountInProgress | { readonly kind: 'done'; readonly counts: LandCounts };

/** Goes on with a count for so many reads. */
async function countOn(
  { land }: CountFarmDataPorts,
  tenant: string,
  from: CountInProgress,
  most: number,
): Promise<{ readonly count: Count; readonly used: number }> {
  let at = from;
  for (let used = 1; used <= most; used += 1) {
    const page = await land.keysOf({ kind: at.kind, tenant }, at.after, ROWS_A_READ);
    const counts = { ...at.counts, [at.kind]: at.counts[at.kind] + page.length };
    const after = page.at(-1);
    if (page.length === ROWS_A_READ && after !== undefined) {
      at = { kind: at.kind, after, counts };
      continue;
    }
    const next = landKinds[landKinds.indexOf(at.kind) + 1];
    if (next === undefined) return { count: { kind: 'done', counts }, used };
    at = { kind: next, counts };
  }
  return { count: at, used: most };
}
