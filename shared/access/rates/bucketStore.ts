import { rowBelongings, type Belongings } from '../../storage/belongings.js';
import type { Etag, Rows } from '../../storage/rows.js';
import { bucketKeyOf } from './caller.js';
import type { Bucket } from './tokenBucket.js';

interface BucketRow {
  readonly tokens: number;
  readonly at: string;
}

/** Table `limits`: PartitionKey the key of the caller (`bucketKeyOf`), RowKey the rate. */
export class BucketStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(key: string, rate: string): Promise<{ readonly bucket: Bucket; readonly etag: Etag } | undefined> {
    const row = await this.#rows.find<BucketRow>(key, rate);
    return row && { bucket: { tokens: row.tokens, at: Date.parse(row.at) }, etag: row.etag };
  }

  /** @param change `etag` is undefined for a new bucket @returns false when somebody else has written the bucket */
  async put(
    key: string,
    rate: string,
    { bucket, etag }: { readonly bucket: Bucket; readonly etag: Etag | undefined },
  ): Promise<boolean> {
    const row: BucketRow = { tokens: bucket.tokens, at: new Date(bucket.at).toISOString() };
    const written =
      etag === undefined ? await this.#rows.insert(key, rate, row) : await this.#rows.update(key, rate, row, etag);
    return written !== undefined;
  }
}

/** The buckets of a customer. */
export const bucketBelongings = (name: string, rows: Rows): Belongings =>
  rowBelongings(name, rows, (customer) => bucketKeyOf({ customer }));
