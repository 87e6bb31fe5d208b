import { deterministicId } from '../../kit/ids.js';
import type { Notice } from '../log/notice.js';
import { done, type Outcome } from '../../work/item/workKind.js';
import { disabledFor } from '../webhooks/webhook.js';
import type { DisabledReason } from '../webhooks/webhookStates.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import type { StoredWebhook } from '../webhooks/webhookStore.js';

interface Disabling {
  readonly reason: DisabledReason;
  /** Since when it has failed, milliseconds since 1970 UTC. */
  readonly since: number;
}

/** Sends nothing any more until the owner says so; the owner hears of that in the log and at its other webhooks. */
export async function disableWebhook(
  ports: Pick<WebhookPorts, 'webhooks' | 'log' | 'clock' | 'logLine' | 'wake'>,
  stored: StoredWebhook,
  { reason, since }: Disabling,
): Promise<Outcome> {
  const { webhook } = stored;
  const { owner, id } = webhook;
  const now = ports.clock.now().getTime();
  const notice: Notice = {
    id: deterministicId('notice', 'webhook', owner, id, 'disabled', since),
    type: 'partner.webhook.disabled',
    subject: `/v1/webhooks/${id}`,
    time: new Date(now).toISOString(),
    data: { webhook_id: id, reason, since: new Date(since).toISOString() },
  };
  await ports.log.append(owner, [{ notice }]);
  // Somebody else has changed the webhook: the next attempt sees what it is by then.
  if (!(await ports.webhooks.replace(stored, disabledFor(webhook, reason)))) {
    return { kind: 'wait', until: now, hasProgress: true };
  }
  ports.logLine('Notice:Disabled', { owner, webhook: id, reason });
  await ports.wake(owner, [notice.type]);
  return done;
}
