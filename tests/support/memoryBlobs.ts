import type { BlobHead, Blobs, BlobWrite, ListedBlob, StoredBlob } from '../../shared/storage/blobs.js';
import type { Etag } from '../../shared/storage/rows.js';

/** Storage tells and compares instants in whole seconds. */
const inSeconds = (instant: number): number => Math.floor(instant / 1000);

interface KeptBlob extends StoredBlob {
  readonly writtenAt: number;
}

/** One container in memory; the same suite runs against it and against Azurite. */
export class MemoryBlobs implements Blobs {
  readonly #blobs = new Map<string, KeptBlob>();
  readonly #now: () => number;
  #writes = 0;

  /** @param now milliseconds since 1970 UTC */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  read(name: string): Promise<StoredBlob | undefined> {
    const blob = this.#blobs.get(name);
    return Promise.resolve(blob && { bytes: Buffer.from(blob.bytes), etag: blob.etag, metadata: blob.metadata });
  }

  head(name: string): Promise<BlobHead | undefined> {
    const blob = this.#blobs.get(name);
    return Promise.resolve(blob && { etag: blob.etag, metadata: blob.metadata });
  }

  write(name: string, bytes: Uint8Array, { metadata = {}, onto }: BlobWrite): Promise<Etag | undefined> {
    const there = this.#blobs.get(name)?.etag;
    if (onto !== undefined && (onto ?? undefined) !== there) return Promise.resolve(undefined);
    this.#writes += 1;
    const etag = `"0x${this.#writes.toString(16)}"`;
    this.#blobs.set(name, { bytes: Buffer.from(bytes), etag, metadata, writtenAt: this.#now() });
    return Promise.resolve(etag);
  }

  delete(
    name: string,
    { etag, writtenBefore }: { readonly etag?: Etag; readonly writtenBefore?: Date } = {},
  ): Promise<boolean> {
    const blob = this.#blobs.get(name);
    const isOther = blob !== undefined && etag !== undefined && blob.etag !== etag;
    const isLater =
      blob !== undefined &&
      writtenBefore !== undefined &&
      inSeconds(blob.writtenAt) > inSeconds(writtenBefore.getTime());
    if (!isOther && !isLater) this.#blobs.delete(name);
    return Promise.resolve(!isOther && !isLater);
  }

  list(prefix: string): Promise<readonly ListedBlob[]> {
    const found = [...this.#blobs].filter(([name]) => name.startsWith(prefix));
    return Promise.resolve(
      found.map(([name, { writtenAt }]) => ({ name, writtenAt })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  }
}
