import type { Clock } from '../clock.js';
import { addDays } from '../validation/calendar.js';

/** A piece of work that has not been done for long. */
export interface WaitingWork {
  /** Latest day that it is about. */
  readonly date: string;
  /** Milliseconds since 1970 UTC. */
  readonly since: number;
  /** Whose work it is; absent where several share it. */
  readonly customer?: string;
}

export interface WatchPorts {
  /** Work on images that is open since before an instant, or that fails again and again. */
  readonly listWaiting: (before: number) => Promise<readonly WaitingWork[]>;
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

/** Counts the imagery of all customers that is late. */
export const watchImagery =
  ({ listWaiting, clock }: WatchPorts) =>
  async (): Promise<ImageryWatch> => {
    const now = clock.now().getTime();
    const latest = addDays(new Date(now).toISOString().slice(0, 10), -LATEST_DAYS);
    const works = await listWaiting(now - LATE_MS);
    const late = works.filter(({ date }) => date >= latest);
    const waiting = works.filter(({ since }) => since <= now - WAITING_MS);
    const counted = new Set([...late, ...waiting]);
    const owners = [...counted].map(({ customer }) => customer);
    return {
      late: late.length,
      waiting: waiting.length,
      waitingUnits: owners.filter((customer) => customer === undefined).length,
      waitingCustomers: new Set(owners.filter((customer) => customer !== undefined)).size,
    };
  };
