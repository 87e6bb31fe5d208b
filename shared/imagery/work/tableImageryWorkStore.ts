import { odata, type TableClient, type TransactionAction } from '@azure/data-tables';
import { textOfProperties, textProperties } from '../../enrollments/rowText.js';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import { firstRows, TRANSACTION_LIMIT, type ReadRow } from '../../storage/tableRows.js';
import type { Clock } from '../../clock.js';
import type { NewId } from '../../ids.js';
import type { ImageryWorkStore, PendingWork, StoredWork } from '../imageryPorts.js';
import { activated, freePlaces, workKinds, type ActiveWork, type WorkKey, type WorkKind } from './imageryWork.js';

/**
 * Rows of table `fieldDates` that stand for work. PartitionKey is the customer; RowKeys:
 *
 * - `P_<kind>_<id>`: work that waits for its turn; ids sort newest first
 * - `A_<kind>_<id>`: active work: its message is in the queue, or an attempt holds it
 *
 * Both hold what the work is about as JSON. Becoming active is one transaction, which writes `taken` into the row that waited;
 * then that is deleted, by whoever meets it, unless it was asked anew: that writes the whole row. `revision` is unique to
 * each write and tells our own lost answer from another's write.
 */
const pendingPrefix = (kind: WorkKind): string => `P_${kind}_`;
const activeKey = ({ kind, id }: WorkKey): string => `A_${kind}_${id}`;
const behind = (prefix: string): string => `${prefix.slice(0, -1)}\``;
const inRange = (customer: string, prefix: string): string =>
  odata`PartitionKey eq ${customer} and RowKey ge ${prefix} and RowKey lt ${behind(prefix)}`;

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type StateRow = {
  readonly attempts: number;
  readonly waits: number;
  readonly refusals?: number;
  readonly notBefore: string;
  readonly checkAt: string;
  readonly failure: string;
  readonly revision: string;
};
const STATE = ['partitionKey', 'rowKey', 'attempts', 'waits', 'refusals', 'notBefore', 'checkAt', 'failure'];

/** A transaction takes 4 MiB; a character takes up to three bytes in it, and base64 takes its share. */
const TRANSACTION_UNITS = 800_000;

const stateRow = (
  { attempts, waits, refusals, notBefore, checkAt, failure = '' }: ActiveWork,
  revision: string,
): StateRow => ({
  attempts,
  waits,
  refusals,
  notBefore: new Date(notBefore).toISOString(),
  checkAt: new Date(checkAt).toISOString(),
  failure: failure.slice(0, 2_000),
  revision,
});

function workOf(customer: string, rowKey: string, row: StateRow): ActiveWork {
  const kind = workKinds.find((name) => rowKey.startsWith(`A_${name}_`)) ?? 'search';
  return {
    customer,
    kind,
    id: rowKey.slice(`A_${kind}_`.length),
    attempts: row.attempts,
    waits: row.waits,
    refusals: row.refusals ?? 0,
    notBefore: Date.parse(row.notBefore),
    checkAt: Date.parse(row.checkAt),
    ...(row.failure === '' ? {} : { failure: row.failure }),
  };
}

/** The work rows of table `fieldDates`. */
export class TableImageryWorkStore implements ImageryWorkStore {
  readonly #table: TableClient;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #newId: NewId;

  constructor(table: TableClient, { clock, newId }: { readonly clock: Pick<Clock, 'now'>; readonly newId: NewId }) {
    this.#table = table;
    this.#clock = clock;
    this.#newId = newId;
  }

