import { beforeEach, describe, expect, test } from '@jest/globals';
import { webhooksConfirm } from '../../../functions/webhooks/confirm.js';
import { webhooksCreate, webhooksGet, webhooksList, webhooksUpdate } from '../../../functions/webhooks/manage.js';
import { webhooksRedeliver, webhooksRotate, webhooksVerify } from '../../../functions/webhooks/operate.js';
import { mendWebhooks } from '../../../shared/operate/restore/mendWebhooks.js';
import type { Services } from '../../../shared/wiring/services.js';
import { askAgain } from '../../../shared/notices/managing/manageWebhooks.js';
import type { Webhook } from '../../../shared/notices/webhooks/webhook.js';
import { owner, WebhookWorld } from './webhookWorld.js';

const DAY_MINUTES = 24 * 60;
const elsewhere = 'https://farm.example/elsewhere';

let world: WebhookWorld;
beforeEach(() => {
  world = new WebhookWorld();
});

/** A webhook whose receiver has failed for five days. */
async function disabled(): Promise<Webhook> {
  const webhook = await world.webhook();
  world.receiver().answer = () => ({ status: 500 });
  await world.tell('a');
  await world.work();
  await world.pass(6 * DAY_MINUTES, 30);
  const stored = await world.stored(webhook);
  expect(stored).toMatchObject({ status: 'disabled', disabledReason: 'no_success_for_5_days' });
  return stored;
}

/** A webhook whose receiver nobody has consented for within a week. */
async function unverified(): Promise<Webhook> {
  world.receiver().consents = false;
  const webhook = await world.webhook();
  await world.pass(8 * DAY_MINUTES, 60);
  const stored = await world.stored(webhook);
  expect(stored).toMatchObject({ status: 'disabled', disabledReason: 'verification_failed' });
  return stored;
}

const typesTold = async () => (await world.ports.log.read(owner, 0, 50)).map(({ type }) => type);

describe('of a webhook that is disabled', () => {
  test('the other webhooks of its owner are told at once', async () => {
    await world.webhook({ url: elsewhere });
    const webhook = await world.webhook();
    world.receiver().answer = () => ({ status: 410 });
    await world.tell('a');
    await world.work();
    const sent = world.receiver(elsewhere).posts.map(({ body }) => JSON.parse(body!) as { readonly data: object });
    expect(sent.at(-1)).toMatchObject({
      type: 'partner.webhook.disabled',
      data: { webhook_id: webhook.id, reason: 'gone_410' },
    });
  });

  test('its owner is told, too, where nobody has consented', async () => {
    const { askedAt } = await unverified();
    expect(await typesTold()).toEqual(['partner.webhook.disabled']);
    const [event] = await world.ports.log.read(owner, 0, 1);
    expect(JSON.parse(event!.body)).toMatchObject({
      data: { reason: 'verification_failed', since: new Date(askedAt).toISOString() },
    });
  });
});

describe('a webhook that is pending again', () => {
  const pendingAgain = { status: 'pending', asks: 0 };

  test.each([
    { by: 'verify', move: (webhook: Webhook) => askAgain(world.ports)(webhook) },
    { by: 'enabled', move: (webhook: Webhook) => world.change(webhook, { status: 'enabled' }) },
    { by: 'another address', move: (webhook: Webhook) => world.change(webhook, { url: elsewhere }) },
  ])('names no reason any more, by $by', async ({ move }) => {
    const webhook = await disabled();
    expect(await move(webhook)).toMatchObject(pendingAgain);
    expect(await world.stored(webhook)).not.toHaveProperty('disabledReason');
  });

  test('names no reason any more after a restore', async () => {
    const webhook = await world.webhook();
    const stored = (await world.ports.webhooks.find(webhook))!;
    await world.ports.webhooks.replace(stored, { ...stored.webhook, disabledReason: 'operator' });
    const rows = (name: string) => (name === 'work' ? world.kernel.rows : world.webhookRows);
    await mendWebhooks({ rows, clock: world.clock });
    expect(await world.stored(webhook)).toMatchObject(pendingAgain);
    expect(await world.stored(webhook)).not.toHaveProperty('disabledReason');
  });

  test('has no failures behind it, by verify as by enabled: one failure does not disable it again', async () => {
    const webhook = await disabled();
    await askAgain(world.ports)(webhook);
    await world.work();
    expect(await world.stored(webhook)).toMatchObject({ status: 'enabled' });
    const { state } = await world.ports.deliveries.findState(webhook, 0);
    expect(state.failures).toBeLessThan(3);
    await world.pass(5);
    expect(await world.stored(webhook)).toMatchObject({ status: 'enabled' });
  });
});

