import { isAtWork } from '../work/deadWork.js';
import type { OperatePorts } from './operatePorts.js';

/** What an operator or a release sees of the whole service. */
export interface ServiceState {
  /** Attempts under way; those that were killed count until their leases end. */
  readonly atWork: number;
  /** Pieces of work that are not done. */
  readonly open: number;
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
  ticks,
  drains,
  deadLetters,
  clock,
}: Pick<OperatePorts, 'store' | 'ticks' | 'drains' | 'deadLetters' | 'clock'>): Promise<ServiceState> {
  const [open, tickAt, drain, letters] = await Promise.all([store.list(), ticks.find(), drains.find(), deadLetters()]);
  const now = clock.now().getTime();
  return {
    atWork: open.filter((item) => isAtWork(item, now)).length,
    open: open.length,
    lastTick: tickAt === undefined ? null : instantText(tickAt),
    deadLetters: letters,
    drain: drain === undefined || drain.until <= now ? null : { until: instantText(drain.until), by: drain.by },
  };
}
