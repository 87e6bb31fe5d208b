import type { Bucket } from './tokenBucket.js';

/** Where the buckets of callers are kept. `key` is that of `bucketKeyOf`. */
export interface BucketStore {
  find(key: string, rate: string): Promise<{ readonly bucket: Bucket; readonly etag: string } | undefined>;
  /** @param etag of the reading this is based on; undefined for a first bucket. @returns false when somebody else wrote */
  put(
    key: string,
    rate: string,
    change: { readonly bucket: Bucket; readonly etag: string | undefined },
  ): Promise<boolean>;
}
