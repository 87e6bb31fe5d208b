import { consentIn } from '../webhooks/consentRules.js';
import { disableWebhook } from './disableWebhook.js';
import { enabledBy, type Webhook } from '../webhooks/webhook.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import { openedConsent } from '../webhooks/webhookSecrets.js';
import type { StoredWebhook } from '../webhooks/webhookStore.js';
import type { Outcome } from '../../work/item/workKind.js';

const MINUTE_MS = 60_000;
/** Pauses before the next question; six in an hour. */
const PAUSES_MS = [15_000, MINUTE_MS, 4 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS];
/** Requests a minute that the service may make. */
const RATE = 600;
/** A receiver whose administrator has to act has a week. */
const PATIENCE_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Asks a receiver whether it wants events from here, before anything is sent: nobody can point the service at a stranger.
 *
 * @see CloudEvents, HTTP 1.1 Web Hooks 1.0.2, abuse protection
 */
export async function askReceiver(ports: WebhookPorts, stored: StoredWebhook): Promise<Outcome> {
  const { webhook } = stored;
  const { webhooks, call, origin, clock, logLine } = ports;
  const now = clock.now().getTime();
  const pauseMs = PAUSES_MS[webhook.asks];
  if (webhook.asks > PAUSES_MS.length) return waitForAdministrator(ports, stored, now);
  const callback = callbackOf(ports, webhook);
  if (callback === undefined) return disableWebhook(ports, stored, { reason: 'secret_lost', since: webhook.askedAt });
  const answer = await call({
    method: 'OPTIONS',
    url: webhook.url,
    headers: {
      'webhook-request-origin': new URL(origin).host,
      'webhook-request-rate': String(RATE),
      'webhook-request-callback': callback,
      'user-agent': 'partner-notices/1',
    },
  });
  const consent = consentIn(answer, new URL(origin).host);
  const { owner, id } = webhook;
  logLine('Notice:Asked', {
    owner,
    webhook: id,
    consents: consent.consents,
    status: answer.status,
    error: answer.error,
  });
  const next = consent.consents ? enabledBy(webhook, consent.rate) : { ...webhook, asks: webhook.asks + 1 };
  // Somebody else has changed the webhook: the next attempt sees what it is by then.
  if (!(await webhooks.replace(stored, next))) return again(now);
  if (consent.consents) return again(now);
  return restUntil(now + (pauseMs ?? MINUTE_MS));
}

const again = (now: number): Outcome => ({ kind: 'wait', until: now, hasProgress: true });
/** Whatever lane it stood in under another address, it holds no slot there while it waits. */
const restUntil = (until: number): Outcome => ({ kind: 'wait', until, hasProgress: true, leaving: {} });

/** Whoever can't answer OPTIONS consents at the callback. */
async function waitForAdministrator(ports: WebhookPorts, stored: StoredWebhook, now: number): Promise<Outcome> {
  const { webhook } = stored;
  if (now - webhook.askedAt < PATIENCE_MS) return restUntil(webhook.askedAt + PATIENCE_MS);
  return disableWebhook(ports, stored, { reason: 'verification_failed', since: webhook.askedAt });
}

/** Where whoever runs the receiver consents; undefined when the key that seals it is lost. */
function callbackOf(ports: WebhookPorts, webhook: Webhook): string | undefined {
  const { owner, id } = webhook;
  const key = openedConsent(ports, webhook);
  if (key === undefined) return undefined;
  return `${ports.origin}/v1/webhooks/confirm?${new URLSearchParams({ owner, id, key }).toString()}`;
}
