import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  consentByKey,
  createWebhook,
  removeWebhook,
  requireWebhook,
  rotateSecret,
} from '../../../shared/notices/managing/manageWebhooks.js';
import { listDeliveries, redeliver } from '../../../shared/notices/managing/listDeliveries.js';
import { pingReceiver } from '../../../shared/notices/managing/pingReceiver.js';
import { webhookOf, webhooksOf } from '../../../shared/notices/managing/operateWebhooks.js';
import { webhookRecord } from '../../../shared/notices/managing/webhookView.js';
import type { StoredWebhook } from '../../../shared/notices/webhooks/webhookStore.js';
import { SecretBox } from '../../../shared/notices/secrets/secretBox.js';
import { WEBHOOK } from '../../../shared/notices/webhooks/webhook.js';
import { aNotice } from '../log/noticesUnderTest.js';
import { owner, WebhookWorld } from './webhookWorld.js';

let world: WebhookWorld;
beforeEach(() => {
  world = new WebhookWorld();
});

const numbers = (count: number): readonly string[] => Array.from({ length: count }, (_, number) => `n-${number}`);

describe('a new webhook', () => {
  test('is sent nothing before its receiver has consented', async () => {
    world.receiver().consents = false;
    const webhook = await world.webhook();
    expect(webhook.status).toBe('pending');
    await world.tell('a');
    await world.pass(60);
    expect(world.receiver().asks).toHaveLength(6);
    expect(world.receiver().posts).toEqual([]);
    await expect(pingReceiver(world.ports)(webhook)).rejects.toMatchObject({ fault: { status: 409 } });
  });

  test('is enabled by the consent of its receiver, and gets what happens from then on', async () => {
    await world.tell('before');
    const webhook = await world.webhook();
    expect(webhook.status).toBe('enabled');
    expect(world.receiver().asks[0]!.headers).toMatchObject({
      'webhook-request-origin': 'api.partner.example',
      'webhook-request-rate': '600',
    });
    await world.tell('a', 'b');
    await world.work();
    expect(world.receiver().ids).toEqual(['a', 'b']);
  });

  test('is enabled by the administrator of a receiver that answers no OPTIONS, at the address of the request alone', async () => {
    world.receiver().consents = false;
    const webhook = await world.webhook();
    const callback = new URL(world.receiver().asks[0]!.headers['webhook-request-callback']!);
    await expect(consentByKey(world.ports)(webhook, 'guess')).rejects.toMatchObject({ fault: { status: 404 } });
    await consentByKey(world.ports)(webhook, callback.searchParams.get('key')!);
    expect((await world.stored(webhook)).status).toBe('enabled');
  });

  test('is not enabled by the consent of an address that another has taken the place of', async () => {
    world.receiver().consents = false;
    const webhook = await world.webhook();
    const callback = new URL(world.receiver().asks[0]!.headers['webhook-request-callback']!);
    // The change comes between look and write.
    const find = world.ports.webhooks.find.bind(world.ports.webhooks);
    let looks = 0;
    world.ports.webhooks.find = async (key) => {
      looks += 1;
      if (looks === 2) await world.change(webhook, { url: 'https://stranger.example/' });
      return find(key);
    };
    const consenting = consentByKey(world.ports)(webhook, callback.searchParams.get('key')!);
    await expect(consenting).rejects.toMatchObject({ fault: { status: 404 } });
    expect(await world.stored(webhook)).toMatchObject({ status: 'pending', url: 'https://stranger.example/' });
  });

  test('is disabled, and its owner may rotate, when the key of its secret is lost', async () => {
    world.receiver().consents = false;
    const webhook = await world.webhook();
    Object.assign(world.ports, { box: new SecretBox(new Map([['2', Buffer.alloc(32, 8)]])) });
    await world.pass(2);
    expect(await world.stored(webhook)).toMatchObject({ status: 'disabled', disabledReason: 'secret_lost' });
    world.receiver().consents = true;
    await rotateSecret(world.ports)(webhook, { expires_in_hours: 0 });
    await world.change(webhook, { status: 'enabled' });
    await world.tell('a');
    await world.pass(1);
    const types = world.receiver().posts.map(({ body }) => (JSON.parse(body!) as { readonly type: string }).type);
    expect(types).toEqual(['partner.webhook.disabled', 'partner.job.succeeded']);
    expect(world.receiver().ids.at(-1)).toBe('a');
  });

  test('is the same with the same Idempotency-Key and content, and refused with another', async () => {
    const create = createWebhook(world.ports);
    const wanted = { url: 'https://farm.example/hooks' };
    const first = await create(owner, wanted, 'key-1');
    const again = await create(owner, wanted, 'key-1');
    expect(again).toEqual({ ...first, isRepeated: true });
    await expect(create(owner, { url: 'https://farm.example/other' }, 'key-1')).rejects.toMatchObject({
      details: [{ type: 'idempotency_key_reused' }],
    });
    expect((await create('t_demo-farm', wanted, 'key-1')).webhook.id).not.toBe(first.webhook.id);
  });

  test('is another with the same Idempotency-Key after a day, whatever was deleted meanwhile', async () => {
    const create = createWebhook(world.ports);
    const wanted = { url: 'https://farm.example/hooks' };
    const first = await create(owner, wanted, 'key-1');
    world.clock.jump(24 * 3_600_000);
    const second = await create(owner, { url: 'https://farm.example/other' }, 'key-1');
    expect(second).toMatchObject({ isRepeated: false });
    expect(second.webhook.id).not.toBe(first.webhook.id);
    await removeWebhook(world.ports)(first.webhook);
    expect(await create(owner, { url: 'https://farm.example/other' }, 'key-1')).toEqual({
      ...second,
      isRepeated: true,
    });
  });

  test('is refused beyond ten', async () => {
    for (const number of numbers(10)) await world.webhook({ description: number });
    await expect(world.webhook()).rejects.toMatchObject({ details: [{ type: 'too_many_webhooks' }] });
  });

  test("is nobody else's", async () => {
    const { id } = await world.webhook();
    await expect(requireWebhook(world.ports, { owner: 't_demo-farm', id })).rejects.toMatchObject({
      fault: { status: 404 },
    });
  });

  test('shows its secret nowhere but in its answer', async () => {
    const { secret } = await createWebhook(world.ports)(owner, { url: 'https://farm.example/hooks' }, undefined);
    const bare = secret.slice('whsec_'.length);
    await world.tell('a');
    await world.work();
    world.receiver().answer = () => ({ status: 500 });
    await world.tell('b');
    await world.work();
    const [{ webhook }] = (await world.ports.webhooks.list(owner)) as [StoredWebhook];
    await pingReceiver(world.ports)(webhook);
    const callback = new URL(world.receiver().asks[0]!.headers['webhook-request-callback']!);
    const kept = JSON.stringify([
      [world.webhookRows.all(), world.noticeRows.all(), world.kernel.rows.all()],
      [world.kernel.logged, world.receiver().posts],
      [
        await webhooksOf(world.ports, owner),
        await webhookOf(world.ports, webhook),
        webhookRecord(webhook, { state: undefined, pending: 0 }),
      ],
    ]);
    expect(kept).not.toContain(bare);
    expect(kept).not.toContain(Buffer.from(bare, 'base64').toString('hex'));
    expect(kept).not.toContain(callback.searchParams.get('key'));
    // Lines hold no address: its path and query may give access.
    expect(JSON.stringify(world.kernel.logged)).not.toContain('farm.example');
  });
});

