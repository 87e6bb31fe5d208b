import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOnce, writeAtomically } from '../atomicFile.js';

/** The public half of a key as a JWKS lists it. */
export interface PublicJwk {
  readonly kty: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
  readonly kid: string;
  readonly n: string;
  readonly e: string;
}

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PublicJwk;
}

/** Keys of earlier rotations that stay published, so that tokens they signed live on. */
const KEPT_KEYS = 3;

/**
 * The RS256 keys of the identity stand-in, newest first. They lie in `keys.json` of the directory and are made when
 * missing, so a token outlives the process that issued it.
 */
export class SigningKeys {
  readonly #file: string;
  #keys: readonly SigningKey[];

  constructor(directory: string) {
    this.#file = join(directory, 'keys.json');
    if (!existsSync(this.#file)) createOnce(this.#file, serialized([newPem()]));
    this.#keys = readPems(this.#file).map(signingKey);
  }

  /** The key that signs. */
  current(): SigningKey {
    const [newest] = this.#keys;
    if (newest === undefined) throw new Error(`${this.#file} holds no key. Delete the file to make a new one.`);
    return newest;
  }

  /** All keys whose signatures are still good. */
  published(): readonly SigningKey[] {
    return this.#keys;
  }

  /** Signs with a new key from now on. @param forget true takes back the earlier keys, and so every token so far */
  rotate(forget = false): SigningKey {
    const kept = forget ? [] : this.#keys.slice(0, KEPT_KEYS - 1);
    this.#keys = [signingKey(newPem()), ...kept];
    writeAtomically(this.#file, serialized(this.#keys.map(({ privateKey }) => pem(privateKey))));
    return this.current();
  }
}

function newPem(): string {
  return pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function serialized(pems: readonly string[]): string {
  return `${JSON.stringify({ keys: pems }, undefined, 2)}\n`;
}

function readPems(file: string): readonly string[] {
  const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { readonly keys: readonly string[] };
  return keys;
}

/** The key id is the thumbprint of RFC 7638. */
function signingKey(privatePem: string): SigningKey {
  const privateKey = createPrivateKey(privatePem);
  const publicKey = createPublicKey(privateKey);
  const { e = '', kty = '', n = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  return { kid, privateKey, publicKey, jwk: { kty, use: 'sig', alg: 'RS256', kid, n, e } };
}
