import { takesType } from '../log/notice.js';
import type { NoticeLogStore } from '../log/noticeLogStore.js';
import type { WebhookState } from '../webhooks/deliveryStore.js';
import type { Webhook } from '../webhooks/webhook.js';
import { MOST_PENDING } from './webhookSchemas.js';

/** How many events of its types a webhook has not looked at, among the next of the log; one request of storage. */
export const pendingEvents =
  ({ log }: { readonly log: Pick<NoticeLogStore, 'typesBehind'> }) =>
  async ({ owner, types, startsAfter }: Webhook, state: WebhookState | undefined): Promise<number> => {
    const behind = await log.typesBehind(owner, state?.cursor ?? startsAfter, MOST_PENDING);
    return behind.filter((type) => takesType(types, type)).length;
  };
