import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce, writeAtomically } from '../atomicFile.js';
import { issuerOf } from './issuer.js';

/** The public half of a key as Entra lists it: without `alg`, and with whose tokens it signs. */
export interface PublicJwk {
  readonly kty: string;
  readonly use: 'sig';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
  readonly issuer: string;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

/** The tenant of personal Microsoft accounts: Entra signs their tokens with keys of their own. */
const CONSUMERS_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad';

/** Keys of earlier rotations that stay published, so that tokens they signed live on. */
const KEPT_KEYS = 3;

/**
 * The RS256 keys of the identity stand-in, newest first: those of work tenants, and those of personal accounts. They
 * lie in `keys.json` of the directory and are made when missing, so a token outlives the process that issued it.
 */
export class SigningKeys {
  readonly #file: string;
  readonly #consumerKeys: readonly SigningKey[];
  #keys: readonly SigningKey[];
  #losses = 0;

  constructor(directory: string) {
    this.#file = join(directory, 'keys.json');
    if (!existsSync(this.#file)) createOnce(this.#file, serialized([newPem()], [newPem()]));
    const { keys, consumerKeys } = readPems(this.#file);
    this.#keys = keys.map((text) => signingKey(text, '{tenantid}'));
    this.#consumerKeys = consumerKeys.map((text) => signingKey(text, CONSUMERS_TENANT));
  }

  /** The key that signs. */
  current(): SigningKey {
    return this.#newest(this.#keys);
  }

  /** The key that signs the tokens of personal accounts, and may sign no others. */
  consumers(): SigningKey {
    return this.#newest(this.#consumerKeys);
  }

  /** The keys of work tenants whose signatures are still good. */
  ofWorkTenants(): readonly SigningKey[] {
    return this.#keys;
  }

  /** What the document of that tenant lists: `organizations`, `consumers` or, for any other, the mixture of both. */
  published(tenant: string): readonly PublicJwk[] {
    const isLost = this.#losses > 0;
    if (isLost) this.#losses -= 1;
    const work = tenant === 'consumers' ? [] : this.#keys.slice(isLost ? 1 : 0);
    const personal = tenant === 'organizations' ? [] : this.#consumerKeys;
    return [...work, ...personal].map(({ jwk }) => jwk);
  }

  /** So many of the next documents lack the key that signs, as those of Entra do now and then. */
  lose(documents: number): void {
    this.#losses = documents;
  }

  /** Signs with a new key from now on. @param forget true takes back the earlier keys, and so every token so far */
  rotate(forget = false): SigningKey {
    const kept = forget ? [] : this.#keys.slice(0, KEPT_KEYS - 1);
    this.#keys = [signingKey(newPem(), '{tenantid}'), ...kept];
    writeAtomically(this.#file, serialized(pemsOf(this.#keys), pemsOf(this.#consumerKeys)));
    return this.current();
  }

  #newest([newest]: readonly SigningKey[]): SigningKey {
    if (newest === undefined) throw new Error(`${this.#file} holds no key. Delete the file to make a new one.`);
    return newest;
  }
}

const pemsOf = (keys: readonly SigningKey[]): string[] => keys.map(({ privateKey }) => pem(privateKey));

function newPem(): string {
  return pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

interface Pems {
  readonly keys: readonly string[];
  readonly consumerKeys: readonly string[];
}

function serialized(keys: readonly string[], consumerKeys: readonly string[]): string {
  return `${JSON.stringify({ keys, consumerKeys } satisfies Pems, undefined, 2)}\n`;
}

function readPems(file: string): Pems {
  const { keys, consumerKeys = [] } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Pems> & Pick<Pems, 'keys'>;
  return { keys, consumerKeys };
}

/** The key id is the thumbprint of RFC 7638. @param tenant whose tokens it signs */
function signingKey(privatePem: string, tenant: string): SigningKey {
  const privateKey = createPrivateKey(privatePem);
  const publicKey = createPublicKey(privateKey);
  const { e = '', kty = '', n = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  return { kid, privateKey, publicKey, jwk: { kty, use: 'sig', kid, n, e, issuer: issuerOf(tenant) } };
}
