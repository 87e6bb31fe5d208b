import type { Rows } from '../../../shared/storage/rows.js';
import type { NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import { NoticeLogStore } from '../../../shared/notices/log/noticeLogStore.js';
import { DeliveryStore } from '../../../shared/notices/webhooks/deliveryStore.js';
import { pendingEvents } from '../../../shared/notices/managing/pendingEvents.js';
import { WebhookStore } from '../../../shared/notices/webhooks/webhookStore.js';
import { webhookRecord } from '../../../shared/notices/managing/webhookView.js';
import { jsonFile, type ExportedFile } from './exportedFile.js';

export interface WebhookExportPorts {
  readonly webhooks: Pick<WebhookStore, 'list'>;
  readonly deliveries: Pick<DeliveryStore, 'states'>;
  readonly log: Pick<NoticeLogStore, 'typesBehind'>;
}

/** Webhooks in storage. */
export const webhooksToExport = (rows: (table: 'webhooks' | 'notices') => Rows): WebhookExportPorts => ({
  webhooks: new WebhookStore(rows('webhooks')),
  // Nothing is written, so no instant and no source is needed.
  deliveries: new DeliveryStore(rows('notices'), () => 0),
  log: new NoticeLogStore({ rows: rows('notices'), clock: { now: () => new Date(0) }, source: '' }),
});

/** What stands behind the `?` of an address may give access to the receiver. */
const withoutQuery = (url: string): string => url.replace(/\?.*$/s, '?…');

/** The webhooks of an owner as the API shows them; a query in an address is left out. */
export async function webhookFile(
  { webhooks, deliveries, log }: WebhookExportPorts,
  owner: NoticeOwner,
): Promise<ExportedFile> {
  const [stored, states] = await Promise.all([webhooks.list(owner), deliveries.states(owner)]);
  const shown = stored.map(async ({ webhook }) => {
    const state = states.get(webhook.id);
    const pending = await pendingEvents({ log })(webhook, state);
    return { ...webhookRecord(webhook, { state, pending }), url: withoutQuery(webhook.url) };
  });
  return jsonFile('webhooks.json', await Promise.all(shown));
}
