import type { Clock } from '../../shared/clock.js';
import type { JobQueues } from '../../shared/jobs/jobPorts.js';
import { emptyLine, nameOf, type LineState, type Ticket } from '../../shared/jobs/line.js';
import type { LineReading, LineStore } from '../../shared/jobs/linePorts.js';
import { linesOf, type Lines } from '../../shared/jobs/lines.js';

const ticketKey = (ticket: Ticket): string => `${new Date(ticket.askedAt).toISOString()}_${nameOf(ticket)}`;

/** The tickets of one line, in the order of their keys as the table keeps them. */
class OrderedTickets {
  readonly #byKey = new Map<string, Ticket>();
  readonly #keys: string[] = [];

  get size(): number {
    return this.#keys.length;
  }

  has(key: string): boolean {
    return this.#byKey.has(key);
  }

  set(key: string, ticket: Ticket): void {
    if (!this.has(key)) this.#keys.splice(this.#keys.findLastIndex((other) => other < key) + 1, 0, key);
    this.#byKey.set(key, ticket);
  }

  delete(key: string): boolean {
    const isThere = this.#byKey.delete(key);
    if (isThere) this.#keys.splice(this.#keys.indexOf(key), 1);
    return isThere;
  }

  first(count: number): readonly Ticket[] {
    return this.#keys.slice(0, count).flatMap((key) => this.#byKey.get(key) ?? []);
  }
}

/** Lines in memory; the same suite runs against them and against the table, so they can't lie. */
export class MemoryLineStore implements LineStore {
  readonly #states = new Map<string, { readonly state: LineState; readonly etag: string }>();
  readonly #tickets = new Map<string, OrderedTickets>();
  #etag = 0;

  ask(line: string, { tenant, solution, jobId, askedAt }: Ticket): Promise<void> {
    const ticket = { tenant, solution, jobId, askedAt };
    this.#of(line).set(ticketKey(ticket), ticket);
    return Promise.resolve();
  }

  withdraw(line: string, ticket: Ticket): Promise<boolean> {
    return Promise.resolve(this.#of(line).delete(ticketKey(ticket)));
  }

  read(line: string, most: number): Promise<LineReading> {
    const known = this.#states.get(line);
    return Promise.resolve({
      state: known?.state ?? emptyLine,
      etag: known?.etag,
      tickets: this.#of(line).first(known === undefined ? most + 1 : most),
    });
  }

  advance(
    line: string,
    { etag }: Pick<LineReading, 'etag'>,
    { state, spent }: { readonly state: LineState; readonly spent: readonly Ticket[] },
  ): Promise<boolean> {
    if (this.#states.get(line)?.etag !== etag) return Promise.resolve(false);
    const own = this.#of(line);
    const isWhole = spent.every((ticket) => own.has(ticketKey(ticket)));
    if (state.holders.length > 0 && !isWhole) return Promise.resolve(false);
    for (const ticket of spent) own.delete(ticketKey(ticket));
    this.#etag += 1;
    if (state.holders.length === 0) this.#states.delete(line);
    else this.#states.set(line, { state, etag: String(this.#etag) });
    return Promise.resolve(true);
  }

  list(): Promise<readonly { readonly line: string; readonly state: LineState }[]> {
    return Promise.resolve([...this.#states].map(([line, { state }]) => ({ line, state })));
  }

  /** How many tickets wait in all lines. */
  get waiting(): number {
    return [...this.#tickets.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #of(line: string): OrderedTickets {
    const own = this.#tickets.get(line) ?? new OrderedTickets();
    this.#tickets.set(line, own);
    return own;
  }
}

export interface LinesUnderTest {
  readonly lineStore: MemoryLineStore;
  readonly lines: Lines;
}

/** Lines in memory. @param places what each line stands before; by default so many that nobody ever waits */
export function memoryLines(
  { jobQueues, clock }: { readonly jobQueues: JobQueues; readonly clock: Clock },
  places: (line: string) => number = () => 1_000,
): LinesUnderTest {
  const lineStore = new MemoryLineStore();
  const placesOf = (line: string): Promise<number> => Promise.resolve(places(line));
  return { lineStore, lines: linesOf({ lineStore, jobQueues, clock, log: () => undefined, placesOf }) };
}
