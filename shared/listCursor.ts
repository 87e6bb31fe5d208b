import { createHmac, timingSafeEqual } from 'node:crypto';

/** Which list it is, whose and with which filter: a cursor is taken for the very same alone. */
export type CursorScope = readonly (string | null)[];

const LIFETIME_MS = 24 * 3_600_000;
const MARK_BYTES = 16;

/** Makes and reads cursors; the secret is the same for all instances. */
export interface CursorKeys {
  /** The key that new cursors are sealed with. */
  readonly present: Uint8Array;
  /** Keys whose cursors are still taken. */
  readonly accepted: readonly Uint8Array[];
}

/**
 * An opaque text that continues a list for a day. It holds the position alone and no authority: list, caller and filter
 * go into its seal, so that it is worth nothing to another caller, of another list or with another filter.
 *
 * @param position of the last item shown
 */
export function sealCursor(
  scope: CursorScope,
  position: string,
  { keys, now }: { readonly keys: CursorKeys; readonly now: number },
): string {
  const payload = Buffer.from(JSON.stringify([1, position, now + LIFETIME_MS]), 'utf8');
  return Buffer.concat([sealOf(payload, scope, keys.present), payload]).toString('base64url');
}

/** The position a cursor stands for, or undefined when it is not one of this list and caller, of this filter and of today. */
export function openCursor(
  cursor: string,
  scope: CursorScope,
  { keys, now }: { readonly keys: CursorKeys; readonly now: number },
): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Another spelling of the same bytes is no cursor of ours.
  if (bytes.length <= MARK_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const [seal, payload] = [bytes.subarray(0, MARK_BYTES), bytes.subarray(MARK_BYTES)];
  if (!keys.accepted.some((key) => timingSafeEqual(seal, sealOf(payload, scope, key)))) return undefined;
  const [version, position, expiresAt] = JSON.parse(payload.toString('utf8')) as [number, string, number];
  return version === 1 && now < expiresAt ? position : undefined;
}

function sealOf(payload: Uint8Array, scope: CursorScope, key: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(scope))
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, MARK_BYTES);
}
