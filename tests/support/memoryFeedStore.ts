import type { FeedStore, StoredCursor } from '../../shared/imagery/discovery/feedPorts.js';
import type { FeedCursor } from '../../shared/imagery/discovery/feedWindow.js';

/** How far catalogues are read, in memory. */
export class MemoryFeedStore implements FeedStore {
  /** Whether somebody else always writes first. */
  isOvertaken = false;
  readonly #stored = new Map<string, StoredCursor>();
  #writes = 0;

  findCursor(catalogue: string): Promise<StoredCursor | undefined> {
    return Promise.resolve(this.#stored.get(catalogue));
  }

  putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined> {
    if (this.isOvertaken || this.#stored.get(catalogue)?.etag !== etag) return Promise.resolve(undefined);
    const stored = { cursor, etag: String((this.#writes += 1)) };
    this.#stored.set(catalogue, stored);
    return Promise.resolve(stored.etag);
  }
}
