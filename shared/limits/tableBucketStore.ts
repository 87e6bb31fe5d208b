import type { Etag, Rows } from '../storage/rows.js';
import type { BucketStore } from './limitPorts.js';
import type { Bucket } from './tokenBucket.js';

interface BucketRow {
  readonly tokens: number;
  readonly at: string;
}

/** Table `limits`: PartitionKey the caller, RowKey the rate. */
export class TableBucketStore implements BucketStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(caller: string, rate: string): Promise<{ readonly bucket: Bucket; readonly etag: Etag } | undefined> {
    const row = await this.#rows.find<BucketRow>(caller, rate);
    return row && { bucket: { tokens: row.tokens, at: Date.parse(row.at) }, etag: row.etag };
  }

  async put(
    caller: string,
    rate: string,
    { bucket, etag }: { readonly bucket: Bucket; readonly etag: Etag | undefined },
  ): Promise<boolean> {
    const row: BucketRow = { tokens: bucket.tokens, at: new Date(bucket.at).toISOString() };
    const written =
      etag === undefined
        ? await this.#rows.insert(caller, rate, row)
        : await this.#rows.update(caller, rate, row, etag);
    return written !== undefined;
  }
}
