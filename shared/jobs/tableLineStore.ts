import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { textOfProperties, textProperties } from '../enrollments/rowText.js';
import type { NewId } from '../ids.js';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import { deleteRows, firstRows, listRows, TRANSACTION_LIMIT } from '../storage/tableRows.js';
import type { SolutionId } from './job.js';
import { emptyLine, nameOf, type LineState, type Ticket } from './line.js';
import type { LineReading, LineStore } from './linePorts.js';

/**
 * Rows of table `limits`. PartitionKey is `line_<line>`, so that a place and the ticket for it change in one
 * transaction; RowKeys:
 *
 * - `STATE`: who has a place, and the turns of the tenants, as JSON; `revision` is unique to each write and tells our
 *   own lost answer from another's write
 * - `T_<asked>_<job>`: tickets, in the order of asking
 */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type StateRow = { readonly revision?: string };

const STATE = 'STATE';
const partitionOf = (line: string): string => `line_${line}`;
const ticketKey = (ticket: Ticket): string => `T_${new Date(ticket.askedAt).toISOString()}_${nameOf(ticket)}`;

function ticketOf(rowKey: string): Ticket {
  const [tenant = '', solution = '', jobId = ''] = rowKey.slice('T_2026-01-01T00:00:00.000Z_'.length).split('|');
  return { tenant, solution: solution as SolutionId, jobId, askedAt: Date.parse(rowKey.slice(2, 26)) };
}

export class TableLineStore implements LineStore {
  readonly #table: TableClient;
  readonly #newId: NewId;

  constructor(table: TableClient, newId: NewId) {
    this.#table = table;
    this.#newId = newId;
  }

  async ask(line: string, ticket: Ticket): Promise<void> {
    const row = { partitionKey: partitionOf(line), rowKey: ticketKey(ticket) };
    await fromStorage(() => this.#table.upsertEntity(row, 'Replace'));
  }

  async withdraw(line: string, ticket: Ticket): Promise<boolean> {
    const gone = await unlessStatus([404], () => this.#table.deleteEntity(partitionOf(line), ticketKey(ticket)));
    return gone !== undefined;
  }

  async read(line: string, most: number): Promise<LineReading> {
    const filter = odata`PartitionKey eq ${partitionOf(line)}`;
    const [first, ...rest] = await firstRows<StateRow>(this.#table, filter, most + 1);
    if (first === undefined) return { state: emptyLine, etag: undefined, tickets: [] };
    const isState = first.rowKey === STATE;
    const tickets = (isState ? rest : [first, ...rest]).map(({ rowKey }) => ticketOf(rowKey));
    return isState
      ? { state: JSON.parse(textOfProperties(first)) as LineState, etag: first.etag, tickets }
      : { state: emptyLine, etag: undefined, tickets };
  }

  async advance(
    line: string,
    { etag }: Pick<LineReading, 'etag'>,
    { state, spent }: { readonly state: LineState; readonly spent: readonly Ticket[] },
  ): Promise<boolean> {
    const partitionKey = partitionOf(line);
    if (state.holders.length === 0) return this.#close(partitionKey, etag, spent);
    const revision = this.#newId();
    const row = { partitionKey, rowKey: STATE, revision, ...textProperties(JSON.stringify(state)) };
    const actions: TransactionAction[] = spent
      .slice(0, TRANSACTION_LIMIT - 1)
      .map((ticket) => ['delete', { partitionKey, rowKey: ticketKey(ticket) }]);
    actions.push(etag === undefined ? ['create', row] : ['update', row, 'Replace', { etag }]);
    const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
    return answer !== undefined || (await this.#isOurs(partitionKey, revision));
  }

  /**
   * Takes the state away. By itself: within a transaction a row is deleted whoever has changed it. The tickets of those
   * who want a place no more go first: the sweep finds a line by its state, and would not find what lies without one.
   */
  async #close(partitionKey: string, etag: string | undefined, spent: readonly Ticket[]): Promise<boolean> {
    await deleteRows(this.#table, partitionKey, spent.map(ticketKey));
    if (etag === undefined) return true;
    const isGone = await unlessStatus([412], () => this.#deleteIfThere(partitionKey, etag));
    return isGone !== undefined;
  }

  async #deleteIfThere(partitionKey: string, etag: string): Promise<true> {
    await unlessStatus([404], () => this.#table.deleteEntity(partitionKey, STATE, { etag }));
    return true;
  }

  async #isOurs(partitionKey: string, revision: string): Promise<boolean> {
    const row = await unlessStatus([404], () => this.#table.getEntity<StateRow>(partitionKey, STATE));
    return row?.revision === revision;
  }

  async list(): Promise<readonly { readonly line: string; readonly state: LineState }[]> {
    const filter = odata`PartitionKey ge 'line_' and PartitionKey lt 'line\`' and RowKey eq ${STATE}`;
    const rows = await listRows<{ readonly partitionKey?: string }>(this.#table, filter);
    return rows.map((row) => ({
      line: (row.partitionKey ?? '').slice('line_'.length),
      state: JSON.parse(textOfProperties(row)) as LineState,
    }));
  }
}
