import { sealAnew } from './sealAnew.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';

const DAY_MS = 24 * 3_600_000;

/** What a night has done. */
type NightOfNotices = Readonly<{
  owners: number;
  events: number;
  /** How many webhooks need each version of the keys: a version that is not named can be taken away. */
  keyVersions: Readonly<Record<string, number>>;
}>;

/**
 * Deletes what is older than so many days from the logs of all owners; for whoever listens no more nothing is kept. What
 * older keys have sealed is sealed with the newest.
 */
export const expireNotices = (ports: WebhookPorts, retentionDays: number) => async (): Promise<NightOfNotices> => {
  const { log, deliveries, listeners, webhooks, clock } = ports;
  const before = clock.now().getTime() - retentionDays * DAY_MS;
  const owners = await listeners.list();
  const ended = new Set(await listeners.expired());
  const keyVersions: Record<string, number> = {};
  let events = 0;
  for (const owner of owners) {
    const held = await webhooks.list(owner);
    for (const stored of held) {
      for (const version of await sealAnew(ports, stored)) keyVersions[version] = (keyVersions[version] ?? 0) + 1;
    }
    // Each night, long before the time is over: from then to the next night nothing would be told.
    if (held.length > 0) await listeners.listen(owner);
    if (held.length === 0 && ended.has(owner)) {
      // Before the owner is forgotten: no later night comes by here.
      events += await log.removeAll(owner);
      await webhooks.forget(owner);
      await listeners.forget(owner);
    } else {
      events += await log.expire(owner, before);
      await deliveries.expire(owner, before);
    }
  }
  return { owners: owners.length, events, keyVersions };
};
