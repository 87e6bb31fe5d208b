import type { Clock } from '../../kit/clock.js';
import type { Rows } from '../../storage/rows.js';
import type { NoticeOwner } from './noticeOwner.js';

/** Partition of table `webhooks` that says for whom logs are kept; RowKey is the owner. */
export const LISTENERS = 'on';

interface ListenerRow {
  /** The log is kept until then without a webhook, ISO 8601. */
  readonly until: string;
}

const DAY_MS = 24 * 3_600_000;
/** A log without a webhook is kept for so long behind the last look into it. */
const KEPT_MS = 30 * DAY_MS;

/** A reading of the listeners is used this long, and so long in all while storage is away. */
const FRESH_MS = 60_000;
const STALE_MS = 10 * 60_000;

/** Who listens: owners with a webhook, or that look into their log. For everybody else nothing is told and nothing kept. */
export class ListenerStore {
  readonly #rows: Rows;
  readonly #clock: Pick<Clock, 'now'>;
  #reading: { readonly owners: ReadonlyMap<string, number>; readonly at: number } | undefined;
  #inFlight: Promise<void> | undefined;

  /** @param rows table `webhooks` */
  constructor(rows: Rows, clock: Pick<Clock, 'now'>) {
    this.#rows = rows;
    this.#clock = clock;
  }

  /** Whether the owner listens; known to within a minute. @throws ServiceError 503 when storage is away for long */
  async has(owner: NoticeOwner): Promise<boolean> {
    return ((await this.#listeners()).get(owner) ?? 0) > this.#now();
  }

  /** Whether the owner listens at this moment; one request of storage. */
  async hasNow(owner: NoticeOwner): Promise<boolean> {
    const row = await this.#rows.find<ListenerRow>(LISTENERS, owner);
    return row !== undefined && Date.parse(row.until) > this.#now();
  }

  /** Every owner for whom a log is kept. */
  async list(): Promise<readonly NoticeOwner[]> {
    await this.#read();
    return [...(this.#reading?.owners.keys() ?? [])] as NoticeOwner[];
  }

  /** Has a log kept for the owner; whoever tells of events knows within a minute. */
  async listen(owner: NoticeOwner): Promise<void> {
    const known = (await this.#listeners()).get(owner) ?? 0;
    // One write a day for somebody who looks into the log all the time.
    if (known - this.#now() > KEPT_MS - DAY_MS) return;
    await this.#rows.put<ListenerRow>(LISTENERS, owner, { until: new Date(this.#now() + KEPT_MS).toISOString() });
    await this.#read();
  }

  /** Keeps no log for the owner any more, unless the owner has begun to listen anew meanwhile. */
  async forget(owner: NoticeOwner): Promise<void> {
    const row = await this.#rows.find<ListenerRow>(LISTENERS, owner);
    if (row !== undefined && Date.parse(row.until) <= this.#now()) {
      await this.#rows.delete(LISTENERS, owner, row.etag);
    }
    await this.#read();
  }

  /** Owners whose time is over; they may have a webhook. */
  async expired(): Promise<readonly NoticeOwner[]> {
    await this.#read();
    const now = this.#now();
    return [...(this.#reading?.owners ?? [])].flatMap(([owner, until]) => (until <= now ? [owner as NoticeOwner] : []));
  }

  async #listeners(): Promise<ReadonlyMap<string, number>> {
    const reading = this.#reading;
    const age = reading === undefined ? Infinity : this.#now() - reading.at;
    if (reading !== undefined && age < FRESH_MS) return reading.owners;
    await this.#read().catch((error: unknown) => {
      if (age > STALE_MS) throw error;
    });
    return this.#reading?.owners ?? new Map();
  }

  #read(): Promise<void> {
    return (this.#inFlight ??= this.#readNow().finally(() => (this.#inFlight = undefined)));
  }

  async #readNow(): Promise<void> {
    const at = this.#now();
    const rows = await this.#rows.range<ListenerRow>(LISTENERS);
    this.#reading = { owners: new Map(rows.map(({ rowKey, until }) => [rowKey, Date.parse(until)])), at };
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
