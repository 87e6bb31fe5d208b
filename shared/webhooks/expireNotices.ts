import type { WebhookPorts } from './webhookPorts.js';

const DAY_MS = 24 * 3_600_000;

/** Deletes what is older than so many days from the logs of all owners; for whoever listens no more nothing is kept. */
export const expireNotices =
  ({ log, deliveries, listeners, webhooks, clock }: WebhookPorts, retentionDays: number) =>
  async (): Promise<{ readonly owners: number; readonly events: number }> => {
    const before = clock.now().getTime() - retentionDays * DAY_MS;
    const owners = await listeners.list();
    const ended = new Set(await listeners.expired());
    let events = 0;
    for (const owner of owners) {
      const hasWebhook = (await webhooks.list(owner)).length > 0;
      // Each night, long before the time is over: from then to the next night nothing would be told.
      if (hasWebhook) await listeners.listen(owner);
      if (!hasWebhook && ended.has(owner)) {
        // Before the owner is forgotten: no later night comes by here.
        events += await log.removeAll(owner);
        await listeners.forget(owner);
      } else {
        events += await log.expire(owner, before);
        await deliveries.expire(owner, before);
      }
    }
    return { owners: owners.length, events };
  };
