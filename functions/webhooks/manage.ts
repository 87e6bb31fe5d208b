import { enrollmentFaults, commonFaults } from '../../shared/kit/errors/catalogue.js';
import { webhookFaults } from '../../shared/kit/errors/webhookFaults.js';
import { route } from '../../shared/wiring/declare.js';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  requireWebhook,
} from '../../shared/notices/managing/manageWebhooks.js';
import {
  NewWebhook,
  WebhookChange,
  WebhookList,
  WebhookRecord,
  WebhookWithSecret,
} from '../../shared/notices/managing/webhookSchemas.js';
import { pendingEvents } from '../../shared/notices/managing/pendingEvents.js';
import { webhookRecord } from '../../shared/notices/managing/webhookView.js';
import { newWebhookExample, webhookExample, webhookWithSecretExample } from './examples.js';
import { noticeOwner, recordOf, requireNotices, tagOf, webhookKeyOf } from './noticeCaller.js';

const shared = { caller: 'either', tag: 'Notices', errors: 'enrollments' } as const;
const params = { webhook_id: 'The id of its creation' };
const one = { 'application/json': { schema: WebhookRecord, example: webhookExample } };

/** POST /v1/webhooks — creates a webhook and asks its receiver for consent. */
export const webhooksCreate = route({
  ...shared,
  name: 'webhooksCreate',
  method: 'POST',
  path: 'v1/webhooks',
  role: 'Jobs.ReadWrite',
  summary: 'Create a webhook',
  description:
    'At most 10 a caller. Nothing is sent before the receiver has consented: it answers OPTIONS with `WebHook-Allowed-Origin`, or its administrator opens the address in `WebHook-Request-Callback`. With an `Idempotency-Key` a repetition within 24 hours gets the same webhook with the same secret.',
  rate: 'submit',
  isIdempotent: true,
  body: { schema: NewWebhook, invalid: enrollmentFaults.invalid, example: newWebhookExample },
  success: {
    status: 201,
    description: 'The webhook, with the secret that signs: it is shown this once.',
    content: { 'application/json': { schema: WebhookWithSecret, example: webhookWithSecretExample } },
    headers: ['Location', 'ETag'],
    alsoAt: { 200: 'The same create was made before under this `Idempotency-Key`.' },
  },
  faults: [commonFaults.notFound, webhookFaults.secretLost],
  handle: async (request, services) => {
    const notices = requireNotices(services);
    const create = createWebhook(notices);
    const { webhook, secret, isRepeated } = await create(noticeOwner(request), request.body, request.idempotencyKey);
    return {
      status: isRepeated ? 200 : 201,
      json: { ...(await recordOf(notices, webhook)), secret },
      headers: { location: `/v1/webhooks/${webhook.id}`, ...tagOf(webhook) },
    };
  },
});

/** GET /v1/webhooks — the caller's webhooks. */
export const webhooksList = route({
  ...shared,
  name: 'webhooksList',
  method: 'GET',
  path: 'v1/webhooks',
  role: 'Jobs.Read',
  summary: 'List webhooks',
  rate: 'list',
  success: {
    status: 200,
    description: 'All of them.',
    content: { 'application/json': { schema: WebhookList, example: { items: [webhookExample] } } },
  },
  faults: [commonFaults.notFound],
  handle: async (request, services) => {
    const { webhooks, deliveries, log } = requireNotices(services);
    const owner = noticeOwner(request);
    const [stored, states] = await Promise.all([webhooks.list(owner), deliveries.states(owner)]);
    const items = stored.map(async ({ webhook }) => {
      const state = states.get(webhook.id);
      return webhookRecord(webhook, { state, pending: await pendingEvents({ log })(webhook, state) });
    });
    return { status: 200, json: { items: await Promise.all(items) } };
  },
});

/** GET /v1/webhooks/{webhook_id} — one webhook as it stands. */
export const webhooksGet = route({
  ...shared,
  name: 'webhooksGet',
  method: 'GET',
  path: 'v1/webhooks/{webhook_id}',
  role: 'Jobs.Read',
  summary: 'Get a webhook',
  params,
  success: { status: 200, description: 'The webhook.', content: one, headers: ['ETag'] },
  faults: [commonFaults.notFound],
  handle: async (request, services) => {
    const notices = requireNotices(services);
    const { webhook } = await requireWebhook(notices, webhookKeyOf(request));
    return { status: 200, json: await recordOf(notices, webhook), headers: tagOf(webhook) };
  },
});

/** PATCH /v1/webhooks/{webhook_id} — changes a webhook, pauses it or has it go on. */
export const webhooksUpdate = route({
  ...shared,
  name: 'webhooksUpdate',
  method: 'PATCH',
  path: 'v1/webhooks/{webhook_id}',
  role: 'Jobs.ReadWrite',
  summary: 'Change a webhook',
  description:
    'Another `url`, or `enabled` for a webhook that is disabled, asks the receiver for consent anew. While a webhook is paused or disabled its events stay in the log: `enabled` goes on where it stopped, as far back as the log keeps events. `If-Match` with the `ETag` of a read is kept: 412 when somebody has changed the webhook since; how far it has come is no change.',
  rate: 'submit',
  params,
  body: {
    schema: WebhookChange,
    type: 'mergePatch',
    invalid: enrollmentFaults.invalid,
    example: { status: 'paused' },
  },
  success: { status: 200, description: 'The webhook as it is now.', content: one, headers: ['ETag'] },
  faults: [commonFaults.notFound, commonFaults.preconditionFailed],
  handle: async (request, services) => {
    const notices = requireNotices(services);
    const { ifMatch, ifNoneMatch } = request;
    const webhook = await changeWebhook(notices)(webhookKeyOf(request), request.body, { ifMatch, ifNoneMatch });
    return { status: 200, json: await recordOf(notices, webhook), headers: tagOf(webhook) };
  },
});

/** DELETE /v1/webhooks/{webhook_id} — deletes a webhook with its deliveries. */
export const webhooksRemove = route({
  ...shared,
  name: 'webhooksRemove',
  method: 'DELETE',
  path: 'v1/webhooks/{webhook_id}',
  role: 'Jobs.ReadWrite',
  summary: 'Delete a webhook',
  rate: 'submit',
  params,
  success: { status: 204, description: 'It is gone, and was perhaps before.', content: {} },
  faults: [commonFaults.notFound],
  handle: async (request, services) => {
    await removeWebhook(requireNotices(services))(webhookKeyOf(request));
    return { status: 204 };
  },
});
