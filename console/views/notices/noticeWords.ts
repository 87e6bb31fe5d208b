import type { DisabledReason, WebhookStatus } from '../../../shared/notices/webhooks/webhookStates.js';
import type { DeliveryRecord, PingResult, WebhookRecord } from '../../../shared/notices/managing/webhookSchemas.js';
import type { NoticeSession } from '../../api/notices.js';
import { instantText } from '../../parts/dateText.js';
import { eventText } from './eventWords.js';

/** Kinds of events that a session is told of, as a webhook names them. */
export const KINDS: Readonly<Record<NoticeSession, readonly { readonly types: string; readonly name: string }[]>> = {
  key: [
    { types: 'partner.imagery.*', name: 'Pictures are there, or were replaced' },
    { types: 'partner.enrollment.*', name: 'The fields of an enrollment were checked' },
    { types: 'partner.backfill.completed', name: 'Earlier days were looked through' },
    { types: 'partner.webhook.disabled', name: 'A webhook was disabled' },
  ],
  token: [
    { types: 'partner.job.*', name: 'A calculation or a search has ended' },
    { types: 'partner.insight.updated', name: 'Degree-days were calculated anew' },
    { types: 'partner.webhook.disabled', name: 'A webhook was disabled' },
  ],
};

export const STATUS: Readonly<Record<WebhookStatus, string>> = {
  pending: 'Waits for consent',
  enabled: 'Enabled',
  paused: 'Paused',
  disabled: 'Disabled',
};

/** Why a webhook is disabled, and what to do. */
const REASONS: Readonly<Record<DisabledReason, string>> = {
  verification_failed:
    'Its receiver did not consent within a week. Have the receiver answer OPTIONS, or its administrator open the address that it was sent; then enable the webhook.',
  gone_410: 'Its receiver answered 410: it wants no events any more. Enable the webhook when that has changed.',
  no_success_for_5_days: 'Its receiver took no event for five days. Mend the receiver, then enable the webhook.',
  too_many_failed_events:
    'Twenty events in a row could not be delivered. Mend the receiver, then enable the webhook; what failed can be redelivered.',
  secret_lost: 'The service can’t read its secret any more. Rotate the secret, then enable the webhook.',
  operator: 'The operator of the service has disabled it. Ask the operator before you enable it.',
};

const PENDING =
  'Nothing is sent before the receiver consents: it answers OPTIONS with WebHook-Allowed-Origin, or its administrator opens the address that it was sent in WebHook-Request-Callback.';

/** What stands above a webhook that is sent nothing; undefined where all is well. */
export function bannerOf({ status, disabled_reason: reason }: WebhookRecord): string | undefined {
  if (status === 'pending') return PENDING;
  if (status === 'paused')
    return 'While it is paused its events stay in the log; enabled, it goes on where it stopped.';
  return status === 'disabled' && reason !== null ? `${REASONS[reason]} Its events stay in the log.` : undefined;
}

/** As many as the service counts. */
const MOST_COUNTED = 1_000;

/** How far behind it is. */
export function pendingText({ pending_events: pending }: WebhookRecord): string {
  if (pending === 0) return 'No event waits';
  if (pending === 1) return '1 event waits';
  return `${pending.toLocaleString('en-US')}${pending >= MOST_COUNTED ? ' or more' : ''} events wait`;
}

/** When the receiver took an event, and since when it takes none. */
export function healthText({ last_success_date_time: success, failing_since: failing }: WebhookRecord): string {
  const last = success === null ? 'none was taken yet' : `the last was taken on ${instantText(success)}`;
  return failing === null ? last : `${last}; failing since ${instantText(failing)}`;
}

const nameOfTypes = (types: string): string =>
  [...KINDS.key, ...KINDS.token].find((kind) => kind.types === types)?.name ?? eventText({ type: types });

/** What it is sent. */
export const typesText = ({ types }: WebhookRecord): string =>
  types === null ? 'All events' : `Only: ${types.map(nameOfTypes).join('; ')}`;

/** The name of its card: its description, else its receiver. */
export function nameOf({ description, url }: Pick<WebhookRecord, 'description' | 'url'>): string {
  if (description !== null && description !== '') return description;
  return URL.canParse(url) ? new URL(url).host : url;
}

const ERRORS: Readonly<Record<string, string>> = {
  unreachable: 'its name leads to no address that may be called',
  connect: 'it could not be connected to',
  tls: 'its certificate is not valid',
  timeout: 'it did not answer within 15 s',
  too_long: 'its answer was too long',
  redirect: 'it answered with a redirect, which is not followed',
};

/** What came of an attempt: `204 after 87 ms`, or why there was no answer. */
export function answerText({ status_code: code, duration_ms: duration, error }: PingResult): string {
  const why = error === null ? undefined : (ERRORS[error] ?? error);
  const answer = code === null ? 'no answer' : String(code);
  return `${answer} after ${duration.toLocaleString('en-US')} ms${why === undefined ? '' : `: ${why}`}`;
}

export const DELIVERY_STATUS: Readonly<Record<DeliveryRecord['status'], string>> = {
  delivered: 'Delivered',
  retrying: 'To be sent again',
  failed: 'Failed',
};
