import { commonFaults, enrollmentFaults } from '../../shared/kit/errors/catalogue.js';
import { webhookFaults } from '../../shared/kit/errors/webhookFaults.js';
import { route } from '../../shared/wiring/declare.js';
import { askAgain, requireWebhook, rotateSecret } from '../../shared/notices/managing/manageWebhooks.js';
import { listDeliveries, redeliver } from '../../shared/notices/managing/listDeliveries.js';
import { pingReceiver } from '../../shared/notices/managing/pingReceiver.js';
import {
  DeliveryPage,
  DeliveryParameters,
  PingResult,
  Rotation,
  WebhookRecord,
  WebhookWithSecret,
} from '../../shared/notices/managing/webhookSchemas.js';
import { deliveryView, pingView } from '../../shared/notices/managing/webhookView.js';
import { deliveryPageExample, pingExample, webhookExample, webhookWithSecretExample } from './examples.js';
import { recordOf, requireNotices, webhookKeyOf } from './noticeCaller.js';

const shared = { caller: 'either', tag: 'Notices', errors: 'enrollments' } as const;
const write = { ...shared, role: 'Jobs.ReadWrite', rate: 'submit' } as const;
const params = { webhook_id: 'The id of its creation' };
const one = { 'application/json': { schema: WebhookRecord, example: webhookExample } };

/** POST /v1/webhooks/{webhook_id}/verify — asks the receiver for consent once more. */
export const webhooksVerify = route({
  ...write,
  name: 'webhooksVerify',
  method: 'POST',
  path: 'v1/webhooks/{webhook_id}/verify',
  summary: 'Ask the receiver of a webhook again',
  params,
  success: { status: 202, description: 'The receiver is asked now, unless it has consented already.', content: one },
  faults: [commonFaults.notFound, webhookFaults.askedJustNow],
  handle: async (request, services) => {
    const notices = requireNotices(services);
    const webhook = await askAgain(notices)(webhookKeyOf(request));
    return { status: 202, json: await recordOf(notices, webhook) };
  },
});

/** POST /v1/webhooks/{webhook_id}/ping — sends one signed event now, which stands in no log. */
export const webhooksPing = route({
  ...write,
  name: 'webhooksPing',
  method: 'POST',
  path: 'v1/webhooks/{webhook_id}/ping',
  summary: 'Ping a webhook',
  params,
  success: {
    status: 200,
    description: 'What the receiver answered.',
    content: { 'application/json': { schema: PingResult, example: pingExample } },
  },
  faults: [commonFaults.notFound, webhookFaults.notAsked, webhookFaults.secretLost],
  handle: async (request, services) => {
    return { status: 200, json: pingView(await pingReceiver(requireNotices(services))(webhookKeyOf(request))) };
  },
});

/** POST /v1/webhooks/{webhook_id}/rotate — makes a new secret; the former signs too for a while. */
export const webhooksRotate = route({
  ...write,
  name: 'webhooksRotate',
  method: 'POST',
  path: 'v1/webhooks/{webhook_id}/rotate',
  summary: 'Rotate the secret of a webhook',
  params,
  body: { schema: Rotation, invalid: enrollmentFaults.invalid, example: { expires_in_hours: 24 } },
  success: {
    status: 200,
    description: 'The webhook with its new secret, which is shown this once.',
    content: { 'application/json': { schema: WebhookWithSecret, example: webhookWithSecretExample } },
  },
  faults: [commonFaults.notFound, webhookFaults.rotationOpen],
  handle: async (request, services) => {
    const notices = requireNotices(services);
    const { webhook, secret } = await rotateSecret(notices)(webhookKeyOf(request), request.body);
    return { status: 200, json: { ...(await recordOf(notices, webhook)), secret } };
  },
});

/** GET /v1/webhooks/{webhook_id}/deliveries — what became of events at a webhook. */
export const webhooksDeliveries = route({
  ...shared,
  role: 'Jobs.Read',
  rate: 'list',
  name: 'webhooksDeliveries',
  method: 'GET',
  path: 'v1/webhooks/{webhook_id}/deliveries',
  summary: 'List deliveries of a webhook',
  params,
  query: DeliveryParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `cursor` and the same `status` until `cursor` is null.',
    content: { 'application/json': { schema: DeliveryPage, example: deliveryPageExample } },
  },
  faults: [commonFaults.notFound],
  handle: async (request, services) => {
    const ports = { ...requireNotices(services), cursorKeys: services.cursorKeys };
    const key = webhookKeyOf(request);
    await requireWebhook(ports, key);
    const { deliveries, cursor } = await listDeliveries(ports)(key, request.query);
    return { status: 200, json: { items: deliveries.map(deliveryView), cursor } };
  },
});

/** POST /v1/webhooks/{webhook_id}/deliveries/{sequence}/redeliver — sends an event once more. */
export const webhooksRedeliver = route({
  ...write,
  name: 'webhooksRedeliver',
  method: 'POST',
  path: 'v1/webhooks/{webhook_id}/deliveries/{sequence}/redeliver',
  summary: 'Send an event once more',
  description: 'The same bytes under the same id, with a signature of now; of any event that the log still has.',
  params: { ...params, sequence: 'The place of the event in the log, 13 digits' },
  success: { status: 202, description: 'It is sent soon.', content: one },
  faults: [commonFaults.notFound],
  handle: async (request, services) => {
    const notices = requireNotices(services);
    const webhook = await redeliver(notices)(webhookKeyOf(request), request.params['sequence'] ?? '');
    return { status: 202, json: await recordOf(notices, webhook) };
  },
});
