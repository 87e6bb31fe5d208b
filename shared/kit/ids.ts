import { createHash, randomUUID } from 'node:crypto';

/** Source of fresh random ids (UUID v4), handed in so that tests can predict them. */
export type NewId = () => string;

export const randomId: NewId = () => randomUUID();

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Whether a text is a UUID of 36 characters, in upper or lower case and of any version. `urn:uuid:` in front and braces
 * around it are no part of a UUID, although validators of JSON Schema let the former pass.
 *
 * @see RFC 9562, section 4
 */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The id as it is compared and looked up: case tells no two UUIDs apart. What is stored, shown or sent stays as written. */
export const foldedId = (id: string): string => id.toLowerCase();

/** Whether two ids name the same thing, whatever their case. */
export const isSameId = (one: string, other: string): boolean => foldedId(one) === foldedId(other);

/** Our namespace for deterministic ids: a random UUID, minted once for this service; it must never change. */
const NAMESPACE = '5f4b4b0e-3f0c-4c0b-9a51-0c9d7b8f6a21';

/**
 * A UUID that depends on nothing but its parts, so that a repeated write lands on the same key.
 *
 * @param parts joined with a separator that cannot be confused: ['a', 'bc'] and ['ab', 'c'] differ
 * @see RFC 9562, section 5.5 (UUID version 5)
 */
export function deterministicId(...parts: readonly (string | number)[]): string {
  const hash = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(JSON.stringify(parts), 'utf8')
    .digest()
    .subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x50, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
