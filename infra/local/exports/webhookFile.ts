import type { Rows } from '../../../shared/storage/rows.js';
import type { NoticeOwner } from '../../../shared/owner.js';
import { DeliveryStore } from '../../../shared/webhooks/deliveryStore.js';
import { WebhookStore } from '../../../shared/webhooks/webhookStore.js';
import { webhookRecord } from '../../../shared/webhooks/webhookView.js';
import { jsonFile, type ExportedFile } from './exportedFile.js';

export interface WebhookExportPorts {
  readonly webhooks: Pick<WebhookStore, 'list'>;
  readonly deliveries: Pick<DeliveryStore, 'states'>;
}

/** Webhooks in storage. */
export const webhooksToExport = (rows: (table: 'webhooks' | 'notices') => Rows): WebhookExportPorts => ({
  webhooks: new WebhookStore(rows('webhooks')),
  // Nothing is written, so no instant is needed.
  deliveries: new DeliveryStore(rows('notices'), () => 0),
});

/** What stands behind the `?` of an address may give access to the receiver. */
const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '?…');

/** The webhooks of an owner as the API shows them; a query in an address is left out. */
export async function webhookFile(
  { webhooks, deliveries }: WebhookExportPorts,
  owner: NoticeOwner,
): Promise<ExportedFile> {
  const [stored, states] = await Promise.all([webhooks.list(owner), deliveries.states(owner)]);
  const shown = stored.map(({ webhook }) => {
    return { ...webhookRecord(webhook, states.get(webhook.id)), url: withoutQuery(webhook.url) };
  });
  return jsonFile('webhooks.json', shown);
}
