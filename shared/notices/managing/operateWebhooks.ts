/** What operators do with the webhooks of others. */
import { changedByOthers } from '../../kit/errors/changedByOthers.js';
import { sequenceText } from '../log/cloudEvent.js';
import type { NoticeOwner } from '../log/noticeOwner.js';
import { disableWebhook } from '../sending/disableWebhook.js';
import type { Delivery, WebhookState } from '../webhooks/deliveryStore.js';
import { changedWebhook, renewState } from './manageWebhooks.js';
import { pendingEvents } from './pendingEvents.js';
import { pendingFrom, workOfWebhook, type Webhook, type WebhookKey } from '../webhooks/webhook.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import { keyVersionsOf } from '../webhooks/webhookSecrets.js';

/** A command can't be carried out as things are; the text says what to do instead. */
export class WebhookRefusal extends Error {}

/** What operators need of webhooks: nothing that opens a secret, and nothing that calls a receiver. */
export type OperatedWebhooks = Pick<
  WebhookPorts,
  'webhooks' | 'deliveries' | 'log' | 'listeners' | 'work' | 'clock' | 'logLine' | 'wake'
>;

/** Others may change a webhook at the same time; each of them can win only so often. */
const TRIES = 10;
const SHOWN_DELIVERIES = 10;

const instantOrNull = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** A webhook for operators. Of the address the host alone, for path and query may hold what gives access. */
async function operatedWebhook(ports: OperatedWebhooks, webhook: Webhook, state: WebhookState | undefined) {
  const cursor = state?.cursor ?? webhook.startsAfter;
  return {
    webhookId: webhook.id,
    host: new URL(webhook.url).host,
    types: webhook.types ?? null,
    status: webhook.status,
    disabledReason: webhook.disabledReason ?? null,
    createdAt: instantOrNull(webhook.createdAt),
    cursor: sequenceText(cursor),
    pending: await pendingEvents(ports)(webhook, state),
    lastSuccessAt: instantOrNull(state?.lastSuccessAt),
    failingSince: instantOrNull(state?.failingSince),
    nextProbeAt: instantOrNull(state?.breaker?.probeAt),
    waitsUntil: instantOrNull(state?.waitUntil),
    keyVersions: keyVersionsOf(webhook),
  };
}

const shownDelivery = ({ eventId, type, sequence, status, tries, nextAt }: Delivery) => ({
  ...{ eventId, type, sequence: sequenceText(sequence), status },
  tries: tries.map(({ at, ...tried }) => ({ at: instantOrNull(at), ...tried })),
  nextAt: instantOrNull(nextAt),
});

/** The webhooks of an owner; undefined when it has none and no log is kept for it. */
export async function webhooksOf(ports: OperatedWebhooks, owner: NoticeOwner) {
  const [stored, keepsLog] = await Promise.all([ports.webhooks.list(owner), ports.listeners.hasNow(owner)]);
  if (stored.length === 0 && !keepsLog) return undefined;
  const states = await ports.deliveries.states(owner);
  const webhooks = stored.map(({ webhook }) => operatedWebhook(ports, webhook, states.get(webhook.id)));
  return { owner, keepsLog, webhooks: await Promise.all(webhooks) };
}

/** One webhook with its latest deliveries; undefined when there is none. */
export async function webhookOf(ports: OperatedWebhooks, key: WebhookKey) {
  const { webhooks, deliveries } = ports;
  const stored = await webhooks.find(key);
  if (stored === undefined) return undefined;
  const [{ state }, shown] = await Promise.all([
    deliveries.findState(key, stored.webhook.startsAfter),
    deliveries.list(key, { most: SHOWN_DELIVERIES }),
  ]);
  const view = await operatedWebhook(ports, stored.webhook, state);
  return { owner: key.owner, ...view, deliveries: shown.map(({ delivery }) => shownDelivery(delivery)) };
}

/** Sends nothing any more; its owner is told, and can have its receiver asked anew. @throws WebhookRefusal */
export async function disableByOperator(ports: OperatedWebhooks, key: WebhookKey): Promise<void> {
  // The same in each try: its owner is told once.
  const since = ports.clock.now().getTime();
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const stored = await ports.webhooks.find(key);
    if (stored === undefined || stored.webhook.status === 'disabled') {
      throw new WebhookRefusal('The webhook is disabled already, or was deleted; notices.list shows those there are.');
    }
    if ((await disableWebhook(ports, stored, { reason: 'operator', since })).kind === 'done') return;
  }
  throw changedByOthers('the webhook');
}

/** Has the receiver of a webhook that is disabled asked for its consent anew; then it goes on. @throws WebhookRefusal */
export async function enableByOperator(ports: OperatedWebhooks, key: WebhookKey): Promise<void> {
  const webhook = await changedWebhook(ports, key, (held) => {
    if (held.status === 'disabled') return pendingFrom(held, ports.clock.now().getTime());
    throw new WebhookRefusal(`The webhook is ${held.status}; one that is disabled can be enabled.`);
  });
  await renewState(ports, webhook, {});
  await ports.work.ask(workOfWebhook(webhook));
}

/** Has the webhooks of an owner look into its log now; a receiver that counts as away is tried. @returns their ids */
export async function pumpNow(ports: OperatedWebhooks, owner: NoticeOwner): Promise<readonly string[]> {
  const stored = await ports.webhooks.list(owner);
  const enabled = stored.filter(({ webhook }) => webhook.status === 'enabled').map(({ webhook }) => webhook);
  for (const webhook of enabled) {
    const held = await ports.deliveries.findState(webhook, webhook.startsAfter);
    const { breaker } = held.state;
    if (breaker !== undefined) {
      const state = { ...held.state, breaker: { ...breaker, probeAt: ports.clock.now().getTime() } };
      // Where somebody else has written meanwhile, a visit is under way.
      await ports.deliveries.write(webhook, held, { state, deliveries: [], done: [] });
    }
    await ports.work.ask(workOfWebhook(webhook));
  }
  return enabled.map(({ id }) => id);
}