  async add(customer: string, kind: WorkKind, pending: readonly PendingWork[]): Promise<void> {
    let actions: TransactionAction[] = [];
    let units = 0;
    const send = async (): Promise<void> => {
      if (actions.length > 0) await fromStorage(() => this.#table.submitTransaction(actions));
      actions = [];
      units = 0;
    };
    for (const { id, document } of pending) {
      const text = JSON.stringify(document);
      if (actions.length >= TRANSACTION_LIMIT || units + text.length > TRANSACTION_UNITS) await send();
      const row = { partitionKey: customer, rowKey: `${pendingPrefix(kind)}${id}`, ...textProperties(text) };
      actions.push(['upsert', row, 'Replace']);
      units += text.length;
    }
    await send();
  }

  async promote(customer: string, kind: WorkKind, limit: number): Promise<readonly WorkKey[]> {
    const active = await this.#select<Pick<StateRow, 'refusals'>>(inRange(customer, `A_${kind}_`), [
      'rowKey',
      'refusals',
    ]);
    const free = freePlaces(
      active.map(({ refusals = 0 }) => ({ refusals })),
      limit,
    );
    if (free <= 0) return [];
    // Work that waits under the id of active work stays behind it, so as many more are looked at.
    const next = await firstRows<object>(this.#table, inRange(customer, pendingPrefix(kind)), free + active.length);
    const promoted: WorkKey[] = [];
    for (const row of next) {
      if (promoted.length >= free) break;
      const key = { customer, kind, id: row.rowKey.slice(pendingPrefix(kind).length) };
      if (await this.#promoteOne(key, row)) promoted.push(key);
    }
    return promoted;
  }

  /** @param pending as it was listed, which others may have changed or taken since */
  async #promoteOne(key: WorkKey, pending: ReadRow<{ readonly taken?: string }>): Promise<boolean> {
    const { rowKey, etag } = pending;
    if (pending.taken !== undefined) {
      await this.#removePending(key, rowKey, etag);
      return false;
    }
    const revision = this.#newId();
    const state = stateRow(activated(key, this.#clock.now().getTime()), revision);
    const text = textProperties(textOfProperties(pending));
    const active = { partitionKey: key.customer, rowKey: activeKey(key), ...state, ...text };
    const taken = { partitionKey: key.customer, rowKey, taken: revision };
    // Both or neither: out of a stale listing nothing becomes active that was done, or deleted, meanwhile.
    const answer = await unlessStatus([404, 409, 412], () =>
      this.#table.submitTransaction([
        ['create', active],
        ['update', taken, 'Merge', { etag }],
      ]),
    );
    if (answer === undefined) return (await this.#etagOf(key, revision)) !== undefined;
    await this.#removePending(key, rowKey, answer.subResponses[1]?.etag);
    return true;
  }

  /**
   * By its mark: what was asked anew meanwhile waits on. A transaction of this client would delete that too. Whoever dies before
   * leaves a row that says that it was taken; so does who doesn't know the mark, whose answer was lost.
   */
  async #removePending({ customer }: WorkKey, rowKey: string, etag: string | undefined): Promise<void> {
    if (etag === undefined) return;
    await unlessStatus([404, 412], () => this.#table.deleteEntity(customer, rowKey, { etag }));
  }

  async hasPending(customer: string): Promise<boolean> {
    const first = await firstRows<object>(this.#table, inRange(customer, 'P_'), 1);
    return first.length > 0;
  }

  async find(key: WorkKey): Promise<StoredWork | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<StateRow>(key.customer, activeKey(key)));
    if (row === undefined) return undefined;
    const document: unknown = JSON.parse(textOfProperties(row));
    return { work: workOf(key.customer, activeKey(key), row), document, etag: row.etag };
  }

  async listActive(customer: string): Promise<readonly { readonly work: ActiveWork; readonly etag: string }[]> {
    const rows = await this.#select<StateRow>(inRange(customer, 'A_'), STATE);
    return rows.map((row) => ({ work: workOf(customer, row.rowKey, row), etag: row.etag }));
  }

  async replace(work: ActiveWork, etag: string): Promise<string | undefined> {
    const revision = this.#newId();
    const row = { partitionKey: work.customer, rowKey: activeKey(work), ...stateRow(work, revision) };
    // What the work is about stays as it is: only the given properties change.
    const answer = await unlessStatus([404, 412], () => this.#table.updateEntity(row, 'Merge', { etag }));
    return answer === undefined ? this.#etagOf(work, revision) : answer.etag;
  }

  /** The mark of a row that we wrote although its answer was lost; undefined when it isn't ours. */
  async #etagOf(key: WorkKey, revision: string): Promise<string | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<StateRow>(key.customer, activeKey(key)));
    return row?.revision === revision ? row.etag : undefined;
  }

  async remove(key: WorkKey, etag: string): Promise<boolean> {
    const gone = await unlessStatus([404, 412], () => this.#table.deleteEntity(key.customer, activeKey(key), { etag }));
    return gone !== undefined;
  }

  /** Rows without what the work is about, which may be long. */
  async #select<T extends object>(filter: string, select: string[]): Promise<ReadRow<T>[]> {
    return fromStorage(async () => {
      const rows: ReadRow<T>[] = [];
      for await (const row of this.#table.listEntities<T>({ queryOptions: { filter, select } })) {
        rows.push({ ...row, rowKey: row.rowKey ?? '', etag: row.etag });
      }
      return rows;
    });
  }
}
