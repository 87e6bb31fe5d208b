import type { Clock } from '../kit/clock.js';
import { addDays } from '../kit/validation/calendar.js';
import { ownerOf, type WorkItem } from '../work/item/workItem.js';
import type { WorkStore } from '../work/item/workStore.js';
import { BACKFILL, backfillOf } from './discovery/backfill.js';
import { UNIT, unitOf } from './units/unit.js';

/** A unit or backfill that has been open for long. */
export interface WaitingWork {
  /** Latest day that the work is about. */
  readonly date: string;
  /** Milliseconds since 1970 UTC. */
  readonly since: number;
  /** Whose work this is; absent for units, which several customers share. */
  readonly customer?: string;
}

/** So many failures in a row mean that work has waited for hours. */
const MANY_FAILURES = 10;

/** A unit of a new scene waits since the first publication, a late one since it was asked for. */
function waitingUnit(item: WorkItem): WaitingWork {
  const { date, lane, publishedAt } = unitOf(item);
  return { date, since: lane === 'live' ? Math.min(publishedAt, item.createdAt) : item.createdAt };
}

/** A backfill waits since it was asked for; one with reason `retry` since it was due or its latest claim. */
function waitingBackfill(item: WorkItem): WaitingWork {
  const { to, why } = backfillOf(item);
  const begun = why === 'retry' ? item.epoch : 0;
  return { date: to, since: Math.max(item.createdAt, item.parked?.askedAt ?? begun), customer: ownerOf(item) };
}

/**
 * Lists units and backfills that are open since before an instant or fail again and again, with one query of each kind for
 * each partition of table `work`.
 */
export const waitingWork =
  (store: Pick<WorkStore, 'list'>) =>
  async (before: number): Promise<readonly WaitingWork[]> => {
    const [units, backfills] = await Promise.all([store.list(UNIT), store.list(BACKFILL)]);
    const isFailing = ({ failures }: WorkItem): boolean =>
      Object.values(failures).some(({ count }) => count >= MANY_FAILURES);
    const waiting = [
      ...units.map((item) => ({ item, work: waitingUnit(item) })),
      ...backfills.map((item) => ({ item, work: waitingBackfill(item) })),
    ];
    return waiting.filter(({ item, work }) => work.since <= before || isFailing(item)).map(({ work }) => work);
  };

export interface WatchPorts {
  /** See `waitingWork`. */
  readonly listWaiting: (before: number) => Promise<readonly WaitingWork[]>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What customers wait for. */
export interface ImageryWatch {
  /** Work on the latest days that has waited for six hours: the catalogue has what the customer has not. */
  readonly late: number;
  /** Work on any day that has waited for more than a day. */
  readonly waiting: number;
  /** Units among both; not counted by customer. */
  readonly waitingUnits: number;
  /** Customers whose backfills are among both. */
  readonly waitingCustomers: number;
}

const HOUR_MS = 3_600_000;
const LATE_MS = 6 * HOUR_MS;
const WAITING_MS = 24 * HOUR_MS;
/** Days back from today that count as the latest: older days are a backfill's, which may take its time. */
const LATEST_DAYS = 10;

/** Counts the imagery of all customers that is late. */
export const watchImagery =
  ({ listWaiting, clock }: WatchPorts) =>
  async (): Promise<ImageryWatch> => {
    const now = clock.now().getTime();
    const latest = addDays(new Date(now).toISOString().slice(0, 10), -LATEST_DAYS);
    const works = await listWaiting(now - LATE_MS);
    const late = works.filter(({ date }) => date >= latest);
    const waiting = works.filter(({ since }) => since <= now - WAITING_MS);
    const owners = [...new Set([...late, ...waiting])].map(({ customer }) => customer);
    const customers = owners.filter((customer) => customer !== undefined);
    return {
      late: late.length,
      waiting: waiting.length,
      waitingUnits: owners.length - customers.length,
      waitingCustomers: new Set(customers).size,
    };
  };
