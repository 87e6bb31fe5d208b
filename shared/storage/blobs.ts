import type { Etag } from './rows.js';

/** What a blob says of itself, beside its content. */
export interface BlobHead {
  readonly etag: Etag;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StoredBlob extends BlobHead {
  readonly bytes: Buffer;
}

export interface ListedBlob {
  readonly name: string;
  /** Milliseconds since 1970 UTC. */
  readonly writtenAt: number;
}

export interface BlobWrite {
  /** Content type. */
  readonly type: string;
  /** Names in lower case, letters and digits alone. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Only where the blob is as it was read, or for null where there is none; whatever is there when left out. */
  readonly onto?: Etag | null;
}

/**
 * One container. Each method throws `ServiceError` 503 when storage can't be reached.
 *
 * A refused write may be our own, its answer lost and its repetition refused: unlike a row a blob does not tell. So
 * whoever writes onto what was read reads again after a refusal, and writes the same once more or finds it done.
 */
export interface Blobs {
  /** A blob whole, in one request; undefined when there is none. */
  read(name: string): Promise<StoredBlob | undefined>;
  head(name: string): Promise<BlobHead | undefined>;
  /** Visible only when whole. @returns its ETag, undefined when the blob is not as `onto` says */
  write(name: string, bytes: Uint8Array, write: BlobWrite): Promise<Etag | undefined>;
  /**
   * Deletes a blob; one that is gone counts as deleted. With a hierarchical namespace an empty folder is deleted so, too.
   *
   * @returns false when it stays: it isn't as `onlyIf` says, or is a folder that isn't empty
   */
  delete(name: string, onlyIf?: { readonly etag?: Etag; readonly writtenBefore?: Date }): Promise<boolean>;
  /** All blobs whose names begin so; read whole before they are returned. */
  list(prefix: string): Promise<readonly ListedBlob[]>;
}
