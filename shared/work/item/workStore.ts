/**
 * Table `work`. PartitionKey is `w0` to `w7` by the hash of the item's id, so no customer has a partition of its own to
 * fill up; RowKey `W|<kind>|<id>`. The row of an item is deleted when its work is done: what is there is all open work.
 * Rows that a kind writes together with its items lie in the same partition (see jobRows.ts); lanes have partitions of
 * their own (see laneStore.ts).
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../kit/json/json.js';
import type { Action, Etag, Row, Rows } from '../../storage/rows.js';
import type { FailureCounts, Parked, Place, WorkItem, WorkKey } from './workItem.js';

/** A work item as read: a write with its ETag succeeds only while nobody else wrote. */
export interface StoredWork {
  readonly item: WorkItem;
  readonly etag: Etag;
}

/** An item as just written, with the ETags of the rows that were written in the same transaction, by row key. */
export interface WrittenWork extends StoredWork {
  readonly beside: ReadonlyMap<string, Etag>;
}

interface WorkRow {
  readonly claim?: string;
  readonly epoch: number;
  readonly asks: number;
  readonly attempts: number;
  /** JSON of `FailureCounts`. */
  readonly failures: string;
  readonly failure?: string;
  readonly notBefore: string;
  readonly checkAt: string;
  readonly createdAt: string;
  /** JSON of what was asked, of `Place`, of `Parked`, of the names of lanes. */
  readonly facts?: string;
  readonly place?: string;
  readonly parked?: string;
  readonly lanes?: string;
}

/** Never change it: it decides where an item is found. */
const PARTITIONS = 8;
export const workPartitions: readonly string[] = Array.from({ length: PARTITIONS }, (_, number) => `w${number}`);

/** Where the rows of an item lie, by its id. */
export const workPartitionOf = (id: string): string =>
  `w${createHash('sha256').update(id).digest().readUInt8(0) % PARTITIONS}`;

/** The id of an item that is to lie in a partition beside other rows: the base and the first number that leads there. */
export function workIdIn(partition: string, base: string): string {
  for (let number = 0; ; number += 1) {
    const id = `${base}|${number}`;
    if (workPartitionOf(id) === partition) return id;
  }
}

/** What the row keys of items begin with: of all, of one kind, or of those of a kind whose ids begin so. */
export const workPrefix = (kind?: string, idPrefix = ''): string =>
  kind === undefined ? 'W|' : `W|${kind}|${idPrefix}`;

const rowKeyOf = ({ kind, id }: WorkKey): string => workPrefix(kind, id);
const instantText = (instant: number): string => new Date(instant).toISOString();

function rowOf({ kind: _kind, id: _id, ...item }: WorkItem): WorkRow {
  const { failures, notBefore, checkAt, createdAt, facts, place, parked, lanes, ...columns } = item;
  return {
    ...columns,
    failures: JSON.stringify(failures),
    notBefore: instantText(notBefore),
    checkAt: instantText(checkAt),
    createdAt: instantText(createdAt),
    ...(facts === undefined ? {} : { facts: JSON.stringify(facts) }),
    ...(place === undefined ? {} : { place: JSON.stringify(place) }),
    ...(parked === undefined ? {} : { parked: JSON.stringify(parked) }),
    ...(lanes === undefined ? {} : { lanes: JSON.stringify(lanes) }),
  };
}

function storedOf(row: Row<WorkRow>): StoredWork {
  const [, kind = '', ...id] = row.rowKey.split('|');
  const { claim, epoch, asks, attempts, failures, failure, notBefore, checkAt, createdAt } = row;
  const { facts, place, parked, lanes } = row;
  const item: WorkItem = {
    kind,
    id: id.join('|'),
    ...(claim === undefined ? {} : { claim }),
    epoch,
    asks,
    attempts,
    failures: JSON.parse(failures) as FailureCounts,
    ...(failure === undefined ? {} : { failure }),
    notBefore: Date.parse(notBefore),
    checkAt: Date.parse(checkAt),
    createdAt: Date.parse(createdAt),
    ...(facts === undefined ? {} : { facts: JSON.parse(facts) as JsonObject }),
    ...(place === undefined ? {} : { place: JSON.parse(place) as Place }),
    ...(parked === undefined ? {} : { parked: JSON.parse(parked) as Parked }),
    ...(lanes === undefined ? {} : { lanes: JSON.parse(lanes) as string[] }),
  };
  return { item, etag: row.etag };
}

