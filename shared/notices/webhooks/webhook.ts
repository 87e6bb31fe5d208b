/** A webhook as its owner sees it, and the moves between its states; without storage and clock. */
import type { NoticeOwner } from '../log/noticeOwner.js';
import type { WorkKey } from '../../work/item/workItem.js';
import type { Sealed } from '../secrets/secretBox.js';
import type { DisabledReason, WebhookStatus } from './webhookStates.js';

export interface WebhookSecret {
  readonly kid: string;
  readonly sealed: Sealed;
  /** Milliseconds since 1970 UTC; a secret with an end signs until then. */
  readonly createdAt: number;
  readonly expiresAt?: number;
}

export interface WebhookKey {
  readonly owner: NoticeOwner;
  readonly id: string;
}

/** An id has no `_` behind its first: none begins another one's keys, nor a range of several webhooks. */
export const WEBHOOK_ID = /^wh_[A-Za-z0-9-]{1,61}$/;

/** One webhook. Instants are milliseconds since 1970 UTC. */
export interface Webhook extends WebhookKey {
  readonly url: string;
  /** All when absent. */
  readonly types?: readonly string[];
  readonly description?: string;
  readonly maxInFlight: number;
  readonly status: WebhookStatus;
  readonly createdAt: number;
  /** The newest first. */
  readonly secrets: readonly WebhookSecret[];
  /** What the administrator of a receiver shows to consent, sealed; of this address alone. */
  readonly consent: Sealed;
  /** Since when its receiver is asked. */
  readonly askedAt: number;
  /** How often it was asked. */
  readonly asks: number;
  /** Requests a minute that its receiver takes. */
  readonly allowedRate?: number;
  readonly disabledReason?: DisabledReason;
  /** Place in the log behind which it begins. */
  readonly startsAfter: number;
  /** Digest of the request that created it, for repetitions. */
  readonly createDigest: string;
}

/** The kind of work that asks a receiver for its consent and sends events to it. */
export const WEBHOOK = 'webhook';

export const workOfWebhook = ({ owner, id }: WebhookKey): WorkKey => ({ kind: WEBHOOK, id: `${owner}|${id}` });
export function webhookOfWork({ id }: Pick<WorkKey, 'id'>): WebhookKey {
  const [owner = '', webhookId = ''] = id.split('|');
  return { owner: owner as NoticeOwner, id: webhookId };
}

/** Where a secret of a webhook belongs. */
export const placeOfSecret = ({ owner, id }: WebhookKey, kid: string): string => `${owner}|${id}|${kid}`;
/** The place of what consents. */
export const CONSENT = 'consent';

/** Secrets that sign at an instant. */
export const validSecrets = ({ secrets }: Webhook, now: number): readonly WebhookSecret[] =>
  secrets.filter(({ expiresAt = Infinity }) => expiresAt > now);

export function enabledBy(webhook: Webhook, allowedRate: number | undefined): Webhook {
  const { disabledReason: _reason, allowedRate: _rate, ...rest } = webhook;
  return { ...rest, status: 'enabled', ...(allowedRate === undefined ? {} : { allowedRate }) };
}

/** The webhook as one whose receiver is asked for its consent anew. @param askedAt milliseconds since 1970 UTC */
export function pendingFrom(webhook: Webhook, askedAt: number): Webhook {
  const { disabledReason: _reason, ...rest } = webhook;
  return { ...rest, status: 'pending', askedAt, asks: 0 };
}

export const disabledFor = (webhook: Webhook, disabledReason: DisabledReason): Webhook => ({
  ...webhook,
  status: 'disabled',
  disabledReason,
});
