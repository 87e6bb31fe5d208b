import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EnrollmentStatus } from './enrollment.js';

/** Whose list, which filter, and where it goes on. */
export interface CursorContent {
  readonly customer: string;
  readonly status: EnrollmentStatus | undefined;
  /** Position of the last enrollment shown. */
  readonly position: string;
}

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
 * An opaque text that continues a list for a day. It holds the position alone and no authority: caller and filter go
 * into its seal, so that it is worth nothing to another caller or with another filter.
 */
export function sealCursor(content: CursorContent, keys: CursorKeys, now: number): string {
  const payload = Buffer.from(JSON.stringify([1, content.position, now + LIFETIME_MS]), 'utf8');
  return Buffer.concat([sealOf(payload, content, keys.present), payload]).toString('base64url');
}

/** The position a cursor stands for, or undefined when it is not one of this caller, of this filter and of today. */
export function openCursor(
  cursor: string,
  caller: Omit<CursorContent, 'position'>,
  { keys, now }: { readonly keys: CursorKeys; readonly now: number },
): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Another spelling of the same bytes is no cursor of ours.
  if (bytes.length <= MARK_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const [seal, payload] = [bytes.subarray(0, MARK_BYTES), bytes.subarray(MARK_BYTES)];
  if (!keys.accepted.some((key) => timingSafeEqual(seal, sealOf(payload, caller, key)))) return undefined;
  const [version, position, expiresAt] = JSON.parse(payload.toString('utf8')) as [number, string, number];
  return version === 1 && now < expiresAt ? position : undefined;
}

function sealOf(payload: Uint8Array, { customer, status }: Omit<CursorContent, 'position'>, key: Uint8Array): Buffer {
  const bound = JSON.stringify(['list-cursor', customer, status ?? null]);
  return createHmac('sha256', key).update(bound).update('\0').update(payload).digest().subarray(0, MARK_BYTES);
}
