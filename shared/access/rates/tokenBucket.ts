import type { Rate } from './rates.js';

/** A caller's tokens of one rate at an instant. */
export interface Bucket {
  readonly tokens: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Tokens taken from a bucket and what is left, or the time to wait for one. */
export type Taken =
  | { readonly count: number; readonly bucket: Bucket; readonly waitMs?: undefined }
  | { readonly count: 0; readonly waitMs: number };

/** Most tokens an instance takes at once: more would save requests to storage, but some might go unused. */
const MAX_LEASE = 20;

/** A bucket nobody has taken from yet. */
export const fullBucket = ({ burst }: Rate, now: number): Bucket => ({ tokens: burst, at: now });

/**
 * Takes tokens for about a second's calls, at least one. The time of a bucket never goes back, although the clocks of
 * instances differ.
 */
export function take(bucket: Bucket, { perSecond, burst }: Rate, now: number): Taken {
  const at = Math.max(bucket.at, now);
  const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
  if (tokens < 1) return { count: 0, waitMs: Math.ceil(((1 - tokens) / perSecond) * 1000) };
  const wanted = Math.min(MAX_LEASE, Math.max(1, Math.floor(perSecond)));
  const count = Math.min(wanted, Math.floor(tokens));
  return { count, bucket: { tokens: tokens - count, at } };
}