test('a first visit that another has overtaken is made again', async () => {
  const { deliveries, log } = world.ports;
  const write = deliveries.write.bind(deliveries);
  deliveries.write = async (...asked) => {
    deliveries.write = write;
    await write(...asked);
    // Nobody wakes the webhook for it: the work is under way.
    await log.append(owner, [{ notice: aNotice('a') }]);
    return write(...asked);
  };
  await world.webhook();
  expect(world.receiver().ids).toEqual(['a']);
});

describe('a webhook that is deleted', () => {
  test('while its first events are sent is sent no more, and leaves no row', async () => {
    const webhook = await world.webhook({ max_in_flight: 1 });
    const receiver = world.receiver();
    const { call } = receiver;
    Object.assign(receiver, {
      call: async (...asked: Parameters<typeof call>) => {
        const answer = await call(...asked);
        await removeWebhook(world.ports)(webhook);
        return answer;
      },
    });
    await world.tell(...numbers(60));
    const rows = () => world.noticeRows.all().filter(({ rowKey }) => rowKey.includes(webhook.id));
    await world.work();
    expect(receiver.posts.length).toBeLessThan(60);
    expect(rows()).toEqual([]);
  });

  test('before its first visit has begun leaves no row either', async () => {
    const webhook = await world.webhook();
    const { webhooks } = world.ports;
    const find = webhooks.find.bind(webhooks);
    webhooks.find = async (key) => {
      webhooks.find = find;
      const found = await find(key);
      await removeWebhook(world.ports)(webhook);
      return found;
    };
    await world.tell('a');
    await world.work();
    expect(world.receiver().posts).toEqual([]);
    expect(world.noticeRows.all().filter(({ rowKey }) => rowKey.includes(webhook.id))).toEqual([]);
  });
});

