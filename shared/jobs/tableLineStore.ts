import { TRANSACTION_LIMIT, type Action, type Rows } from '../storage/rows.js';
import type { SolutionId } from './job.js';
import { emptyLine, nameOf, type LineState, type Ticket } from './line.js';
import type { LineReading, LineStore } from './linePorts.js';

/**
 * Rows of table `limits`. PartitionKey is `line_<line>`, so that a place and the ticket for it change in one
 * transaction; RowKeys:
 *
 * - `STATE`: who has a place, and the turns of the tenants, as JSON
 * - `T_<asked>_<job>`: tickets, in the order of asking
 */
interface StateRow {
  readonly state: string;
}

const STATE = 'STATE';
const partitionOf = (line: string): string => `line_${line}`;
const ticketKey = (ticket: Ticket): string => `T_${new Date(ticket.askedAt).toISOString()}_${nameOf(ticket)}`;

function ticketOf(rowKey: string): Ticket {
  const [tenant = '', solution = '', jobId = ''] = rowKey.slice('T_2026-01-01T00:00:00.000Z_'.length).split('|');
  return { tenant, solution: solution as SolutionId, jobId, askedAt: Date.parse(rowKey.slice(2, 26)) };
}

const stateOf = ({ state }: StateRow): LineState => JSON.parse(state) as LineState;

export class TableLineStore implements LineStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async ask(line: string, ticket: Ticket): Promise<void> {
    await this.#rows.put(partitionOf(line), ticketKey(ticket), {});
  }

  async withdraw(line: string, ticket: Ticket): Promise<void> {
    await this.#rows.delete(partitionOf(line), ticketKey(ticket));
  }

  async read(line: string, most: number): Promise<LineReading> {
    const rows = await this.#rows.range<StateRow>(partitionOf(line), {}, { most: most + 1 });
    const [first, ...rest] = rows;
    const ticketsOf = (tickets: typeof rows) => tickets.map(({ rowKey }) => ticketOf(rowKey));
    return first?.rowKey === STATE
      ? { state: stateOf(first), etag: first.etag, tickets: ticketsOf(rest) }
      : { state: emptyLine, etag: undefined, tickets: ticketsOf(rows) };
  }

  async advance(
    line: string,
    { etag }: Pick<LineReading, 'etag'>,
    { state, spent }: { readonly state: LineState; readonly spent: readonly Ticket[] },
  ): Promise<boolean> {
    const partitionKey = partitionOf(line);
    if (state.holders.length === 0) return this.#close(partitionKey, etag, spent);
    const value: StateRow = { state: JSON.stringify(state) };
    const write: Action = etag === undefined ? { insert: STATE, value } : { update: STATE, value, etag };
    // A place is not given for a ticket that was withdrawn since it was read: nobody would give the place back.
    const taken = spent.slice(0, TRANSACTION_LIMIT - 1).map((ticket): Action => ({ take: ticketKey(ticket) }));
    return (await this.#rows.transact(partitionKey, [write, ...taken])) !== undefined;
  }

  /**
   * Takes the state away. By itself: within a transaction a row is deleted whoever has changed it. The tickets of those
   * who want a place no more go first: the sweep finds a line by its state, and would not find what lies without one.
   */
  async #close(partitionKey: string, etag: string | undefined, spent: readonly Ticket[]): Promise<boolean> {
    await this.#rows.deleteMany(partitionKey, spent.map(ticketKey));
    return etag === undefined || this.#rows.delete(partitionKey, STATE, etag);
  }

  async list(): Promise<readonly { readonly line: string; readonly state: LineState }[]> {
    const lines: { readonly line: string; readonly state: LineState }[] = [];
    for await (const page of this.#rows.scan<StateRow>({ from: STATE, through: STATE }, { partitionPrefix: 'line_' })) {
      for (const row of page) lines.push({ line: row.partitionKey.slice('line_'.length), state: stateOf(row) });
    }
    return lines;
  }
}
