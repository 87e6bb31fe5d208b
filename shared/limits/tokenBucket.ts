import type { Rate } from './rates.js';

/** A caller's tokens of one rate at an instant. */
export interface Bucket {
  readonly tokens: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** What an instance took out of a bucket, or how long it has to wait. */
export type Taken =
  | { readonly count: number; readonly bucket: Bucket; readonly waitMs?: undefined }
  | { readonly count: 0; readonly waitMs: number };

/** Most tokens an instance takes at once: fewer looks into storage, against some that may go unused. */
const MAX_LEASE = 20;

/** A bucket nobody has taken from yet. */
export const fullBucket = ({ burst }: Rate, now: number): Bucket => ({ tokens: burst, at: now });

/**
 * Takes tokens for about a second's calls, at least one. The clocks of instances differ, so that time never runs
 * backwards for a bucket.
 */
export function take(bucket: Bucket, { perSecond, burst }: Rate, now: number): Taken {
  const at = Math.max(bucket.at, now);
  const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
  if (tokens < 1) return { count: 0, waitMs: Math.ceil(((1 - tokens) / perSecond) * 1000) };
  const wanted = Math.min(MAX_LEASE, Math.max(1, Math.floor(perSecond)));
  const count = Math.min(wanted, Math.floor(tokens));
  return { count, bucket: { tokens: tokens - count, at } };
}
