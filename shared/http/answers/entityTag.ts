import { createHash } from 'node:crypto';
import type { Encoding } from '../../kit/answer/answer.js';

/** The tag of content in one encoding: the same bytes have the same tag, whoever sends them and when. */
export function entityTag(data: string | Uint8Array, encoding: Encoding): string {
  return taggedAs(createHash('sha256').update(data).digest('base64url').slice(0, 27), encoding);
}

/** The tag of content whose hash is known. */
export const taggedAs = (hash: string, encoding: Encoding): string =>
  encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`;

/**
 * Whether an `If-None-Match` header names this tag: the caller has the content already. What is no tag names nothing.
 *
 * A proxy on the way may have weakened the tag; the content is good all the same.
 *
 * @see RFC 9110, sections 8.8.3.2 and 13.1.2
 */
export function isNamed(tag: string, ifNoneMatch: string | null): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((text) => text.trim().replace(/^W\//, '') === tag);
}
