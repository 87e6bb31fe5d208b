import { traceFrom } from '../../kit/telemetry/traceContext.js';
import { signatureOf } from '../secrets/signature.js';
import { validSecrets, type Webhook } from '../webhooks/webhook.js';
import type { ReceiverAnswer } from '../webhooks/webhookClient.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import { openedSecret } from '../webhooks/webhookSecrets.js';

/** An event as it is sent: the same bytes under the same id each time. */
export interface EventToSend {
  readonly id: string;
  readonly body: string;
  /** With which it is signed. */
  readonly secrets: readonly string[];
  readonly signal?: AbortSignal;
}

export type SendPorts = Pick<WebhookPorts, 'box' | 'call' | 'origin' | 'clock'>;

/** The secrets that sign now; undefined when no key opens one of them any more. */
export function signingSecrets(ports: SendPorts, webhook: Webhook): readonly string[] | undefined {
  const held = validSecrets(webhook, ports.clock.now().getTime());
  const secrets = held.flatMap((secret) => openedSecret(ports, webhook, secret) ?? []);
  return secrets.length === held.length ? secrets : undefined;
}

/** Sends one event once. */
export async function sendEvent(
  { call, origin, clock }: SendPorts,
  { url }: Pick<Webhook, 'url'>,
  { id, body, secrets, signal }: EventToSend,
): Promise<ReceiverAnswer> {
  const timestamp = Math.floor(clock.now().getTime() / 1000);
  const headers = {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureOf({ id, timestamp, body }, secrets),
    'webhook-request-origin': new URL(origin).host,
    'user-agent': 'partner-notices/1',
    traceparent: traceFrom(undefined).traceparent,
  };
  return call({ method: 'POST', url, headers, body }, signal);
}
