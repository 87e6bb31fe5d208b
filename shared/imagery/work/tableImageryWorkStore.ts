import type { Clock } from '../../clock.js';
import { transactionsOf } from '../../storage/rowFormat.js';
import type { Action, Etag, Row, Rows } from '../../storage/rows.js';
import type { ImageryWorkStore, PendingWork, StoredWork } from '../imageryPorts.js';
import { activated, freePlaces, workKinds, type ActiveWork, type WorkKey, type WorkKind } from './imageryWork.js';

/**
 * Rows of table `fieldDates` that stand for work. PartitionKey is the customer; RowKeys:
 *
 * - `P_<kind>_<id>`: work that waits for its turn; ids sort newest first
 * - `A_<kind>_<id>`: active work: its message is in the queue, or an attempt holds it
 *
 * Both hold what the work is about as JSON, and when they were last written. Becoming active is one transaction, which
 * writes `taken` into the row that waited; then that is deleted, by whoever meets it, unless it was asked anew: that
 * writes the whole row.
 */
const pendingPrefix = (kind: WorkKind): string => `P_${kind}_`;
const activeKey = ({ kind, id }: WorkKey): string => `A_${kind}_${id}`;

interface PendingRow {
  readonly json: string;
  readonly writtenAt: string;
  /** The work is active by now, this row only has to go. */
  readonly taken?: boolean;
}

interface StateRow {
  readonly attempts: number;
  readonly waits: number;
  readonly refusals: number;
  readonly notBefore: string;
  readonly checkAt: string;
  readonly failure: string;
  readonly writtenAt: string;
}
/** The work without what it is about, which may be long. */
const STATE = ['attempts', 'waits', 'refusals', 'notBefore', 'checkAt', 'failure'];

interface ActiveRow extends StateRow {
  readonly json: string;
}

const stateRow = (
  { attempts, waits, refusals, notBefore, checkAt, failure = '' }: ActiveWork,
  writtenAt: string,
): StateRow => ({
  attempts,
  waits,
  refusals,
  notBefore: new Date(notBefore).toISOString(),
  checkAt: new Date(checkAt).toISOString(),
  failure: failure.slice(0, 2_000),
  writtenAt,
});

function workOf(customer: string, rowKey: string, row: StateRow): ActiveWork {
  const kind = workKinds.find((name) => rowKey.startsWith(`A_${name}_`)) ?? 'search';
  return {
    customer,
    kind,
    id: rowKey.slice(`A_${kind}_`.length),
    attempts: row.attempts,
    waits: row.waits,
    refusals: row.refusals,
    notBefore: Date.parse(row.notBefore),
    checkAt: Date.parse(row.checkAt),
    ...(row.failure === '' ? {} : { failure: row.failure }),
  };
}

/** The work rows of table `fieldDates`. */
export class TableImageryWorkStore implements ImageryWorkStore {
  readonly #rows: Rows;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(rows: Rows, clock: Pick<Clock, 'now'>) {
    this.#rows = rows;
    this.#clock = clock;
  }

  async add(customer: string, kind: WorkKind, pending: readonly PendingWork[]): Promise<void> {
    const writtenAt = this.#clock.now().toISOString();
    const puts = pending.map(({ id, document }): Action => {
      const value: PendingRow = { json: JSON.stringify(document), writtenAt };
      return { put: `${pendingPrefix(kind)}${id}`, value };
    });
    for (const some of transactionsOf(puts)) await this.#rows.transact(customer, some);
  }

  async promote(customer: string, kind: WorkKind, limit: number): Promise<readonly WorkKey[]> {
    const select = ['refusals'];
    const active = await this.#rows.range<StateRow>(customer, { prefix: `A_${kind}_` }, { select });
    const free = freePlaces(active, limit);
    if (free <= 0) return [];
    // Work that waits under the id of active work stays behind it, so as many more are looked at.
    const most = free + active.length;
    const next = await this.#rows.range<PendingRow>(customer, { prefix: pendingPrefix(kind) }, { most });
    const promoted: WorkKey[] = [];
    for (const row of next) {
      if (promoted.length >= free) break;
      const key = { customer, kind, id: row.rowKey.slice(pendingPrefix(kind).length) };
      if (await this.#promoteOne(key, row)) promoted.push(key);
    }
    return promoted;
  }

  /** @param pending as it was listed, which others may have changed or taken since */
  async #promoteOne(key: WorkKey, { rowKey, json, taken, etag }: Row<PendingRow>): Promise<boolean> {
    if (taken === true) {
      await this.#removePending(key, rowKey, etag);
      return false;
    }
    const now = this.#clock.now();
    const writtenAt = now.toISOString();
    const active: ActiveRow = { ...stateRow(activated(key, now.getTime()), writtenAt), json };
    // Both or neither: out of a stale listing nothing becomes active that was done, or deleted, meanwhile.
    const etags = await this.#rows.transact(key.customer, [
      { insert: activeKey(key), value: active },
      { patch: rowKey, value: { taken: true, writtenAt }, etag },
    ]);
    if (etags === undefined) return false;
    await this.#removePending(key, rowKey, etags.get(rowKey));
    return true;
  }

  /**
   * By its ETag: what was asked anew meanwhile waits on. A deletion in the transaction would delete that too. Whoever
   * dies before leaves a row that says that it was taken.
   */
  async #removePending({ customer }: WorkKey, rowKey: string, etag: Etag | undefined): Promise<void> {
    if (etag !== undefined) await this.#rows.delete(customer, rowKey, etag);
  }

  async hasPending(customer: string): Promise<boolean> {
    const first = await this.#rows.range(customer, { prefix: 'P_' }, { most: 1, select: [] });
    return first.length > 0;
  }

  async find(key: WorkKey): Promise<StoredWork | undefined> {
    const row = await this.#rows.find<ActiveRow>(key.customer, activeKey(key));
    if (row === undefined) return undefined;
    const document: unknown = JSON.parse(row.json);
    return { work: workOf(key.customer, activeKey(key), row), document, etag: row.etag };
  }

  async listActive(customer: string): Promise<readonly { readonly work: ActiveWork; readonly etag: string }[]> {
    const rows = await this.#rows.range<StateRow>(customer, { prefix: 'A_' }, { select: STATE });
    return rows.map((row) => ({ work: workOf(customer, row.rowKey, row), etag: row.etag }));
  }

  replace(work: ActiveWork, etag: string): Promise<string | undefined> {
    // What the work is about stays as it is: only the given columns change.
    const state = stateRow(work, this.#clock.now().toISOString());
    return this.#rows.patch(work.customer, activeKey(work), state, etag);
  }

  remove(key: WorkKey, etag: string): Promise<boolean> {
    return this.#rows.delete(key.customer, activeKey(key), etag);
  }
}
