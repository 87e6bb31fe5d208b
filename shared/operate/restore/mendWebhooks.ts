import { ListenerStore } from '../../notices/log/listenerStore.js';
import { pendingFrom, workOfWebhook } from '../../notices/webhooks/webhook.js';
import { WEBHOOK_PREFIX, webhookIn, WebhookStore } from '../../notices/webhooks/webhookStore.js';
import { newItem } from '../../work/item/workItem.js';
import { WorkStore } from '../../work/item/workStore.js';
import type { MendPorts } from './mendJobs.js';

/**
 * After a restore: receivers are asked for their consent once more, for whatever they said after the export is lost; what
 * was paused or disabled stays so. Logs of events begin anew.
 *
 * @returns how many webhooks there are
 */
export async function mendWebhooks({ rows, clock }: Pick<MendPorts, 'rows' | 'clock'>): Promise<number> {
  const table = rows('webhooks');
  const listeners = new ListenerStore(table, clock);
  const webhooks = new WebhookStore(table);
  const work = new WorkStore(rows('work'));
  const now = clock.now().getTime();
  let mended = 0;
  for await (const page of table.scan<{ readonly json: string }>({ prefix: WEBHOOK_PREFIX })) {
    for (const stored of page.map(webhookIn)) {
      const { webhook } = stored;
      await listeners.listen(webhook.owner);
      mended += 1;
      if (webhook.status !== 'enabled' && webhook.status !== 'pending') continue;
      // Whoever changes it at the same moment has its receiver asked, too.
      await webhooks.replace(stored, pendingFrom(webhook, now));
      await work.insert(newItem(workOfWebhook(webhook), now));
    }
  }
  return mended;
}
