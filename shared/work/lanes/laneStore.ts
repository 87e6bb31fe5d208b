import { TRANSACTION_LIMIT, type Action, type Etag, type Rows } from '../../storage/rows.js';
import { emptyLane, nameOf, type LaneState, type Ticket } from './lane.js';

/** A lane as read: its state, the tickets at its front, and the ETag of this reading. */
export interface LaneReading {
  readonly state: LaneState;
  /** Undefined when the lane has no state yet: nobody has a slot. */
  readonly etag: Etag | undefined;
  /** In the order of asking. */
  readonly tickets: readonly Ticket[];
}

interface StateRow {
  readonly state: string;
}

const PREFIX = 'lane|';
const STATE = 'STATE';
/** Where the rows of a lane lie. */
export const lanePartitionOf = (lane: string): string => `${PREFIX}${lane}`;
const ticketKey = (ticket: Ticket): string => `T|${new Date(ticket.askedAt).toISOString()}|${nameOf(ticket)}`;

function ticketOf(rowKey: string): Ticket {
  const [, askedAt = '', kind = '', ...id] = rowKey.split('|');
  return { kind, id: id.join('|'), askedAt: Date.parse(askedAt) };
}

const stateOf = ({ state }: StateRow): LaneState => JSON.parse(state) as LaneState;

/**
 * The lanes in table `work`. PartitionKey is `lane|<lane>`, so that a slot and the ticket for it change in one
 * transaction; RowKeys:
 *
 * - `STATE`: who has a slot, and the turns of the tenants, as JSON
 * - `T|<asked>|<kind>|<id>`: tickets, in the order of asking
 */
export class LaneStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Leaves a ticket; the same ticket twice is one. */
  async ask(lane: string, ticket: Ticket): Promise<void> {
    await this.#rows.put(lanePartitionOf(lane), ticketKey(ticket), {});
  }

  /** Takes tickets back, whether or not they are there. */
  async withdraw(lane: string, tickets: readonly Ticket[]): Promise<void> {
    await this.#rows.deleteMany(lanePartitionOf(lane), tickets.map(ticketKey));
  }

  /** @param most tickets that are read */
  async read(lane: string, most: number): Promise<LaneReading> {
    const rows = await this.#rows.range<StateRow>(lanePartitionOf(lane), {}, { most: most + 1 });
    const [first, ...rest] = rows;
    const ticketsOf = (tickets: typeof rows) => tickets.map(({ rowKey }) => ticketOf(rowKey));
    return first?.rowKey === STATE
      ? { state: stateOf(first), etag: first.etag, tickets: ticketsOf(rest) }
      : { state: emptyLane, etag: undefined, tickets: ticketsOf(rows) };
  }

  /**
   * Stores the next state of a lane and takes off what is spent, both or nothing; a state without holders is no row.
   *
   * @returns false when somebody else has changed the lane since it was read, or taken a spent ticket back
   */
  async advance(
    lane: string,
    { etag }: Pick<LaneReading, 'etag'>,
    { state, spent }: { readonly state: LaneState; readonly spent: readonly Ticket[] },
  ): Promise<boolean> {
    const partitionKey = lanePartitionOf(lane);
    if (state.holders.length === 0) return this.#close(partitionKey, etag, spent);
    const value: StateRow = { state: JSON.stringify(state) };
    const write: Action = etag === undefined ? { insert: STATE, value } : { update: STATE, value, etag };
    // A slot is not given for a ticket that was withdrawn since it was read: nobody would give the slot back.
    const taken = spent.slice(0, TRANSACTION_LIMIT - 1).map((ticket): Action => ({ take: ticketKey(ticket) }));
    return (await this.#rows.transact(partitionKey, [write, ...taken])) !== undefined;
  }

  /**
   * Takes the state away. By itself: within a transaction a row is deleted whoever has changed it. The tickets of those
   * who want a slot no more go first: the sweep finds a lane by its state, and would not find what lies without one.
   */
  async #close(partitionKey: string, etag: Etag | undefined, spent: readonly Ticket[]): Promise<boolean> {
    await this.#rows.deleteMany(partitionKey, spent.map(ticketKey));
    return etag === undefined || this.#rows.delete(partitionKey, STATE, etag);
  }

  /** The lanes in which somebody has a slot. */
  async list(): Promise<readonly { readonly lane: string; readonly state: LaneState }[]> {
    const lanes: { readonly lane: string; readonly state: LaneState }[] = [];
    for await (const page of this.#rows.scan<StateRow>({ from: STATE, through: STATE }, { partitionPrefix: PREFIX })) {
      for (const row of page) lanes.push({ lane: row.partitionKey.slice(PREFIX.length), state: stateOf(row) });
    }
    return lanes;
  }
}
