import { takesType } from '../notices/notice.js';
import type { NoticeOwner } from '../owner.js';
import type { Attempt } from '../work/attempt.js';
import { failureOf, retryOfStorage } from '../work/retry.js';
import { namesOf, type WorkItem } from '../work/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../work/workKind.js';
import { askReceiver } from './askReceiver.js';
import { pump } from './pump.js';
import { WEBHOOK, webhookOfWork, workOfWebhook } from './webhook.js';
import type { WebhookPorts } from './webhookPorts.js';

const HOUR_MS = 3_600_000;

/** Work on one webhook: its receiver is asked for consent, then it is sent the log. The unit is the webhook, not the event. */
export function webhookKind(ports: WebhookPorts, leaseMs: number): WorkKind {
  const begin = (item: WorkItem): Promise<Step> =>
    Promise.resolve({
      retry: retryOfStorage,
      failureOf,
      run: (attempt) => visit(ports, attempt),
      // Events are sent late rather than never.
      giveUp: (_attempt, reason) => {
        ports.logLine('Notice:PumpFailed', { ...namesOf(item), cause: reason });
        return Promise.resolve({ kind: 'wait', until: ports.clock.now().getTime() + HOUR_MS, hasProgress: true });
      },
    });
  return { kind: WEBHOOK, leaseMs, begin };
}

async function visit(ports: WebhookPorts, attempt: Attempt): Promise<Outcome> {
  const stored = await ports.webhooks.find(webhookOfWork(attempt.item));
  const { status } = stored?.webhook ?? {};
  if (stored === undefined || status === 'paused' || status === 'disabled') return done;
  return status === 'pending' ? askReceiver(ports, stored) : pump(ports, stored, attempt);
}

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
    for (const { webhook } of wanting) {
      const { breaker, waitUntil = 0 } = states.get(webhook.id) ?? {};
      // One whose receiver is away keeps its own time.
      const dueAt = Math.max(waitUntil, breaker?.probeAt ?? 0);
      await work.ask(workOfWebhook(webhook), dueAt > now ? { dueAt } : {});
    }
  };
