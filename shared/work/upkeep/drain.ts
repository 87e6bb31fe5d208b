import type { Clock } from '../../kit/clock.js';
import type { Rows } from '../../storage/rows.js';

/** Until when no work begins, and who wants it so. */
export interface Drain {
  /** Milliseconds since 1970 UTC; a drain ends by itself. */
  readonly until: number;
  /** Object id of the operator or of the pipeline. */
  readonly by: string;
}

/** The longest drain. */
export const LONGEST_DRAIN_MINUTES = 30;

/** A message that comes during a drain is hidden for so long; its delivery is no attempt. */
export const DRAIN_PAUSE_SECONDS = 120;

/** A process believes its reading for so long. */
const MEMORY_MS = 10_000;

/** Partition of table `limits` with what is true of the whole service. */
const SERVICE = 'service';
const ROW = 'drain';

interface DrainRow {
  readonly until: string;
  readonly by: string;
}

/** The drain of the service: one row. */
export class DrainStore {
  readonly #rows: Rows;

  /** @param rows of table `limits` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** The latest drain, over or not; undefined when there was none, or when it was ended. */
  async find(): Promise<Drain | undefined> {
    const row = await this.#rows.find<DrainRow>(SERVICE, ROW);
    return row && { until: Date.parse(row.until), by: row.by };
  }

  async start({ until, by }: Drain): Promise<void> {
    await this.#rows.put(SERVICE, ROW, { until: new Date(until).toISOString(), by } satisfies DrainRow);
  }

  async end(): Promise<void> {
    await this.#rows.delete(SERVICE, ROW);
  }
}

/**
 * Whether the service is drained, as read at most ten seconds ago. While storage can't be read the latest reading counts, and
 * a drain whose time is over has ended in any case.
 */
export function drainWatch({
  drains,
  clock,
}: {
  readonly drains: Pick<DrainStore, 'find'>;
  readonly clock: Pick<Clock, 'now'>;
}): () => Promise<boolean> {
  let known: Drain | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const now = (): number => clock.now().getTime();
  const read = async (): Promise<void> => {
    readAt = now();
    known = await drains.find().catch(() => known);
  };
  return async () => {
    if (now() - readAt > MEMORY_MS) reading = read();
    await reading;
    return known !== undefined && known.until > now();
  };
}
