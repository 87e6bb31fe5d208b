import { isAtWork, isHeldBack } from '../../work/upkeep/deadWork.js';
import type { WorkStore } from '../../work/item/workStore.js';
import type { OperatePorts } from './operatePorts.js';

/** What an operator or a release sees of the whole service. */
export interface ServiceState {
  /** Attempts under way; those that were killed count until their leases end. */
  readonly atWork: number;
  /** Pieces of work that are not done. */
  readonly open: number;
  /** Those of them that wait for the release of a tenant which operators hold. */
  readonly held: number;
  /** Those tenants, and since when, ISO 8601. */
  readonly holds: readonly { readonly tenant: string; readonly since: string }[];
  /** When the service last looked for work that is due, ISO 8601. */
  readonly lastTick: string | null;
  /** About how many messages the host has given up, by queue. */
  readonly deadLetters: Readonly<Record<string, number>>;
  /** Until when no work begins, ISO 8601, and who wants it so. */
  readonly drain: { readonly until: string; readonly by: string } | null;
}

const instantText = (at: number): string => new Date(at).toISOString();

/** The state of the service now. */
export async function serviceState({
  store,
  holds,
  ticks,
  drains,
  deadLetters,
  clock,
}: Pick<OperatePorts, 'store' | 'ticks' | 'drains' | 'deadLetters' | 'clock'> & {
  readonly holds: Pick<OperatePorts['holds'], 'list'>;
}): Promise<ServiceState> {
  const now = clock.now().getTime();
  const [work, held, tickAt, drain, letters] = await Promise.all([
    countWork(store, now),
    holds.list(),
    ticks.find(),
    drains.find(),
    deadLetters(),
  ]);
  return {
    ...work,
    holds: held.map(({ tid, since }) => ({ tenant: tid, since: instantText(since) })),
    lastTick: tickAt === undefined ? null : instantText(tickAt),
    deadLetters: letters,
    drain: drain === undefined || drain.until <= now ? null : { until: instantText(drain.until), by: drain.by },
  };
}

async function countWork(
  store: Pick<WorkStore, 'each'>,
  now: number,
): Promise<Pick<ServiceState, 'atWork' | 'open' | 'held'>> {
  let [atWork, open, held] = [0, 0, 0];
  for await (const item of store.each()) {
    open += 1;
    if (isAtWork(item, now)) atWork += 1;
    if (isHeldBack(item)) held += 1;
  }
  return { atWork, open, held };
}
