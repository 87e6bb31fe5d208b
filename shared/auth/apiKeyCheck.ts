import { hash } from 'node:crypto';
import type { Clock } from '../clock.js';
import { isLive, type StoredKey } from '../customers/customer.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { apiKeyDigest, isSameDigest, newestPepper, type Peppers } from './apiKeyDigest.js';
import { parseApiKey } from './apiKeyFormat.js';
import { RecentMap } from '../recentMap.js';

/** The one thing this needs of the customers' store. */
export interface ApiKeyPorts {
  readonly findKey: (keyId: string) => Promise<StoredKey | undefined>;
  readonly peppers: Peppers;
  readonly clock: Clock;
}

/** A decision is remembered this long, so that a revoked key is refused within a minute everywhere. */
export const KEY_MEMORY_MS = 50_000;
/** Decisions remembered at once: a flood of made-up keys pushes out old ones instead of growing the memory. */
const MAX_REMEMBERED = 10_000;

/** Says the same whatever is wrong with a key; `reason` is for the log. */
export class ApiKeyRefusal extends ServiceError {
  readonly reason: string;

  constructor(reason: string) {
    super(commonFaults.unauthorized, 'The Api-Key header holds no valid key. Send it with every request.', {
      headers: { 'www-authenticate': 'ApiKey' },
    });
    this.reason = reason;
  }
}

interface Decision {
  /** Undefined for a key that opens nothing. */
  readonly customer: string | undefined;
  readonly reason: string;
  readonly until: number;
}

/**
 * The customer an `Api-Key` header speaks for.
 *
 * An unknown key costs the same steps as a known one: one look into storage, one digest, one comparison. Decisions
 * are remembered under a hash of the key; keys themselves are not kept.
 *
 * @throws ApiKeyRefusal 401 whatever is wrong with the key; ServiceError 503 when storage is away
 */
export function checkApiKey(ports: ApiKeyPorts): (header: string | null) => Promise<string> {
  const remembered = new RecentMap<Decision>(MAX_REMEMBERED);
  return async (header) => {
    const key = parseApiKey(header ?? '');
    if (key === undefined) throw new ApiKeyRefusal(header === null ? 'missing' : 'malformed');
    const mark = hash('sha256', key.text, 'base64');
    const known = remembered.get(mark);
    const startedAt = ports.clock.now().getTime();
    const decision =
      known !== undefined && known.until > startedAt ? known : await decide(ports, key, startedAt + KEY_MEMORY_MS);
    remembered.use(mark, decision);
    if (decision.customer === undefined) throw new ApiKeyRefusal(decision.reason);
    return decision.customer;
  };
}

async function decide(
  { findKey, peppers, clock }: ApiKeyPorts,
  key: { readonly keyId: string; readonly text: string },
  until: number,
): Promise<Decision> {
  const stored = await findKey(key.keyId);
  const expected = stored === undefined ? Buffer.alloc(32) : Buffer.from(stored.digest, 'base64');
  const given = apiKeyDigest(key.text, stored?.pepper ?? newestPepper(peppers), peppers);
  const isRight = isSameDigest(given, expected);
  const now = clock.now().getTime();
  if (stored === undefined) return { customer: undefined, reason: 'unknown key', until };
  if (!isRight) return { customer: undefined, reason: 'wrong secret', until };
  if (!isLive(stored, now)) return { customer: undefined, reason: 'expired or revoked', until };
  const end = stored.expiresAt ?? Infinity;
  return { customer: stored.customer, reason: 'live', until: Math.min(until, end) };
}