describe('the consent of an administrator', () => {
  const confirm = (): Promise<unknown> => {
    const callback = new URL(world.receiver().asks[0]!.headers['webhook-request-callback']!);
    const query = Object.fromEntries(callback.searchParams);
    return webhooksConfirm.handle({ query } as never, { notices: world.ports } as unknown as Services);
  };

  test('is noted', async () => {
    world.receiver().consents = false;
    const webhook = await world.webhook();
    await expect(confirm()).resolves.toMatchObject({ content: { data: expect.stringContaining('noted') as unknown } });
    expect(await world.stored(webhook)).toMatchObject({ status: 'enabled' });
  });

  test('is refused for a webhook that is disabled: it would change nothing', async () => {
    await unverified();
    await expect(confirm()).rejects.toMatchObject({ fault: { status: 404 } });
  });
});

describe('the ETag of a webhook', () => {
  const services = () => ({ notices: world.ports }) as unknown as Services;
  let webhook: Webhook;
  beforeEach(async () => {
    webhook = await world.webhook();
  });
  const request = (others: object = {}) =>
    ({ customer: 'demo-farm', params: { webhook_id: webhook.id }, ...others }) as never;
  const tag = async () => (await webhooksGet.handle(request(), services())).headers!['etag']!;
  const patch = (ifMatch: string | undefined, body: object) =>
    webhooksUpdate.handle(request({ ifMatch, body }), services());

  test('lets a change pass that has seen the latest, and gives the next', async () => {
    const read = await tag();
    const answer = await patch(read, { description: 'mine' });
    expect(answer).toMatchObject({ status: 200, json: { description: 'mine' } });
    expect(answer.headers!['etag']).toBe(await tag());
    expect(answer.headers!['etag']).not.toBe(read);
  });

  test('refuses one that has not with 412, and changes nothing', async () => {
    const read = await tag();
    await patch(undefined, { description: 'of somebody else' });
    await expect(patch(read, { description: 'mine' })).rejects.toMatchObject({ fault: { status: 412 } });
    expect(await world.stored(webhook)).toMatchObject({ description: 'of somebody else' });
    await expect(patch('*', { description: 'mine' })).resolves.toMatchObject({ status: 200 });
  });

  test('refuses one that somebody overtakes between look and write', async () => {
    const read = await tag();
    const { webhooks } = world.ports;
    const replace = webhooks.replace.bind(webhooks);
    webhooks.replace = async (stored, next) => {
      webhooks.replace = replace;
      await world.change(webhook, { description: 'of somebody else' });
      return replace(stored, next);
    };
    await expect(patch(read, { description: 'mine' })).rejects.toMatchObject({ fault: { status: 412 } });
  });

  test('stays while events are sent, and changes with the status', async () => {
    const read = await tag();
    await world.tell('a');
    await world.work();
    expect(await tag()).toBe(read);
    world.receiver().answer = () => ({ status: 410 });
    await world.tell('b');
    await world.work();
    expect(await tag()).not.toBe(read);
  });
});

describe('what is answered of a webhook says how far it has come', () => {
  const services = () => ({ notices: world.ports }) as unknown as Services;
  const asked = ({ id }: Webhook, others: object = {}) => ({
    customer: 'demo-farm',
    params: { webhook_id: id },
    ...others,
  });
  const wanted = { url: 'https://farm.example/hooks' };
  const create = () => {
    const request = { customer: 'demo-farm', body: wanted, idempotencyKey: 'key-1' };
    return webhooksCreate.handle(request as never, services());
  };
  let webhook: Webhook;
  let sequence: string;
  beforeEach(async () => {
    await create();
    await world.work();
    await world.tell('a', 'b');
    await world.work();
    webhook = (await world.ports.webhooks.list(owner))[0]!.webhook;
    const events = await world.ports.log.read(owner, 0, 10);
    sequence = String(events.at(-1)!.sequence);
    world.clock.jump(20_000);
  });

  test.each([
    { by: 'a create that is repeated', ask: create },
    { by: 'verify', ask: () => webhooksVerify.handle(asked(webhook) as never, services()) },
    { by: 'rotate', ask: () => webhooksRotate.handle(asked(webhook, { body: {} }) as never, services()) },
    {
      by: 'redeliver',
      ask: () =>
        webhooksRedeliver.handle(asked(webhook, { params: { webhook_id: webhook.id, sequence } }) as never, services()),
    },
  ])('by $by', async ({ ask }) => {
    const known = { cursor_sequence: sequence, last_success_date_time: '2026-05-04T06:00:00.000Z' };
    expect(await ask()).toMatchObject({ json: known });
  });

  test.each([
    { types: null, pending: 3 },
    { types: ['partner.job.*'], pending: 3 },
    { types: ['partner.insight.updated'], pending: 0 },
  ])('and how many events of the types $types wait while it is paused', async ({ types, pending }) => {
    const paused = await world.change(webhook, { status: 'paused', types });
    await world.tell('c', 'd', 'e');
    expect(await webhooksGet.handle(asked(paused) as never, services())).toMatchObject({
      json: { pending_events: pending },
    });
    const listed = await webhooksList.handle({ customer: 'demo-farm' } as never, services());
    expect(listed).toMatchObject({ json: { items: [{ pending_events: pending }] } });
  });
});
