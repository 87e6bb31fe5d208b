import { takesType } from '../log/notice.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import { workOfWebhook } from '../webhooks/webhook.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import type { StoredWebhook } from '../webhooks/webhookStore.js';

/** Has the webhooks of an owner look into its log that want one of these types. */
export const wakeWebhooks =
  ({ webhooks, deliveries, work, clock }: Pick<WebhookPorts, 'webhooks' | 'deliveries' | 'work' | 'clock'>) =>
  async (owner: NoticeOwner, types: readonly string[]): Promise<void> => {
    const wanting = (await webhooks.list(owner)).filter(
      ({ webhook }) => webhook.status === 'enabled' && types.some((type) => takesType(webhook.types, type)),
    );
    if (wanting.length === 0) return;
    const states = await deliveries.states(owner);
    const now = clock.now().getTime();
    const wakeOne = async ({ webhook }: StoredWebhook): Promise<void> => {
      const { breaker, waitUntil = 0 } = states.get(webhook.id) ?? {};
      // One whose receiver is away keeps its own time.
      const dueAt = Math.max(waitUntil, breaker?.probeAt ?? 0);
      await work.ask(workOfWebhook(webhook), dueAt > now ? { dueAt } : {});
    };
    await Promise.all(wanting.map(wakeOne));
  };
