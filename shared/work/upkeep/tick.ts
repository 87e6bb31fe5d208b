import type { Clock } from '../../kit/clock.js';
import type { Rows } from '../../storage/rows.js';

/** The duty that ticks when the host's timer doesn't: its work goes on during a drain. */
export const BEAT = 'upkeepBeat';

/** A service whose latest tick is older than that does no work that got lost or died. */
export const LATE_TICK_MS = 10 * 60_000;

const SERVICE = 'service';
const ROW = 'tick';

/** When the service ticked last: one row. */
export class TickStore {
  readonly #rows: Rows;

  /** @param rows of table `limits` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Milliseconds since 1970 UTC; undefined before the first tick. */
  async find(): Promise<number | undefined> {
    const row = await this.#rows.find<{ readonly at: string }>(SERVICE, ROW);
    return row && Date.parse(row.at);
  }

  async put(at: number): Promise<void> {
    await this.#rows.put(SERVICE, ROW, { at: new Date(at).toISOString() });
  }
}

export interface TickPorts<C> {
  readonly ticks: Pick<TickStore, 'put'>;
  readonly isDrained: () => Promise<boolean>;
  /** Sends the messages of work that is due and has none. */
  readonly sweep: () => Promise<C>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * One tick, by the host's timer or by the beat: a sweep, and a row that tells when. A tick whose sweep failed is none. During
 * a drain nothing is swept: each message that was put back is still there, and a second one would be of no use.
 */
export const tick =
  <C extends object>({ ticks, isDrained, sweep, clock }: TickPorts<C>) =>
  async (): Promise<Partial<C> & { readonly drained?: true }> => {
    const counts = (await isDrained()) ? { drained: true as const } : await sweep();
    await ticks.put(clock.now().getTime());
    return counts as Partial<C> & { readonly drained?: true };
  };

/** Whether the latest tick is too old, or there was none. */
export const isTickLate = (lastTickAt: number | undefined, now: number): boolean =>
  lastTickAt === undefined || now - lastTickAt > LATE_TICK_MS;
