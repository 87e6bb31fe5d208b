import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { Clock } from '../clock.js';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { isValid } from '../validation/validator.js';
import type { SigningKey, SigningKeys } from './verifyToken.js';

const KeySet = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.String(),
      kid: Type.Optional(Type.String()),
      use: Type.Optional(Type.String()),
      // Entra's own member, which no standard names.
      issuer: Type.Optional(Type.Unknown()),
    }),
  ),
});

/** A set of keys is used this long, and for `STALE_MS` more while the issuer cannot be reached. */
const FRESH_MS = 24 * 3_600_000;
const STALE_MS = 24 * 3_600_000;
/** Unknown key ids cause at most one fetch in this time, so that made-up ids do not flood the issuer. */
const COOL_DOWN_MS = 5 * 60_000;
/** After a failed fetch none is tried for this long. */
const FAILURE_PAUSE_MS = 5_000;
const TIMEOUT_MS = 3_000;
const MAX_BYTES = 256 * 1024;
const MIN_MODULUS_BITS = 2048;

interface KnownKeys {
  readonly keys: ReadonlyMap<string, SigningKey>;
  readonly fetchedAt: number;
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

  async find(kid: string): Promise<SigningKey | undefined> {
    if (this.#needsFetch(kid)) await (this.#inFlight ??= this.#refresh().finally(() => (this.#inFlight = undefined)));
    const known = this.#known;
    if (known === undefined || this.#age(known) > FRESH_MS + STALE_MS) {
      throw new ServiceError(commonFaults.unavailable, 'The signing keys of the token issuer cannot be had right now.');
    }
    return known.keys.get(kid);
  }

  #needsFetch(kid: string): boolean {
    if (this.#clock.now().getTime() - this.#failedAt < FAILURE_PAUSE_MS) return false;
    if (this.#known === undefined || this.#age(this.#known) > FRESH_MS) return true;
    return !this.#known.keys.has(kid) && this.#age(this.#known) > COOL_DOWN_MS;
  }

  #age({ fetchedAt }: KnownKeys): number {
    return this.#clock.now().getTime() - fetchedAt;
  }

  /** After a failed fetch the old keys stay in use. */
  async #refresh(): Promise<void> {
    try {
      const keys = await this.#read();
      this.#known = { keys, fetchedAt: this.#clock.now().getTime() };
    } catch {
      this.#failedAt = this.#clock.now().getTime();
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

type Key = Static<typeof KeySet>['keys'][number];

/** The id and key of an RSA signing key of at least 2048 bits, with the issuer it names; empty for any other key. */
function entryOf(key: Key): [string, SigningKey][] {
  const { kid, kty, use = 'sig' } = key;
  if (kid === undefined || kty !== 'RSA' || use !== 'sig') return [];
  try {
    const publicKey = createPublicKey({ key: key as unknown as JsonWebKey, format: 'jwk' });
    const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits >= MIN_MODULUS_BITS ? [[kid, { publicKey, ...issuerOf(key) }]] : [];
  } catch {
    return [];
  }
}

/** An issuer of an unknown form becomes '', which no token has: without an issuer the key would count for all. */
function issuerOf({ issuer }: Key): Pick<SigningKey, 'issuer'> {
  if (issuer === undefined) return {};
  return { issuer: typeof issuer === 'string' ? issuer : '' };
}
