import type { CustomerStore } from '../../customers/customerPorts.js';
import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import { addDays } from '../../validation/calendar.js';

/** A piece of work that has not been done for long. */
export interface WaitingWork {
  /** Latest day that it is about. */
  readonly date: string;
  /** When it was stored, milliseconds since 1970 UTC. */
  readonly since: number;
}

export interface WatchPorts {
  readonly customers: Pick<CustomerStore, 'list'>;
  /** Searches and renderings of a customer that were stored before an instant, or that fail again and again. */
  readonly listWaiting: (customer: string, before: number) => Promise<readonly WaitingWork[]>;
  /** Units by place, of all customers, that are open since before an instant, or that wait again and again. */
  readonly listWaitingUnits: (before: number) => Promise<readonly WaitingWork[]>;
  readonly clock: Pick<Clock, 'now'>;
}

/** What customers wait for. */
export interface ImageryWatch {
  /** Pieces of work on the latest days that have waited for six hours: the catalogue has what the customer has not. */
  readonly late: number;
  /** Pieces of work, whatever day they are about, that have waited for more than a day. */
  readonly waiting: number;
  /** Units by place among both: nobody looks whose they are. */
  readonly waitingUnits: number;
  /** Customers who wait for either with work of their own. */
  readonly waitingCustomers: number;
}

const HOUR_MS = 3_600_000;
const LATE_MS = 6 * HOUR_MS;
const WAITING_MS = 24 * HOUR_MS;
/** Days back from today that count as the latest: older ones are a backfill, which may take its time. */
const LATEST_DAYS = 10;
const CUSTOMERS_AT_ONCE = 8;

/** How much of some work counts as either. */
function countOf(works: readonly WaitingWork[], now: number): Pick<ImageryWatch, 'late' | 'waiting'> {
  const latest = addDays(new Date(now).toISOString().slice(0, 10), -LATEST_DAYS);
  return {
    late: works.filter(({ date }) => date >= latest).length,
    waiting: works.filter(({ since }) => since <= now - WAITING_MS).length,
  };
}

/** Counts the imagery of all customers that is late. */
export const watchImagery =
  ({ customers, listWaiting, listWaitingUnits, clock }: WatchPorts) =>
  async (): Promise<ImageryWatch> => {
    const now = clock.now().getTime();
    const units = await listWaitingUnits(now - LATE_MS);
    const isCounted = (unit: WaitingWork): boolean => Object.values(countOf([unit], now)).some((count) => count > 0);
    const total = { ...countOf(units, now), waitingUnits: units.filter(isCounted).length, waitingCustomers: 0 };
    const watch = async (customer: string): Promise<void> => {
      const { late, waiting } = countOf(await listWaiting(customer, now - LATE_MS), now);
      total.late += late;
      total.waiting += waiting;
      if (late + waiting > 0) total.waitingCustomers += 1;
    };
    const watching = limiter(CUSTOMERS_AT_ONCE);
    const present = (await customers.list()).filter(({ isPurging }) => isPurging !== true);
    await Promise.all(present.map(({ customer }) => watching(() => watch(customer))));
    return total;
  };
