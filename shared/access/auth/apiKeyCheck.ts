import { hash } from 'node:crypto';
import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { RecentMap } from '../../kit/recentMap.js';
import { apiKeyDigest, isSameDigest, newestPepper, type Peppers } from './apiKeyDigest.js';
import { parseApiKey, type ApiKey } from './apiKeyFormat.js';
import { isLive, type StoredKey } from './storedKey.js';

/** What the check of a key needs. */
interface ApiKeyPorts {
  readonly findKey: (keyId: string) => Promise<StoredKey | undefined>;
  readonly peppers: Peppers;
  readonly clock: Clock;
}

/** How long a decision is remembered: every instance refuses a revoked key within a minute. */
export const KEY_MEMORY_MS = 50_000;
/** Most decisions in memory; beyond, a new one replaces the one that was unused for longest. */
const MAX_REMEMBERED = 10_000;

/** One message whatever is wrong with a key; `reason` is for the log. */
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
  /** Undefined for a key that is refused. */
  readonly customer: string | undefined;
  readonly reason: string;
  readonly until: number;
}

/**
 * The customer an `Api-Key` header speaks for.
 *
 * An unknown key takes the same steps as a known one: one reading of storage, one digest, one comparison. Decisions
 * are remembered under a hash of the key, not under the key.
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

async function decide({ findKey, peppers, clock }: ApiKeyPorts, key: ApiKey, until: number): Promise<Decision> {
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
