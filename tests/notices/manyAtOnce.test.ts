import { beforeEach, describe, expect, test } from '@jest/globals';
import { changeWebhook, createWebhook, removeWebhook } from '../../shared/notices/managing/manageWebhooks.js';
import { webhookKeyOf } from '../../functions/webhooks/noticeCaller.js';
import { owner, WebhookWorld } from './sending/webhookWorld.js';

let world: WebhookWorld;
beforeEach(() => {
  world = new WebhookWorld();
});

const create = (n: number, key?: string) =>
  createWebhook(world.ports)(owner, { url: `https://farm.example/hooks/${n}` }, key);
const outcomes = async (asked: readonly Promise<unknown>[]): Promise<readonly (number | 'done')[]> =>
  (await Promise.allSettled(asked)).map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason as { readonly fault: { readonly status: number } }).fault.status,
  );

describe('requests of one owner at the same moment', () => {
  test('never make more webhooks than ten', async () => {
    const made = await outcomes(Array.from({ length: 40 }, (_, n) => create(n)));
    expect(made.filter((one) => one === 'done')).toHaveLength(10);
    expect(new Set(made)).toEqual(new Set(['done', 422]));
    expect(await world.ports.webhooks.list(owner)).toHaveLength(10);
  });

  test('with one Idempotency-Key make one webhook, and all are shown its secret', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create(1, 'once')));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(1);
    expect(made.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1);
  });

  test('that change one webhook are done, or told to come again: 503', async () => {
    const webhook = await world.webhook();
    const descriptions = Array.from({ length: 24 }, (_, n) => `change ${n}`);
    const changed = await outcomes(
      descriptions.map((description) => changeWebhook(world.ports)(webhook, { description })),
    );
    expect(changed.filter((one) => one === 'done').length).toBeGreaterThan(0);
    expect(changed.filter((one) => one !== 'done' && one !== 503)).toEqual([]);
  });
});

describe('what is no id of a webhook', () => {
  test.each(['', 'wh_', 'wh_a_', 'wh', 'x', 'wh_a/b'])('%j names none: 404', (id) => {
    expect(() => webhookKeyOf({ customer: 'demo-farm', params: { webhook_id: id } })).toThrow('no webhook of this id');
  });

  test('takes nothing of a webhook whose id it begins', async () => {
    const webhook = await world.webhook();
    await world.tell('a');
    await world.work();
    const before = world.noticeRows.all();
    await removeWebhook(world.ports)({ owner, id: webhook.id.slice(0, 8) });
    expect(world.noticeRows.all()).toEqual(before);
  });
});
