import { createHash, randomUUID } from 'node:crypto';

/** Source of fresh random ids (UUID v4), handed in so that tests can predict them. */
export type NewId = () => string;

export const randomId: NewId = () => randomUUID();

/** Our namespace for deterministic ids: a random UUID, minted once for this service; it must never change. */
const NAMESPACE = '5f4b4b0e-3f0c-4c0b-9a51-0c9d7b8f6a21';

/**
 * A UUID that depends on nothing but its parts, so that a repeated write lands on the same key.
 *
 * @param parts joined with a separator that cannot be confused: ['a', 'bc'] and ['ab', 'c'] differ
 * @see RFC 9562, section 5.5 (UUID version 5)
 */
export function deterministicId(...parts: readonly string[]): string {
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