describe('what is sent', () => {
  test('is signed with the bytes that go, of this moment', async () => {
    const { webhook, secret } = await createWebhook(world.ports)(
      owner,
      { url: 'https://farm.example/hooks' },
      undefined,
    );
    await world.work();
    await world.tell('a');
    await world.work();
    const { body, headers } = world.receiver().posts[0]!;
    const content = `a.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(content).digest('base64')}`);
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=utf-8');
    expect(webhook.status).toBe('pending');
  });

  test('has two signatures while the secret is rotated, and then one', async () => {
    const webhook = await world.webhook();
    await rotateSecret(world.ports)(webhook, { expires_in_hours: 1 });
    await expect(rotateSecret(world.ports)(webhook, {})).rejects.toMatchObject({ fault: { code: 'RotationOpen' } });
    await world.tell('a');
    await world.work();
    world.clock.jump(3_700_000);
    await world.tell('b');
    await world.work();
    const counts = world.receiver().posts.map(({ headers }) => headers['webhook-signature']!.split(' ').length);
    expect(counts).toEqual([2, 1]);
  });

  test('is what the filter takes', async () => {
    await world.webhook({ types: ['partner.imagery.*'] });
    await world.tell('a');
    await world.work();
    expect(world.receiver().posts).toEqual([]);
  });

  test('goes on where it stopped after a pause', async () => {
    const webhook = await world.webhook();
    await world.change(webhook, { status: 'paused' });
    await world.tell('a', 'b');
    await world.work();
    expect(world.receiver().posts).toEqual([]);
    await world.change(webhook, { status: 'enabled' });
    await world.work();
    expect(world.receiver().ids).toEqual(['a', 'b']);
  });

  test('leaves out what was passed over', async () => {
    const webhook = await world.webhook();
    await world.change(webhook, { status: 'paused' });
    await world.tell('a');
    await world.change(webhook, { status: 'enabled', resume_from: 'now' });
    await world.tell('b');
    await world.work();
    expect(world.receiver().ids).toEqual(['b']);
  });
});

describe('one event that a live receiver refuses', () => {
  test('holds up no other, and comes again with the same bytes', async () => {
    await world.webhook();
    world.receiver().answer = ({ headers }) => ({ status: headers['webhook-id'] === 'bad' ? 500 : 204 });
    await world.tell('a', 'bad', 'b');
    await world.work();
    world.receiver().answer = () => ({ status: 204 });
    await world.pass(3);
    expect(new Set(world.receiver().ids)).toEqual(new Set(['a', 'bad', 'b']));
    const bodies = world
      .receiver()
      .posts.filter(({ headers }) => headers['webhook-id'] === 'bad')
      .map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(1);
    expect(new Set(bodies).size).toBe(1);
  });

  test('is given up after ten tries, and can be sent once more', async () => {
    const webhook = await world.webhook();
    world.receiver().answer = ({ headers }) => ({ status: headers['webhook-id'] === 'bad' ? 400 : 204 });
    await world.tell('bad');
    for (const number of numbers(100)) {
      await world.pass(60, 15);
      await world.tell(`${number}-live`);
      await world.work();
    }
    const page = { ...world.ports, cursorKeys: { present: Buffer.alloc(32), accepted: [] } };
    const failed = await listDeliveries(page)(webhook, { status: 'failed' });
    expect(failed.deliveries).toMatchObject([{ eventId: 'bad', count: 10, status: 'failed' }]);
    expect(world.receiver().ids.filter((id) => id === 'bad')).toHaveLength(10);
    world.receiver().answer = () => ({ status: 204 });
    await redeliver(world.ports)(webhook, String(failed.deliveries[0]!.sequence));
    await world.work();
    expect((await listDeliveries(page)(webhook, { status: 'failed' })).deliveries).toEqual([]);
    expect(world.receiver().ids.at(-1)).toBe('bad');
  });
});

