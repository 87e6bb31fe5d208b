import { ServiceError } from '../../kit/errors/serviceError.js';
import { webhookFaults } from '../../kit/errors/webhookFaults.js';
import { cloudEventOf } from '../log/cloudEvent.js';
import { requireWebhook, secretLost } from './manageWebhooks.js';
import { sendEvent, signingSecrets } from '../sending/sendEvent.js';
import type { WebhookKey } from '../webhooks/webhook.js';
import type { ReceiverAnswer } from '../webhooks/webhookClient.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';

/** Sends one event that stands in no log. @throws ServiceError 409 while the receiver has not consented, or nothing signs */
export const pingReceiver =
  (ports: WebhookPorts) =>
  async (key: WebhookKey): Promise<ReceiverAnswer> => {
    const { webhook } = await requireWebhook(ports, key);
    if (webhook.status !== 'enabled' && webhook.status !== 'paused') {
      const text = `The webhook is ${webhook.status}: its receiver is sent nothing before it has consented (POST …/verify).`;
      throw new ServiceError(webhookFaults.notAsked, text);
    }
    const secrets = signingSecrets(ports, webhook);
    if (secrets === undefined) throw secretLost();
    const id = ports.newId();
    const time = ports.clock.now().toISOString();
    const subject = `/v1/webhooks/${webhook.id}`;
    const notice = { id, type: 'partner.webhook.ping', subject, time, data: { webhook_id: webhook.id } } as const;
    const sequence = await ports.log.latest(key.owner);
    const body = cloudEventOf({ notice, sequence }, ports.origin);
    return sendEvent(ports, webhook, { id, body, secrets });
  };
