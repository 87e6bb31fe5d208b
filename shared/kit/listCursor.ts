import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ScanPage } from './boundedScan.js';

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

interface Seal {
  readonly keys: CursorKeys;
  /** A day when absent. */
  readonly lifetimeMs?: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
}

/**
 * An opaque text that continues a list, for a day unless the list says otherwise. It holds the position alone and no authority: list, caller and filter
 * go into its seal, so that it is worth nothing to another caller, of another list or with another filter.
 *
 * @param position of the last item shown
 */
export function sealCursor(
  scope: CursorScope,
  position: string,
  { keys, now, lifetimeMs = LIFETIME_MS }: Seal,
): string {
  const payload = Buffer.from(JSON.stringify([1, position, now + lifetimeMs]), 'utf8');
  return Buffer.concat([sealOf(payload, scope, keys.present), payload]).toString('base64url');
}

/** The position a cursor stands for, or undefined when it is not one of this list and caller, of this filter and of today. */
export function openCursor(cursor: string, scope: CursorScope, { keys, now }: Seal): string | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  // Another spelling of the same bytes is no cursor of ours.
  if (bytes.length <= MARK_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const [seal, payload] = [bytes.subarray(0, MARK_BYTES), bytes.subarray(MARK_BYTES)];
  if (!keys.accepted.some((key) => timingSafeEqual(seal, sealOf(payload, scope, key)))) return undefined;
  const [version, position, expiresAt] = JSON.parse(payload.toString('utf8')) as [number, string, number];
  return version === 1 && now < expiresAt ? position : undefined;
}

/** What a caller asks of a list. */
export interface PageRequest {
  readonly cursor?: string;
  readonly limit?: number;
}

export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** Null on the last page. */
  readonly cursor: string | null;
}

const DEFAULT_LIMIT = 50;

/** Whose list it is, with which filter, its largest page, and how its cursors are sealed. */
type ListOptions = { readonly scope: CursorScope; readonly most: number } & Seal;

/**
 * One page of a list that is filtered as it is read, which may be short, even empty, with others behind it.
 *
 * @param read gives at most `size` entries behind a position, or the first, and where the next page begins
 * @returns as `listPage`
 */
export async function scannedPage<Entry>(
  { cursor, limit = DEFAULT_LIMIT }: PageRequest,
  { scope, most, ...seal }: ListOptions,
  read: (after: string | undefined, size: number) => Promise<ScanPage<Entry, string>>,
): Promise<Page<Entry> | undefined> {
  const after = cursor === undefined ? undefined : openCursor(cursor, scope, seal);
  if (cursor !== undefined && after === undefined) return undefined;
  const { items, next } = await read(after, Math.min(limit, most));
  return { entries: items, cursor: next === undefined ? null : sealCursor(scope, next, seal) };
}

/**
 * One page of a list.
 *
 * @param read gives at most `count` entries behind a position, or the first, in the order of the list
 * @returns undefined for a cursor that is not of this list, caller and filter
 */
export const listPage = <Entry extends { readonly position: string }>(
  request: PageRequest,
  options: ListOptions,
  read: (after: string | undefined, count: number) => Promise<readonly Entry[]>,
): Promise<Page<Entry> | undefined> =>
  scannedPage(request, options, async (after, size) => {
    const found = await read(after, size + 1);
    const items = found.slice(0, size);
    const last = found.length > size ? items.at(-1) : undefined;
    return { items, ...(last === undefined ? {} : { next: last.position }) };
  });

function sealOf(payload: Uint8Array, scope: CursorScope, key: Uint8Array): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(scope))
    .update('\0')
    .update(payload)
    .digest()
    .subarray(0, MARK_BYTES);
}