describe('a receiver', () => {
  test('that is gone is disabled at once, and its owner is told', async () => {
    const webhook = await world.webhook();
    world.receiver().answer = () => ({ status: 410 });
    await world.tell('a');
    await world.work();
    expect(await world.stored(webhook)).toMatchObject({ status: 'disabled', disabledReason: 'gone_410' });
    const told = await world.ports.log.read(owner, 0, 10);
    expect(told.map(({ type }) => type)).toEqual(['partner.job.succeeded', 'partner.webhook.disabled']);
  });

  test('that has failed for five days is disabled, and asked again before it is sent anything', async () => {
    const webhook = await world.webhook();
    world.receiver().answer = () => ({ status: 500 });
    await world.tell('a');
    await world.work();
    await world.pass(6 * 24 * 60, 30);
    expect(await world.stored(webhook)).toMatchObject({ disabledReason: 'no_success_for_5_days' });
    world.receiver().answer = () => ({ status: 204 });
    await world.change(webhook, { status: 'enabled' });
    await world.work();
    expect(world.receiver().asks).toHaveLength(2);
    expect(world.receiver().ids.slice(-2)).toContain('a');
  });

  test('that asks for a pause is left alone so long, and no try is counted', async () => {
    const webhook = await world.webhook();
    world.receiver().answer = (_post, count) => (count === 1 ? { status: 429, retryAfter: '600' } : { status: 204 });
    await world.tell('a');
    await world.work();
    await world.tell('b');
    await world.pass(9);
    expect(world.receiver().posts).toHaveLength(1);
    await world.pass(5);
    expect(world.receiver().ids.slice(1).sort()).toEqual(['a', 'b']);
    const page = { ...world.ports, cursorKeys: { present: Buffer.alloc(32), accepted: [] } };
    const { deliveries } = await listDeliveries(page)(webhook, {});
    expect(deliveries.map(({ count }) => count)).toEqual([1, 1]);
  });

  test('that has too much to do is sent half as many at a time, down to one, until the end of the visit', async () => {
    await world.webhook({ max_in_flight: 8 });
    let [inFlight, posts] = [0, 0];
    const atOnce = new Map<number, number>();
    const overloaded = new Map([
      [1, 503],
      [9, 429],
      [13, 504],
      [15, 502],
    ]);
    Object.assign(world.ports, {
      call: async () => {
        const post = (posts += 1);
        inFlight += 1;
        await Promise.resolve();
        atOnce.set(post, inFlight);
        await Promise.resolve();
        inFlight -= 1;
        return { status: overloaded.get(post) ?? 204, durationMs: 1 };
      },
    });
    await world.tell(...numbers(20));
    await world.work();
    const most = (from: number, to: number): number =>
      Math.max(...[...atOnce].flatMap(([post, count]) => (post >= from && post <= to ? [count] : [])));
    expect([most(1, 8), most(9, 12), most(13, 14), most(15, 15), most(16, 20)]).toEqual([8, 4, 2, 1, 1]);
    // The next visit begins anew.
    posts = 100;
    await world.tell(...numbers(8).map((id) => `later-${id}`));
    await world.work();
    expect(most(101, 108)).toBe(8);
  });

  test('that takes one event a minute gets one a minute, and holds no visit open', async () => {
    world.receiver().allowedRate = '1';
    await world.webhook();
    await world.tell(...numbers(5));
    const before = world.clock.now().getTime();
    await world.work();
    expect([world.receiver().posts.length, world.clock.now().getTime() - before]).toEqual([1, 0]);
    await world.pass(10);
    expect(world.receiver().ids).toEqual(numbers(5));
  });

  test('that takes long stands in the lane of the slow', async () => {
    const webhook = await world.webhook();
    world.receiver().answer = () => {
      world.clock.jump(14_900);
      return { status: 204, durationMs: 14_900 };
    };
    await world.tell(...numbers(40));
    await world.work();
    const item = await world.kernel.find({ kind: WEBHOOK, id: `${owner}|${webhook.id}` });
    expect(item!.parked?.lane ?? item!.lanes).toContain('slow|webhooks');
    await world.pass(40);
    expect(new Set(world.receiver().ids).size).toBe(40);
  });
});

describe('a process that dies at any write of a visit', () => {
  const deaths = [1, 2, 3].flatMap((at) => [false, true].map((isBehind) => ({ at, isBehind })));
  test.each(deaths)(
    'write $at, behind it: $isBehind: each event is delivered, with the same bytes each time',
    async (death) => {
      await world.webhook();
      await world.tell(...numbers(35));
      world.noticeRows.dies = { ...death };
      await world.work().catch(() => undefined);
      world.noticeRows.dies = undefined;
      await world.pass(5);
      expect(new Set(world.receiver().ids)).toEqual(new Set(numbers(35)));
      const bodies = new Map<string, Set<string | undefined>>();
      for (const { headers, body } of world.receiver().posts) {
        const id = headers['webhook-id']!;
        bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
      }
      expect([...bodies.values()].every((some) => some.size === 1)).toBe(true);
    },
  );
});
