/** The stores of imagery on rows in memory, each with a look at everything that it holds. */
import type { Product } from '../../shared/imagery/products/product.js';
import { TableFeedStore } from '../../shared/imagery/discovery/tableFeedStore.js';
import { TableSceneStore } from '../../shared/imagery/products/tableSceneStore.js';
import type { FeedCursor } from '../../shared/imagery/discovery/feedWindow.js';
import type { Interest } from '../../shared/imagery/interest/interest.js';
import { TableInterestStore } from '../../shared/imagery/interest/tableInterestStore.js';
import { MemoryRows } from './memoryRows.js';

/** Products. */
export class ScenesInMemory extends TableSceneStore {
  readonly #rows: MemoryRows;

  constructor() {
    const rows = new MemoryRows();
    super(rows);
    this.#rows = rows;
  }

  get products(): readonly Product[] {
    return this.#rows.all<{ readonly json: string }>().map(({ json }) => JSON.parse(json) as Product);
  }
}

/** How far catalogues are read. */
export class FeedInMemory extends TableFeedStore {
  /** Whether somebody else always writes first. */
  isOvertaken = false;

  constructor() {
    super(new MemoryRows());
  }

  override putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined> {
    return this.isOvertaken ? Promise.resolve(undefined) : super.putCursor(catalogue, cursor, etag);
  }
}

/** Who wants images of which place. */
export class InterestInMemory extends TableInterestStore {
  readonly rows: MemoryRows;

  constructor() {
    const rows = new MemoryRows();
    super(rows);
    this.rows = rows;
  }

  get entries(): readonly Interest[] {
    const rows = this.rows.all<{ readonly json?: string }>();
    return rows.flatMap(({ json }) => (json === undefined ? [] : [JSON.parse(json) as Interest]));
  }
}
