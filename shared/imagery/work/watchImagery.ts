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
  readonly clock: Pick<Clock, 'now'>;
}

/** What customers wait for. */
export interface ImageryWatch {
  /** Pieces of work on the latest days that have waited for six hours: the catalogue has what the customer has not. */
  readonly late: number;
  /** Pieces of work, whatever day they are about, that have waited for more than a day. */
  readonly waiting: number;
  /** Customers who wait for either. */
  readonly waitingCustomers: number;
}

const HOUR_MS = 3_600_000;
const LATE_MS = 6 * HOUR_MS;
const WAITING_MS = 24 * HOUR_MS;
/** Days back from today that count as the latest: older ones are a backfill, which may take its time. */
const LATEST_DAYS = 10;
const CUSTOMERS_AT_ONCE = 8;

/** Counts the imagery of all customers that is late. */
export const watchImagery =
  ({ customers, listWaiting, clock }: WatchPorts) =>
  async (): Promise<ImageryWatch> => {
    const now = clock.now().getTime();
    const latest = addDays(new Date(now).toISOString().slice(0, 10), -LATEST_DAYS);
    const total = { late: 0, waiting: 0, waitingCustomers: 0 };
    const watch = async (customer: string): Promise<void> => {
      const works = await listWaiting(customer, now - LATE_MS);
      const late = works.filter(({ date }) => date >= latest).length;
      const waiting = works.filter(({ since }) => since <= now - WAITING_MS).length;
      total.late += late;
      total.waiting += waiting;
      if (late + waiting > 0) total.waitingCustomers += 1;
    };
    const watching = limiter(CUSTOMERS_AT_ONCE);
    const present = (await customers.list()).filter(({ isPurging }) => isPurging !== true);
    await Promise.all(present.map(({ customer }) => watching(() => watch(customer))));
    return total;
  };
