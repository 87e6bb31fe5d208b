import type { TableClient } from '@azure/data-tables';
import { unlessStatus } from '../storage/storageErrors.js';
import type { BucketStore } from './limitPorts.js';
import type { Bucket } from './tokenBucket.js';

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type BucketRow = { readonly tokens: number; readonly at: string };

/** Table `limits`: PartitionKey the caller, RowKey the rate. */
export class TableBucketStore implements BucketStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async find(caller: string, rate: string): Promise<{ readonly bucket: Bucket; readonly etag: string } | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<BucketRow>(caller, rate));
    return row === undefined ? undefined : { bucket: { tokens: row.tokens, at: Date.parse(row.at) }, etag: row.etag };
  }

  async put(
    caller: string,
    rate: string,
    { bucket, etag }: { readonly bucket: Bucket; readonly etag: string | undefined },
  ): Promise<boolean> {
    const at = new Date(bucket.at).toISOString();
    // A whole number would be stored as an integer and could not take a fraction later.
    const tokens = { type: 'Double', value: String(bucket.tokens) } as const;
    const row = { partitionKey: caller, rowKey: rate, tokens, at };
    const answer = await unlessStatus([404, 409, 412], () =>
      etag === undefined ? this.#table.createEntity(row) : this.#table.updateEntity(row, 'Replace', { etag }),
    );
    return answer !== undefined;
  }
}
