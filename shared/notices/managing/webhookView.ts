import { createHash } from 'node:crypto';
import { sequenceText } from '../log/cloudEvent.js';
import { errorShown } from '../webhooks/deliveryRules.js';
import type { Delivery, WebhookState } from '../webhooks/deliveryStore.js';
import type { Webhook } from '../webhooks/webhook.js';
import type { ReceiverAnswer } from '../webhooks/webhookClient.js';

const instant = (time: number): string => new Date(time).toISOString();
const instantOrNull = (time: number | undefined): string | null => (time === undefined ? null : instant(time));

export interface Standing {
  readonly state: WebhookState | undefined;
  /** Events that wait for it. */
  readonly pending: number;
}

/** A webhook as its owner sees it. */
export function webhookRecord(webhook: Webhook, { state, pending }: Standing) {
  return {
    id: webhook.id,
    url: webhook.url,
    types: webhook.types ?? null,
    description: webhook.description ?? null,
    status: webhook.status,
    disabled_reason: webhook.disabledReason ?? null,
    max_in_flight: webhook.maxInFlight,
    allowed_rate: webhook.allowedRate ?? null,
    created_date_time: instant(webhook.createdAt),
    cursor_sequence: sequenceText(state?.cursor ?? webhook.startsAfter),
    pending_events: pending,
    last_success_date_time: instantOrNull(state?.lastSuccessAt),
    failing_since: instantOrNull(state?.failingSince),
    secrets: webhook.secrets.map(({ kid, createdAt, expiresAt }) => ({
      kid,
      created_date_time: instant(createdAt),
      expires_date_time: instantOrNull(expiresAt),
    })),
  };
}

/** Marks a webhook as it was set and as it stands; how far it has come changes nothing of it. */
export const webhookTag = (webhook: Webhook): string =>
  createHash('sha256')
    .update(JSON.stringify(webhookRecord(webhook, { state: undefined, pending: 0 })))
    .digest('base64url')
    .slice(0, 27);

export const pingView = (answer: ReceiverAnswer) => ({
  status_code: answer.status ?? null,
  duration_ms: answer.durationMs,
  error: errorShown(answer),
});

export const deliveryView = ({ eventId, type, sequence, status, tries, nextAt }: Delivery) => ({
  event_id: eventId,
  type,
  sequence: sequenceText(sequence),
  status,
  attempts: tries.map(({ at, status: code, durationMs, error }) => ({
    at: instant(at),
    status_code: code,
    duration_ms: durationMs,
    error,
  })),
  next_attempt_date_time: instantOrNull(nextAt),
});
