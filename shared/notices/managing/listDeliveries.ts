import { commonFaults } from '../../kit/errors/catalogue.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { listPage, type CursorKeys } from '../../kit/listCursor.js';
import type { Delivery } from '../webhooks/deliveryStore.js';
import { requireWebhook } from './manageWebhooks.js';
import { workOfWebhook, type Webhook, type WebhookKey } from '../webhooks/webhook.js';
import type { WebhookPorts } from '../webhooks/webhookPorts.js';
import type { DeliveryParameters } from './webhookSchemas.js';

const MOST = 100;

/** What became of events at a webhook, the newest first. */
export const listDeliveries =
  ({
    deliveries,
    clock,
    cursorKeys,
  }: Pick<WebhookPorts, 'deliveries' | 'clock'> & { readonly cursorKeys: CursorKeys }) =>
  async (
    key: WebhookKey,
    { status, ...page }: DeliveryParameters,
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly cursor: string | null }> => {
    const scope = ['deliveries', key.owner, key.id, status ?? null];
    const seal = { scope, most: MOST, keys: cursorKeys, now: clock.now().getTime() };
    const found = await listPage(page, seal, (after, most) => deliveries.list(key, { status, after, most }));
    if (found !== undefined) return { deliveries: found.entries.map(({ delivery }) => delivery), cursor: found.cursor };
    const msg = 'cursor is none of this list and status, or older than a day; begin without one';
    throw invalidInput([{ loc: ['query', 'cursor'], msg, type: 'cursor' }]);
  };

/** Sends an event of the log once more. @param sequence its place @throws ServiceError 404 when the log hasn't it any more */
export const redeliver =
  (ports: Pick<WebhookPorts, 'webhooks' | 'log' | 'deliveries' | 'work'>) =>
  async (key: WebhookKey, sequence: string): Promise<Webhook> => {
    const { webhook } = await requireWebhook(ports, key);
    const event = /^\d{13}$/.test(sequence) ? await ports.log.find(key.owner, Number(sequence)) : undefined;
    if (event === undefined) {
      throw new ServiceError(
        commonFaults.notFound,
        'Your log has no event at this place; GET /v1/events lists those it keeps.',
      );
    }
    const { id: eventId, type } = event;
    const delivery = { eventId, type, sequence: event.sequence, status: 'retrying', tries: [], count: 0 } as const;
    await ports.deliveries.redeliver(key, delivery);
    await ports.work.ask(workOfWebhook(key));
    return webhook;
  };
