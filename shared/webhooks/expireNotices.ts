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
      events += await log.expire(owner, before);
      await deliveries.expire(owner, before);
      if (!ended.has(owner)) continue;
      if ((await webhooks.list(owner)).length > 0) await listeners.listen(owner);
      else await listeners.forget(owner);
    }
    return { owners: owners.length, events };
  };
