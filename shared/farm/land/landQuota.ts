import type { Clock } from '../../kit/clock.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { RecentMap } from '../../kit/recentMap.js';
import type { FarmCountStore, LandCounts } from './farmCounts.js';
import type { LandKind } from './land.js';

/** So long a count that was read is taken for good. */
const KEPT_MS = 10 * 60_000;
const MOST_TENANTS = 1_000;

const plurals: Readonly<Record<LandKind, string>> = { party: 'parties', farm: 'farms', field: 'fields' };

export interface LandQuotaPorts {
  readonly counts: Pick<FarmCountStore, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Whether a tenant may have one more of a kind, by the count of the latest night: what is created meanwhile is counted the
 * night after.
 *
 * @param quotas how many of each kind a tenant may have
 * @returns a check that throws ServiceError 403 when a tenant has as many
 */
export function landQuota(
  { counts, clock }: LandQuotaPorts,
  quotas: LandCounts,
): (tenant: string, kind: LandKind) => Promise<void> {
  const known = new RecentMap<{ readonly counts: LandCounts | undefined; readonly readAt: number }>(MOST_TENANTS);
  const countsOf = async (tenant: string): Promise<LandCounts | undefined> => {
    const now = clock.now().getTime();
    const kept = known.get(tenant);
    if (kept !== undefined && now - kept.readAt < KEPT_MS) return kept.counts;
    const found = (await counts.find(tenant))?.counts;
    known.use(tenant, { counts: found, readAt: now });
    return found;
  };
  return async (tenant, kind) => {
    const count = (await countsOf(tenant))?.[kind] ?? 0;
    const most = quotas[kind];
    if (count < most) return;
    throw new ServiceError(
      farmFaults.quotaExceeded,
      `Your tenant has ${count} ${plurals[kind]}; at most ${most} are kept. Delete some: they are counted every night. Those that are there can be changed.`,
    );
  };
}
