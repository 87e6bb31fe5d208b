import type { Interest, InterestKey, InterestSummary } from './interest.js';

/** From one key of `summarizeTile` to another, both inclusive. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** Who wants images of which place: the entries of all customers, by tile and cell. */
export interface InterestStore {
  /** Takes the place of what is there. */
  write(interests: readonly Interest[]): Promise<void>;
  /** Removing twice is harmless. */
  remove(keys: readonly InterestKey[]): Promise<void>;
  find(key: InterestKey): Promise<Interest | undefined>;
  /** The entries of a tile, by cell; all of them without a range. */
  listTile(tile: string, range?: KeyRange): Promise<readonly Interest[]>;
  /** What there is in a tile, in the order of the keys. */
  summarizeTile(tile: string): Promise<readonly InterestSummary[]>;
  /** The entries of one customer in a cell. */
  listCustomer(place: Pick<Interest, 'tile' | 'cell'>, customer: string): Promise<readonly Interest[]>;
  /** The tiles of which anybody may want images, in order. */
  listTiles(): Promise<readonly string[]>;
  /** Takes a tile out of that list when it has no entry any more. @returns whether it isn't listed now */
  dropEmptyTile(tile: string): Promise<boolean>;
  /** Entries whose last day is before a day, of all tiles. */
  listEnded(before: string): Promise<readonly InterestKey[]>;
}
