import type { Action, Etag, RangeOptions, Row, Span } from '../../../shared/storage/rows.js';
import { MemoryRows } from '../../support/memoryRows.js';

/** Rows in memory whose requests are counted, and that may die at one of them. */
export class CountedRows extends MemoryRows {
  requests = 0;
  writes = 0;
  /** The process dies at its n-th write from now on: before it, or behind it. */
  dies: { at: number; isBehind: boolean } | undefined;

  override find<T>(partitionKey: string, rowKey: string): Promise<Row<T> | undefined> {
    this.requests += 1;
    return super.find(partitionKey, rowKey);
  }

  override range<T>(partitionKey: string, span?: Span, options?: RangeOptions): Promise<Row<T>[]> {
    this.requests += 1;
    return super.range(partitionKey, span, options);
  }

  override insert(...write: Parameters<MemoryRows['insert']>): Promise<Etag | undefined> {
    return this.#written(() => super.insert(...write));
  }

  override update(...write: Parameters<MemoryRows['update']>): Promise<Etag | undefined> {
    return this.#written(() => super.update(...write));
  }

  override put(...write: Parameters<MemoryRows['put']>): Promise<Etag> {
    return this.#written(() => super.put(...write));
  }

  override delete(...write: [string, string, Etag?]): Promise<boolean> {
    return this.#written(() => super.delete(...write));
  }

  override transact(partitionKey: string, actions: readonly Action[]) {
    return this.#written(() => super.transact(partitionKey, actions));
  }

  async #written<T>(write: () => Promise<T>): Promise<T> {
    this.requests += 1;
    this.writes += 1;
    const { dies } = this;
    if (dies === undefined) return write();
    dies.at -= 1;
    if (dies.at < 0 || (dies.at === 0 && !dies.isBehind)) throw new Death();
    const written = await write();
    if (dies.at === 0) throw new Death();
    return written;
  }
}

/** Nothing is done any more by the process whose write it was. */
export class Death extends Error {}
