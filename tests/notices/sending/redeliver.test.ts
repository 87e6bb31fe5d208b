import { beforeEach, describe, expect, test } from '@jest/globals';
import { redeliver } from '../../../shared/notices/managing/listDeliveries.js';
import type { Webhook } from '../../../shared/notices/webhooks/webhook.js';
import { owner, WebhookWorld } from './webhookWorld.js';

let world: WebhookWorld;
let webhook: Webhook;
beforeEach(async () => {
  world = new WebhookWorld();
  webhook = await world.webhook();
});

async function again(): Promise<void> {
  const [event] = await world.ports.log.read(owner, 0, 1);
  world.clock.jump(10);
  await redeliver(world.ports)(webhook, String(event!.sequence));
}

/** The webhook goes on: what comes next is sent, and nothing waits to be sent once more. */
async function goesOn(): Promise<void> {
  await world.tell('next');
  await world.pass(1);
  expect(world.receiver().ids.filter((id) => id === 'next')).toHaveLength(1);
  expect(await world.ports.deliveries.retries(webhook, 10)).toEqual([]);
  expect(world.kernel.events).not.toContain('Work:AttemptFailed');
}

describe('an event that is to be sent once more', () => {
  test('may be so twice before the next visit', async () => {
    await world.tell('a');
    await world.work();
    await again();
    await again();
    await world.work();
    await goesOn();
  });

  test('may be due as a retry already', async () => {
    world.receiver().answer = () => ({ status: 500 });
    await world.tell('a');
    await world.work();
    world.receiver().answer = () => ({ status: 204 });
    world.clock.jump(6_000);
    await again();
    await world.work();
    await goesOn();
  });

  test('may be one that a paused webhook has not come to yet', async () => {
    await world.change(webhook, { status: 'paused' });
    await world.tell('a');
    await again();
    await world.change(webhook, { status: 'enabled' });
    await world.work();
    await goesOn();
  });

  test('is shown by what came of it last, and sent again if that failed', async () => {
    await world.tell('a');
    await world.work();
    await again();
    await again();
    world.receiver().answer = () => ({ status: 500 });
    await world.work();
    const retries = await world.ports.deliveries.retries(webhook, 10);
    const shown = await world.ports.deliveries.list(webhook, { most: 10 });
    expect(retries.length).toBeGreaterThan(0);
    expect(shown.map(({ delivery }) => delivery)).toMatchObject([{ eventId: 'a', status: 'retrying' }]);
    world.receiver().answer = () => ({ status: 204 });
    await world.pass(2);
    await goesOn();
  });
});
