import type { Attempt } from '../../work/item/attempt.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import type { Seats } from '../../work/lanes/seats.js';
import { namesOf, type WorkItem } from '../../work/item/workItem.js';
import { done, type Outcome, type Step, type WorkKind } from '../../work/item/workKind.js';
import { askReceiver } from './askReceiver.js';
import { pump } from './pump.js';
import { WEBHOOK, webhookOfWork } from '../webhooks/webhook.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';

const HOUR_MS = 3_600_000;

/** Work on one webhook: its receiver is asked for consent, then it is sent the log. The unit is the webhook, not the event. */
export function webhookKind(ports: WebhookPorts, leaseMs: number, seats: Seats): WorkKind {
  const begin = (item: WorkItem): Promise<Step> =>
    Promise.resolve({
      retry: retryOfStorage,
      failureOf,
      run: (attempt) => visit(ports, attempt),
      // Events are sent late rather than never.
      giveUp: (_attempt, reason) => {
        ports.logLine('Notice:PumpFailed', { ...namesOf(item), cause: reason });
        const until = ports.clock.now().getTime() + HOUR_MS;
        return Promise.resolve({ kind: 'wait', until, hasProgress: true, leaving: {} });
      },
    });
  return { kind: WEBHOOK, leaseMs, seats, begin };
}

async function visit(ports: WebhookPorts, attempt: Attempt): Promise<Outcome> {
  const stored = await ports.webhooks.find(webhookOfWork(attempt.item));
  const { status } = stored?.webhook ?? {};
  if (stored === undefined || status === 'paused' || status === 'disabled') return done;
  return status === 'pending' ? askReceiver(ports, stored) : pump(ports, stored, attempt);
}
