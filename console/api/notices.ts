import type {
  DeliveryRecord,
  NewWebhook,
  PingResult,
  WebhookChange,
  WebhookRecord,
} from '../../shared/notices/managing/webhookSchemas.js';
import { call, callJson, type Call } from './client.js';

/** Whose events they are: the customer's of the key, or the tenant's of the token. */
export type NoticeSession = Call['as'];

/** A webhook with the secret that is shown this once. */
export type ShownWebhook = WebhookRecord & { readonly secret: string };

const WEBHOOKS = '/v1/webhooks';
const pathOf = (id: string, ...parts: readonly string[]): string =>
  [WEBHOOKS, encodeURIComponent(id), ...parts].join('/');

/** All webhooks of the session. */
export async function listWebhooks(as: NoticeSession, signal?: AbortSignal): Promise<readonly WebhookRecord[]> {
  const { items } = await callJson<{ readonly items: readonly WebhookRecord[] }>({ path: WEBHOOKS, as, signal });
  return items;
}

/** @param key the same for each try, so that a try whose answer was lost makes no second webhook */
export const createWebhook = (as: NoticeSession, body: NewWebhook, key: string): Promise<ShownWebhook> =>
  callJson<ShownWebhook>({ path: WEBHOOKS, as, method: 'POST', body, headers: { 'idempotency-key': key } });

/** Pauses it, has it go on, or has it be something else. */
export const changeWebhook = (as: NoticeSession, id: string, body: WebhookChange): Promise<WebhookRecord> =>
  callJson<WebhookRecord>({
    path: pathOf(id),
    as,
    method: 'PATCH',
    body,
    headers: { 'content-type': 'application/merge-patch+json' },
  });

/** Asks the receiver for its consent once more. */
export const verifyWebhook = (as: NoticeSession, id: string): Promise<WebhookRecord> =>
  callJson<WebhookRecord>({ path: pathOf(id, 'verify'), as, method: 'POST' });

/** Sends one event now. @returns what the receiver answered */
export const pingWebhook = (as: NoticeSession, id: string): Promise<PingResult> =>
  callJson<PingResult>({ path: pathOf(id, 'ping'), as, method: 'POST' });

/** Makes a new secret; the former signs too for a day. */
export const rotateWebhook = (as: NoticeSession, id: string): Promise<ShownWebhook> =>
  callJson<ShownWebhook>({ path: pathOf(id, 'rotate'), as, method: 'POST', body: {} });

export async function removeWebhook(as: NoticeSession, id: string): Promise<void> {
  await call({ path: pathOf(id), as, method: 'DELETE' });
}

/** Some of what became of events at a webhook. */
export interface DeliveryPage {
  readonly items: readonly DeliveryRecord[];
  readonly cursor: string | null;
}

const PAGE_DELIVERIES = 20;

/** A page of deliveries, the newest events first. */
export function listDeliveries(
  { as, id }: { readonly as: NoticeSession; readonly id: string },
  { status, cursor }: { readonly status: DeliveryRecord['status'] | undefined; readonly cursor: string | null },
  signal?: AbortSignal,
): Promise<DeliveryPage> {
  const query = new URLSearchParams({
    limit: String(PAGE_DELIVERIES),
    ...(status === undefined ? {} : { status }),
    ...(cursor === null ? {} : { cursor }),
  });
  return callJson<DeliveryPage>({ path: `${pathOf(id, 'deliveries')}?${query.toString()}`, as, signal });
}

/** Sends an event of the log once more. */
export async function redeliver(as: NoticeSession, id: string, sequence: string): Promise<void> {
  await call({ path: pathOf(id, 'deliveries', sequence, 'redeliver'), as, method: 'POST' });
}

/** An event as far as the page shows it. */
export interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly sequence: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface EventPage {
  readonly items: readonly ListedEvent[];
  readonly cursor: string;
  readonly has_more: boolean;
}

/** The latest events, the newest first. */
export interface LatestEvents {
  readonly events: readonly ListedEvent[];
  /** True when more came meanwhile than the page reads. */
  readonly isCut: boolean;
}

const SHOWN_EVENTS = 20;
const PAGE_EVENTS = 200;
const MOST_PAGES = 5;
const HOUR_MS = 3_600_000;
/** A log is read from its beginning on: a short time is tried before a long one. */
const LOOKS_BACK_MS = [HOUR_MS, 24 * HOUR_MS, 31 * 24 * HOUR_MS] as const;

async function readSince(as: NoticeSession, from: string, signal: AbortSignal | undefined): Promise<LatestEvents> {
  let events: readonly ListedEvent[] = [];
  let query: Record<string, string> = { from };
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const asked = new URLSearchParams({ ...query, limit: String(PAGE_EVENTS) });
    const {
      items,
      cursor,
      has_more: hasMore,
    } = await callJson<EventPage>({
      path: `/v1/events?${asked.toString()}`,
      as,
      signal,
    });
    events = [...events, ...items].slice(-SHOWN_EVENTS);
    if (!hasMore) return { events: events.toReversed(), isCut: false };
    query = { cursor };
  }
  return { events: events.toReversed(), isCut: true };
}

/** The latest events of the session. The first call has the service keep a log. @param now milliseconds since 1970 */
export async function latestEvents(as: NoticeSession, now: number, signal?: AbortSignal): Promise<LatestEvents> {
  let read: LatestEvents = { events: [], isCut: false };
  for (const back of LOOKS_BACK_MS) {
    read = await readSince(as, new Date(now - back).toISOString(), signal);
    if (read.isCut || read.events.length === SHOWN_EVENTS) return read;
  }
  return read;
}
