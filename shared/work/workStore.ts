/**
 * Table `work`. PartitionKey is `w0` to `w7` by the hash of the item's id, so no customer has a partition of its own to
 * fill up; RowKey `W|<kind>|<id>`. The row of an item is deleted when its work is done: what is there is all open work.
 */
import { createHash } from 'node:crypto';
import type { Etag, Row, Rows } from '../storage/rows.js';
import type { FailureCounts } from './retry.js';
import type { WorkItem, WorkKey } from './workItem.js';

/** A work item as read: a write with its ETag succeeds only while nobody else wrote. */
export interface StoredWork {
  readonly item: WorkItem;
  readonly etag: Etag;
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
}

/** Never change it: it decides where an item is found. */
const PARTITIONS = 8;
export const workPartitions: readonly string[] = Array.from({ length: PARTITIONS }, (_, number) => `w${number}`);

const partitionOf = ({ id }: WorkKey): string =>
  `w${createHash('sha256').update(id).digest().readUInt8(0) % PARTITIONS}`;

/** What the row keys of items begin with: of all, of one kind, or of those of a kind whose ids begin so. */
export const workPrefix = (kind?: string, idPrefix = ''): string =>
  kind === undefined ? 'W|' : `W|${kind}|${idPrefix}`;

const rowKeyOf = ({ kind, id }: WorkKey): string => workPrefix(kind, id);
const instantText = (instant: number): string => new Date(instant).toISOString();

const rowOf = ({ kind: _kind, id: _id, failures, notBefore, checkAt, createdAt, ...columns }: WorkItem): WorkRow => ({
  ...columns,
  failures: JSON.stringify(failures),
  notBefore: instantText(notBefore),
  checkAt: instantText(checkAt),
  createdAt: instantText(createdAt),
});

function storedOf(row: Row<WorkRow>): StoredWork {
  const [, kind = '', ...id] = row.rowKey.split('|');
  const { claim, epoch, asks, attempts, failures, failure, notBefore, checkAt, createdAt } = row;
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
  };
  return { item, etag: row.etag };
}

/** The rows of work items. Every write recognises its own lost answer. */
export class WorkStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(key: WorkKey): Promise<StoredWork | undefined> {
    const row = await this.#rows.find<WorkRow>(partitionOf(key), rowKeyOf(key));
    return row && storedOf(row);
  }

  /** @returns false when the item is there already */
  async insert(item: WorkItem): Promise<boolean> {
    return (await this.#rows.insert(partitionOf(item), rowKeyOf(item), rowOf(item))) !== undefined;
  }

  /** @returns undefined when somebody else wrote since */
  async update({ etag }: Pick<StoredWork, 'etag'>, next: WorkItem): Promise<StoredWork | undefined> {
    const written = await this.#rows.update(partitionOf(next), rowKeyOf(next), rowOf(next), etag);
    return written === undefined ? undefined : { item: next, etag: written };
  }

  /** Ends the work; an item that is gone has ended. @returns false when somebody else wrote since */
  delete({ item, etag }: StoredWork): Promise<boolean> {
    return this.#rows.delete(partitionOf(item), rowKeyOf(item), etag);
  }

  /** The items of one partition at which the sweep is to look at `now`, the one that waits longest first. */
  async listDue(partition: string, now: number): Promise<readonly StoredWork[]> {
    const where = { column: 'checkAt', atMost: instantText(now) };
    const rows = await this.#rows.range<WorkRow>(partition, { prefix: workPrefix() }, { where });
    return rows.map(storedOf).sort((a, b) => a.item.checkAt - b.item.checkAt);
  }
}
