import { beforeEach, describe, expect, test } from '@jest/globals';
import type { WebhookState } from '../../../shared/notices/webhooks/deliveryStore.js';
import { WEBHOOK, type Webhook } from '../../../shared/notices/webhooks/webhook.js';
import { SLOW_LANE } from '../../../shared/work/lanes/lane.js';
import { owner, WebhookWorld } from './webhookWorld.js';

let world: WebhookWorld;
let webhook: Webhook;
beforeEach(async () => {
  world = new WebhookWorld();
  webhook = await world.webhook();
});

const item = () => world.kernel.find({ kind: WEBHOOK, id: `${owner}|${webhook.id}` });
const stateOf = async (): Promise<WebhookState> => (await world.ports.deliveries.findState(webhook, 0)).state;
const holders = async () => (await world.kernel.laneStore.read(SLOW_LANE, 10)).state.holders;

/** The receiver takes long, until its webhook stands in the lane of the slow and has a slot there. */
async function slow(): Promise<void> {
  world.receiver().answer = () => {
    world.clock.jump(14_900);
    return { status: 204, durationMs: 14_900 };
  };
  await world.tell(...Array.from({ length: 20 }, (_, number) => `slow-${number}`));
  await world.work();
  expect((await item())!.lanes).toEqual([SLOW_LANE]);
}

describe('a webhook that was slow and is so no more holds no slot of the slow', () => {
  beforeEach(slow);

  test('while one of its events waits for a retry', async () => {
    world.receiver().answer = ({ headers }) => ({ status: headers['webhook-id'] === 'bad' ? 500 : 204 });
    await world.tell('bad', 'good');
    await world.pass(3);
    expect(await stateOf()).not.toHaveProperty('isSlow');
    const waiting = await item();
    expect(waiting).toBeDefined();
    expect(waiting).not.toHaveProperty('lanes');
    expect(await holders()).toEqual([]);
  });

  test('while its receiver has asked for a long pause', async () => {
    world.receiver().answer = () => ({ status: 429, retryAfter: '36000' });
    await world.pass(3);
    const waiting = await item();
    expect(waiting).toBeDefined();
    expect(waiting).not.toHaveProperty('lanes');
    expect(await holders()).toEqual([]);
  });

  test('while the administrator of its next address has not consented', async () => {
    world.receiver('https://farm.example/next').consents = false;
    await world.change(webhook, { url: 'https://farm.example/next' });
    await world.pass(60);
    const waiting = await item();
    expect(waiting).toBeDefined();
    expect(waiting).not.toHaveProperty('lanes');
    expect(await holders()).toEqual([]);
  });
});

describe('a webhook that is slow', () => {
  test('is sent what happens, however soon the next event comes', async () => {
    await slow();
    const before = world.receiver().posts.length;
    for (let event = 0; event < 30; event += 1) {
      await world.tell(`soon-${event}`);
      await world.clock.advance(10_000);
      if (event % 6 === 0) await world.kernel.sweep();
      await world.work();
    }
    expect(world.receiver().posts.length).toBeGreaterThan(before);
    expect(world.receiver().ids).toContain('soon-0');
  });

  test('is sent the next events as soon as it has a slot again, whenever the sweep comes', async () => {
    await slow();
    const before = world.receiver().posts.length;
    for (let seconds = 0; seconds < 30; seconds += 5) {
      await world.clock.advance(5_000);
      await world.work();
    }
    expect(world.receiver().posts.length).toBeGreaterThan(before);
  });

  test('and has been sent everything is sent the next event in its lane alone', async () => {
    world.receiver().answer = () => ({ status: 204, durationMs: 14_900 });
    await world.tell('first');
    await world.work();
    expect(await item()).toBeUndefined();
    world.kernel.slotsOf = () => 0;
    await world.tell('second');
    await world.work();
    expect([world.receiver().ids, (await item())!.parked?.lane]).toEqual([['first'], SLOW_LANE]);
    world.kernel.slotsOf = () => 4;
    await world.pass(1);
    expect(world.receiver().ids).toEqual(['first', 'second']);
  });

  test('and waits for a retry is sent what happens meanwhile, whenever the sweep comes', async () => {
    world.receiver().answer = ({ headers }) => ({
      status: headers['webhook-id'] === 'bad' ? 500 : 204,
      durationMs: 14_900,
    });
    await world.tell('bad');
    await world.work();
    await world.tell('good');
    await world.clock.advance(1_500);
    await world.work();
    expect(world.receiver().ids).toContain('good');
  });

  test('holds no slot while nothing is left but a retry that is due later', async () => {
    world.receiver().answer = () => ({ status: 500, durationMs: 14_900 });
    await world.tell('bad');
    await world.work();
    await world.pass(2);
    expect(await stateOf()).toMatchObject({ isSlow: true });
    expect((await item())!.parked).toMatchObject({ lane: SLOW_LANE });
    expect(await holders()).toEqual([]);
  });
});
