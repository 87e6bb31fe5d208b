import type { NoticeOwner } from '../../notices/log/noticeOwner.js';
import { wakeWebhooks } from '../../notices/sending/wakeWebhooks.js';
import type { WebhookPorts } from '../../notices/webhooks/webhookPorts.js';
import { wakeGrid } from '../../notices/eventGrid/gridKind.js';

type Ports = Parameters<typeof wakeWebhooks>[0] & Parameters<typeof wakeGrid>[0];

/** Has whoever reads the log of an owner look into it: its webhooks, and Event Grid. @param isSent whether events go there */
export function wakeReaders(ports: Ports, isSent: boolean): WebhookPorts['wake'] {
  const [webhooks, grid] = [wakeWebhooks(ports), wakeGrid(ports)];
  return async (owner: NoticeOwner, types: readonly string[]) => {
    await webhooks(owner, types);
    if (isSent) await grid(owner);
  };
}
