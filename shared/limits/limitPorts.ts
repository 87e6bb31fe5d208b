import type { Bucket } from './tokenBucket.js';

/** Where the buckets of callers are kept. */
export interface BucketStore {
  find(caller: string, rate: string): Promise<{ readonly bucket: Bucket; readonly etag: string } | undefined>;
  /** @param etag of the reading this is based on; undefined for a first bucket. @returns false when somebody else wrote */
  put(
    caller: string,
    rate: string,
    change: { readonly bucket: Bucket; readonly etag: string | undefined },
  ): Promise<boolean>;
}
