import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { bucketKeyOf, type LimitedCaller } from './caller.js';
import type { BucketStore } from './bucketStore.js';
import type { Rate, RateName } from './rates.js';
import { fullBucket, take } from './tokenBucket.js';

/** Lets one call pass or throws 429. @param own the caller's own rate; that of the settings when absent */
export type LimitRate<Name extends string = RateName> = (
  caller: LimitedCaller,
  rate: Name,
  own?: Rate,
) => Promise<void>;

interface LimitRatePorts {
  readonly buckets: Pick<BucketStore, 'find' | 'put'>;
  readonly clock: Clock;
}

/** An instance forgets unused tokens after this time, so that they do not add to a later burst. */
const LEASE_MS = 5_000;
/** Attempts to take tokens while other instances write the same bucket; then the call is refused. */
const TRIES = 5;
/** Callers remembered at once. */
const MAX_REMEMBERED = 10_000;

/** Calls of a caller that this instance may let pass until an instant, or that the caller must wait until then. */
interface Lease {
  tokens: number;
  readonly mustWait: boolean;
  readonly until: number;
}

/**
 * Limits the calls of each caller over all instances: buckets lie in a table, and an instance takes tokens for about a
 * second's calls at a time. When it has none left, one call takes new ones and the others wait for it.
 *
 * The returned function throws ServiceError 429 with `Retry-After`, or 503 when storage is away.
 */
export function limitRate<Name extends string = RateName>(
  ports: LimitRatePorts,
  rates: Readonly<Record<Name, Rate>>,
): LimitRate<Name> {
  const leases = new Map<string, Lease>();
  const asking = new Map<string, Promise<void>>();
  const ask = async (key: string, bucket: string, rate: Rate & { readonly name: Name }): Promise<void> => {
    const lease = await leaseOf(ports, bucket, rate);
    leases.delete(key);
    leases.set(key, lease);
    const [oldest] = leases.keys();
    if (leases.size > MAX_REMEMBERED && oldest !== undefined) leases.delete(oldest);
  };
  return async (caller, rate, own = rates[rate]) => {
    const bucket = bucketKeyOf(caller);
    const key = `${rate} ${bucket}`;
    for (;;) {
      const now = ports.clock.now().getTime();
      const lease = leases.get(key);
      if (lease !== undefined && lease.until > now) {
        if (lease.mustWait) throw tooMany(lease.until - now);
        if (lease.tokens > 0) {
          lease.tokens -= 1;
          return;
        }
      }
      let answer = asking.get(key);
      if (answer === undefined) {
        answer = ask(key, bucket, { name: rate, ...own }).finally(() => asking.delete(key));
        asking.set(key, answer);
      }
      await answer;
    }
  };
}

async function leaseOf(
  { buckets, clock }: LimitRatePorts,
  key: string,
  rate: Rate & { readonly name: string },
): Promise<Lease> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const now = clock.now().getTime();
    const stored = await buckets.find(key, rate.name);
    const taken = take(stored?.bucket ?? fullBucket(rate, now), rate, now);
    if (taken.waitMs !== undefined) return { tokens: 0, mustWait: true, until: now + taken.waitMs };
    const isOurs = await buckets.put(key, rate.name, { bucket: taken.bucket, etag: stored?.etag });
    if (isOurs) return { tokens: taken.count, mustWait: false, until: now + LEASE_MS };
  }
  return { tokens: 0, mustWait: true, until: clock.now().getTime() + 1_000 };
}

function tooMany(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError(commonFaults.tooManyRequests, `Too many requests; wait ${seconds} s.`, {
    retryAfterSeconds: seconds,
  });
}
