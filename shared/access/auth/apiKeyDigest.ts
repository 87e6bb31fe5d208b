import { createHmac, timingSafeEqual } from 'node:crypto';

/** Peppers by version; there are two while one replaces the other. */
export type Peppers = ReadonlyMap<string, Uint8Array>;

/** The version that new keys are stored with: the highest. */
export function newestPepper(peppers: Peppers): string {
  return [...peppers.keys()].sort((a, b) => Number(a) - Number(b)).at(-1) ?? '';
}

/**
 * What is stored instead of a key: HMAC-SHA-256 with the pepper of the given version, 32 bytes.
 *
 * A key has 238 random bits, so no slow hash is needed. Without the pepper a stolen table does not even serve to test
 * guesses.
 *
 * @throws Error when no pepper of this version is configured
 */
export function apiKeyDigest(key: string, version: string, peppers: Peppers): Buffer {
  const pepper = peppers.get(version);
  if (pepper === undefined) throw new Error(`API_KEY_PEPPERS has no version ${version}, which a stored key names.`);
  return createHmac('sha256', pepper).update(`api-key:${key}`, 'utf8').digest();
}

/** Compares digests in a time that doesn't depend on where they differ. */
export function isSameDigest(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Keys for sealing list cursors, derived from the peppers so that they are the same in all instances. */
export function cursorKeysOf(peppers: Peppers): { readonly present: Uint8Array; readonly accepted: Uint8Array[] } {
  const keyOf = (pepper: Uint8Array): Uint8Array => createHmac('sha256', pepper).update('list-cursor').digest();
  const present = peppers.get(newestPepper(peppers));
  if (present === undefined) throw new Error('API_KEY_PEPPERS is empty.');
  return { present: keyOf(present), accepted: [...peppers.values()].map(keyOf) };
}
