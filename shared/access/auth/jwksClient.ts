import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { isValid } from '../../kit/validation/validator.js';
import type { SigningKey, SigningKeys } from './verifyToken.js';

/** Each key is checked by itself: one of an unknown form must not hide the others. */
const KeySet = Type.Object({ keys: Type.Array(Type.Unknown()) });

const optional = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Key = Type.Object({
  kty: Type.Literal('RSA'),
  kid: Type.String(),
  use: optional,
  alg: optional,
  // Entra's own member, which no standard names.
  issuer: Type.Optional(Type.Unknown()),
});
type Key = Static<typeof Key>;

/** A set of keys is used this long, and for `STALE_MS` more while the issuer cannot be reached. */
const FRESH_MS = 12 * 3_600_000;
const STALE_MS = 36 * 3_600_000;
/**
 * A key that newer sets lack is used for so long after the last set that had it: Entra's sets lack one now and then, for
 * minutes to hours. From then on it counts as withdrawn. Longer than `FRESH_MS`, so that a key is missed for hours first.
 */
const KEPT_MS = 24 * 3_600_000;
/** A set that lacks a key is asked for again after this time. */
const SHRUNK_MS = 5 * 60_000;
/** Unknown key ids cause at most one fetch in this time, so that made-up ids do not flood the issuer. */
const COOL_DOWN_MS = 10_000;
/** After a failed fetch none is tried for this long. */
const FAILURE_PAUSE_MS = 5_000;
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;
const MIN_MODULUS_BITS = 2048;

interface KnownKey {
  readonly key: SigningKey;
  /** When it ends; absent for a key of the newest set. */
  readonly until?: number;
}

interface KnownKeys {
  readonly keys: ReadonlyMap<string, KnownKey>;
  readonly fetchedAt: number;
  /** Whether the newest set lacks a key of an earlier one. */
  readonly isShrunk: boolean;
}

interface JwksClientOptions {
  readonly uri: string;
  readonly clock: Clock;
  readonly fetch?: typeof fetch;
}

/** Signing keys from a JWKS address: cached, fetched again for an unknown id, used longer while the issuer is away. */
export class JwksClient implements SigningKeys {
  readonly #uri: string;
  readonly #clock: Clock;
  readonly #fetch: typeof fetch;
  #known: KnownKeys | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  #inFlight: Promise<void> | undefined;

  constructor({ uri, clock, fetch: fetchImplementation = fetch }: JwksClientOptions) {
    this.#uri = uri;
    this.#clock = clock;
    this.#fetch = fetchImplementation;
  }

  /** Only callers whose key is not at hand wait for the issuer. */
  async find(kid: string): Promise<SigningKey | undefined> {
    const atHand = this.#age() <= FRESH_MS ? this.#keyOf(kid) : undefined;
    if (this.#isDue(atHand)) {
      this.#inFlight ??= this.#refresh().finally(() => (this.#inFlight = undefined));
      if (atHand === undefined) await this.#inFlight;
    }
    if (this.#age() > FRESH_MS + STALE_MS) {
      throw new ServiceError(commonFaults.unavailable, 'The signing keys of the token issuer cannot be had right now.');
    }
    return this.#keyOf(kid);
  }

  #keyOf(kid: string): SigningKey | undefined {
    const { key, until = Infinity } = this.#known?.keys.get(kid) ?? {};
    return until > this.#now() ? key : undefined;
  }

  #isDue(atHand: SigningKey | undefined): boolean {
    if (this.#now() - this.#failedAt < FAILURE_PAUSE_MS) return false;
    if (atHand === undefined) return this.#age() > COOL_DOWN_MS;
    return this.#known?.isShrunk === true && this.#age() > SHRUNK_MS;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }

  /** Of the newest set; endless where there is none, and where a clock that was put back has it in the future. */
  #age(): number {
    const age = this.#now() - (this.#known?.fetchedAt ?? -Infinity);
    return age < 0 ? Infinity : age;
  }

  /** After a failed fetch the old keys stay in use. */
  async #refresh(): Promise<void> {
    try {
      this.#known = knownKeys(await this.#read(), this.#known, this.#now());
    } catch {
      this.#failedAt = this.#now();
    }
  }

  async #read(): Promise<Map<string, SigningKey>> {
    const response = await this.#fetch(this.#uri, {
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: { accept: 'application/json' },
    });
    if (!response.ok || response.body === null) throw new Error(`JWKS answered ${response.status}`);
    const set: unknown = JSON.parse(await textOf(response.body));
    if (!isValid(KeySet, set)) throw new Error('JWKS has an unknown form');
    const keys = new Map(set.keys.flatMap(entryOf));
    if (keys.size === 0) throw new Error('JWKS has no usable key');
    return keys;
  }
}

/** The keys of a new set, and those of earlier sets that it lacks, until they end. */
function knownKeys(
  published: ReadonlyMap<string, SigningKey>,
  earlier: KnownKeys | undefined,
  fetchedAt: number,
): KnownKeys {
  const seenAt = earlier?.fetchedAt ?? 0;
  const missing = [...(earlier?.keys ?? [])].flatMap(
    ([kid, { key, until = seenAt + KEPT_MS }]): [string, KnownKey][] =>
      published.has(kid) || until <= fetchedAt ? [] : [[kid, { key, until }]],
  );
  const present = [...published].map(([kid, key]): [string, KnownKey] => [kid, { key }]);
  return { keys: new Map([...present, ...missing]), fetchedAt, isShrunk: missing.length > 0 };
}

async function textOf(body: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error('JWKS is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The id and key of an RSA signing key of at least 2048 bits, with the issuer it names; empty for anything else. */
function entryOf(key: unknown): [string, SigningKey][] {
  if (!isValid(Key, key) || (key.use ?? 'sig') !== 'sig' || (key.alg ?? 'RS256') !== 'RS256') return [];
  try {
    const publicKey = createPublicKey({ key: key as unknown as JsonWebKey, format: 'jwk' });
    const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits >= MIN_MODULUS_BITS ? [[key.kid, { publicKey, ...issuerOf(key) }]] : [];
  } catch {
    return [];
  }
}

/** An issuer of an unknown form becomes '', which no token has: without an issuer the key would count for all. */
function issuerOf({ issuer }: Key): Pick<SigningKey, 'issuer'> {
  if (issuer === undefined) return {};
  return { issuer: typeof issuer === 'string' ? issuer : '' };
}
