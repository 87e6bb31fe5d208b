import type { FeedCursor } from './feedWindow.js';

export interface StoredCursor {
  readonly cursor: FeedCursor;
  readonly etag: string;
}

/** How far a catalogue is read. */
export interface FeedStore {
  findCursor(catalogue: string): Promise<StoredCursor | undefined>;
  /** @param etag of the reading it rests on; undefined when there was none. @returns the new mark, undefined when somebody else wrote */
  putCursor(catalogue: string, cursor: FeedCursor, etag: string | undefined): Promise<string | undefined>;
}
