import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { ownerOfCustomer, ownerOfTenant, type NoticeOwner } from '../../shared/notices/log/noticeOwner.js';
import type { Services } from '../../shared/wiring/services.js';
import type { NoticeServices } from '../../shared/wiring/areas/noticeServices.js';
import { noSuchWebhook } from '../../shared/notices/managing/manageWebhooks.js';
import { WEBHOOK_ID, type Webhook, type WebhookKey } from '../../shared/notices/webhooks/webhook.js';
import { pendingEvents } from '../../shared/notices/managing/pendingEvents.js';
import { webhookRecord, webhookTag } from '../../shared/notices/managing/webhookView.js';

/** Whose events and webhooks they are: of the tenant of a token, or of the customer of a key. */
export function noticeOwner({
  tenant,
  customer,
}: {
  readonly tenant?: string;
  readonly customer?: string;
}): NoticeOwner {
  return tenant === undefined ? ownerOfCustomer(customer ?? '') : ownerOfTenant(tenant);
}

/** The webhook that a path names, of the caller. @throws ServiceError 404 for what is no id of a webhook */
export function webhookKeyOf(
  request: Parameters<typeof noticeOwner>[0] & { readonly params: Readonly<Record<string, string>> },
): WebhookKey {
  const { webhook_id: id = '' } = request.params;
  if (!WEBHOOK_ID.test(id)) throw noSuchWebhook();
  return { owner: noticeOwner(request), id };
}

/** A webhook with how far it has come, as its owner sees it. */
export async function recordOf(notices: Pick<NoticeServices, 'deliveries' | 'log'>, webhook: Webhook) {
  const { state } = await notices.deliveries.findState(webhook, webhook.startsAfter);
  return webhookRecord(webhook, { state, pending: await pendingEvents(notices)(webhook, state) });
}

/** What a change takes as `If-Match`. */
export const tagOf = (webhook: Webhook) => ({ etag: `"${webhookTag(webhook)}"` });

/** @throws ServiceError 404 where the operator has not switched notices on */
export function requireNotices({ notices }: Pick<Services, 'notices'>): NoticeServices {
  if (notices !== undefined) return notices;
  const text = 'This service tells of no events: its operator has set no WEBHOOK_KEYS.';
  throw new ServiceError(commonFaults.notFound, text);
}
