import type { NoticeOwner } from '../log/noticeOwner.js';
import type { Etag, Rows } from '../../storage/rows.js';

/** How far the events of an owner were sent to Event Grid. */
export interface GridState {
  /** Place of the latest event that needs no look any more. */
  readonly cursor: number;
  /** Sends that failed in a row. */
  readonly failures: number;
  /** Nothing is sent before; milliseconds since 1970 UTC. */
  readonly restUntil?: number;
}

export interface StoredGridState {
  readonly state: GridState;
  readonly etag: Etag;
}

interface GridRow {
  readonly json: string;
}

const GRID_ROW = 'GRID';
const atTheBeginning: GridState = { cursor: 0, failures: 0 };

/** One row of table `notices` for each owner, beside the owner's log, with which it goes. */
export class GridCursorStore {
  readonly #rows: Rows;

  /** @param rows table `notices` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /**
   * The state of an owner. It is written before the first send, so that a send under way makes no row behind the erasure
   * of its owner.
   *
   * @returns undefined when somebody else has begun at this moment
   */
  async open(owner: NoticeOwner): Promise<StoredGridState | undefined> {
    const row = await this.#rows.find<GridRow>(owner, GRID_ROW);
    if (row !== undefined) return { state: JSON.parse(row.json) as GridState, etag: row.etag };
    const etag = await this.#rows.insert(owner, GRID_ROW, rowOf(atTheBeginning));
    return etag === undefined ? undefined : { state: atTheBeginning, etag };
  }

  /** @returns undefined when somebody else has written since, or the row is gone; nothing was written then */
  async write(owner: NoticeOwner, { etag }: StoredGridState, state: GridState): Promise<StoredGridState | undefined> {
    const written = await this.#rows.update(owner, GRID_ROW, rowOf(state), etag);
    return written === undefined ? undefined : { state, etag: written };
  }
}

const rowOf = (state: GridState): GridRow => ({ json: JSON.stringify(state) });
