import type { Etag, Rows } from '../../storage/rows.js';
import type { WorkItem, WorkKey } from '../../work/item/workItem.js';
import { workActions, workPartitionOf } from '../../work/item/workStore.js';

/** What callers see of a piece of work, as it was read. */
export interface StoredFarmWork<T> {
  readonly value: T;
  readonly etag: Etag;
}

/** What `FarmRequests` has to know of every kind. */
export interface FarmWork {
  /** Milliseconds since 1970 UTC; absent while it is not done. */
  readonly endedAt?: number;
}

export interface FarmWorkRow {
  /** JSON of what callers see. */
  readonly value: string;
  readonly endedAt?: number | undefined;
}

/** What the keys of these rows begin with. */
export const FARM_WORK_PREFIX = 'FARM|';
const rowKeyOf = ({ kind, id }: WorkKey): string => `${FARM_WORK_PREFIX}${kind}|${id}`;

/**
 * What callers see of cascade deletes and imports, in table `work`: RowKey `FARM|<kind>|<id>` in the partition of the work
 * item, so that both come into being in one transaction. The row stays for a month when the item is done.
 *
 * @typeParam T of one kind
 */
export class FarmWorkStore<T extends FarmWork> {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(key: WorkKey): Promise<StoredFarmWork<T> | undefined> {
    const row = await this.#rows.find<FarmWorkRow>(workPartitionOf(key.id), rowKeyOf(key));
    return row && { value: JSON.parse(row.value) as T, etag: row.etag };
  }

  /** Stores it with its work item. @returns false when it is there already */
  async insert(item: WorkItem, value: T): Promise<boolean> {
    const insert = { insert: rowKeyOf(item), value: rowOf(value) };
    return (await this.#rows.transact(workPartitionOf(item.id), [insert, workActions.insert(item)])) !== undefined;
  }

  /** Begins anew what has ended. @returns false when somebody else has written it since */
  async insertAgain(item: WorkItem, { etag }: Pick<StoredFarmWork<T>, 'etag'>, value: T): Promise<boolean> {
    const update = { update: rowKeyOf(item), value: rowOf(value), etag };
    return (await this.#rows.transact(workPartitionOf(item.id), [update, workActions.put(item)])) !== undefined;
  }

  /** @returns undefined when somebody else has written it since */
  async update(key: WorkKey, { etag }: Pick<StoredFarmWork<T>, 'etag'>, value: T): Promise<Etag | undefined> {
    return this.#rows.update(workPartitionOf(key.id), rowKeyOf(key), rowOf(value), etag);
  }
}

const rowOf = (value: FarmWork): FarmWorkRow => ({ value: JSON.stringify(value), endedAt: value.endedAt });
