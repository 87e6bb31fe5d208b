import type { Interest, InterestKey } from './interest.js';

/** Who wants images of which place: the entries of all customers, by tile and cell. */
export interface InterestStore {
  /** Takes the place of what is there. */
  write(interests: readonly Interest[]): Promise<void>;
  /** Removing twice is harmless. */
  remove(keys: readonly InterestKey[]): Promise<void>;
  find(key: InterestKey): Promise<Interest | undefined>;
  /** The entries of a tile, by cell. */
  listTile(tile: string): Promise<readonly Interest[]>;
  /** Entries whose last day is before a day, of all tiles. */
  listEnded(before: string): Promise<readonly InterestKey[]>;
}