/** Writes of items within a transaction of their partition that also writes other rows. */
export const workActions = {
  insert: (item: WorkItem): Action => ({ insert: rowKeyOf(item), value: rowOf(item) }),
  /** Whatever is there. */
  put: (item: WorkItem) => ({ put: rowKeyOf(item), value: rowOf(item) }),
  update: ({ etag }: Pick<StoredWork, 'etag'>, next: WorkItem): Action => {
    return { update: rowKeyOf(next), value: rowOf(next), etag };
  },
  /** Whatever the item is by then: another row of the transaction is the guard. */
  delete: (key: WorkKey): Action => ({ delete: rowKeyOf(key) }),
};

/** The rows of work items. Every write recognises its own lost answer. */
export class WorkStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(key: WorkKey): Promise<StoredWork | undefined> {
    const row = await this.#rows.find<WorkRow>(workPartitionOf(key.id), rowKeyOf(key));
    return row && storedOf(row);
  }

  /** @returns false when the item is there already */
  async insert(item: WorkItem): Promise<boolean> {
    return (await this.#rows.insert(workPartitionOf(item.id), rowKeyOf(item), rowOf(item))) !== undefined;
  }

  /**
   * @param beside other rows of the same partition, written in the same transaction
   * @returns undefined when somebody else wrote since
   */
  async update(
    stored: Pick<StoredWork, 'etag'>,
    next: WorkItem,
    beside: readonly Action[] = [],
  ): Promise<WrittenWork | undefined> {
    const [partition, rowKey] = [workPartitionOf(next.id), rowKeyOf(next)];
    if (beside.length === 0) {
      const written = await this.#rows.update(partition, rowKey, rowOf(next), stored.etag);
      return written === undefined ? undefined : { item: next, etag: written, beside: new Map() };
    }
    const etags = await this.#rows.transact(partition, [workActions.update(stored, next), ...beside]);
    const etag = etags?.get(rowKey);
    return etags === undefined || etag === undefined ? undefined : { item: next, etag, beside: etags };
  }

  /**
   * Ends the work; an item that is gone has ended.
   *
   * @param beside other rows of the same partition, written in the same transaction; then one of them is the guard, for
   *   a deletion in a transaction has none of its own
   * @returns false when somebody else wrote since
   */
  async delete({ item, etag }: StoredWork, beside: readonly Action[] = []): Promise<boolean> {
    const partition = workPartitionOf(item.id);
    if (beside.length === 0) return this.#rows.delete(partition, rowKeyOf(item), etag);
    return (await this.#rows.transact(partition, [...beside, workActions.delete(item)])) !== undefined;
  }

  /** All open work, of one kind or of every kind. */
  async list(kind?: string): Promise<readonly WorkItem[]> {
    const span = { prefix: workPrefix(kind) };
    const rows = await Promise.all(workPartitions.map((partition) => this.#rows.range<WorkRow>(partition, span)));
    return rows.flat().map((row) => storedOf(row).item);
  }

  /** The same, a partition at a time: there may be hundreds of thousands. */
  async *each(kind?: string): AsyncGenerator<WorkItem> {
    const span = { prefix: workPrefix(kind) };
    for (const partition of workPartitions) {
      for (const row of await this.#rows.range<WorkRow>(partition, span)) yield storedOf(row).item;
    }
  }

  /** Ids of the open work of one kind that begin so. */
  async idsOf(kind: string, idPrefix: string): Promise<readonly string[]> {
    const span = { prefix: workPrefix(kind, idPrefix) };
    const rows = await Promise.all(
      workPartitions.map((partition) => this.#rows.range(partition, span, { select: [] })),
    );
    return rows.flat().map(({ rowKey }) => rowKey.slice(workPrefix(kind).length));
  }

  /** The items of one partition at which the sweep is to look at `now`, the one that waits longest first. */
  async listDue(partition: string, now: number): Promise<readonly StoredWork[]> {
    const where = { column: 'checkAt', atMost: instantText(now) };
    const rows = await this.#rows.range<WorkRow>(partition, { prefix: workPrefix() }, { where });
    return rows.map(storedOf).sort((a, b) => a.item.checkAt - b.item.checkAt);
  }
}
