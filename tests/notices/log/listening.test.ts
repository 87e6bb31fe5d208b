import { beforeEach, describe, expect, test } from '@jest/globals';
import { upkeepNotices } from '../../../functions/upkeep/notices.js';
import type { Config } from '../../../shared/wiring/settings/config.js';
import { ListenerStore } from '../../../shared/notices/log/listenerStore.js';
import { NOTICE, noticeWork } from '../../../shared/notices/log/outbox.js';
import { ownerOfCustomer } from '../../../shared/notices/log/noticeOwner.js';
import type { Services } from '../../../shared/wiring/services.js';
import { noticeKinds, type NoticeWorkSurroundings } from '../../../shared/wiring/areas/noticeServices.js';
import type { TableName } from '../../../shared/storage/names.js';
import { removeWebhook } from '../../../shared/notices/managing/manageWebhooks.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { owner, WebhookWorld } from '../sending/webhookWorld.js';
import { aNotice } from './noticesUnderTest.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let world: WebhookWorld;
beforeEach(() => {
  world = new WebhookWorld();
});

const night = () => {
  const config = { NOTICES_RETENTION_DAYS: 30 } as Config;
  return upkeepNotices.run({ notices: world.ports, config } as unknown as Services);
};
/** Nights of the duty, 24 hours apart; the first of them a few hours from now. */
async function nights(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    world.clock.jump(done === 0 ? 20 * HOUR_MS : DAY_MS);
    await night();
  }
}

describe('whoever has a webhook', () => {
  test('is told without a gap, also between the end of 30 days and the next night', async () => {
    await world.webhook();
    await nights(30);
    // Past 30 days, and before the duty of that night.
    world.clock.jump(14 * HOUR_MS);
    await expect(new ListenerStore(world.webhookRows, world.clock).has(owner)).resolves.toBe(true);
  });

  test('is not forgotten where it came between the look of the duty and its deletion', async () => {
    await world.ports.listeners.listen(owner);
    world.clock.jump(31 * DAY_MS);
    const { webhooks } = world.ports;
    const list = webhooks.list.bind(webhooks);
    webhooks.list = async (of) => {
      webhooks.list = list;
      const found = await list(of);
      // Another process creates the webhook.
      await new ListenerStore(world.webhookRows, world.clock).listen(of);
      return found;
    };
    await night();
    await expect(world.ports.listeners.has(owner)).resolves.toBe(true);
  });
});

describe('whoever has no webhook and has not looked for 30 days', () => {
  test('is forgotten, and no row is left', async () => {
    const webhook = await world.webhook();
    await world.tell('first');
    await world.work();
    await removeWebhook(world.ports)(webhook);
    for (let day = 0; day < 32; day += 1) {
      const notice = aNotice(`day-${day}`, { time: world.clock.now().toISOString() });
      // Nobody writes for whoever does not listen.
      if (await world.ports.listeners.has(owner)) await world.ports.log.append(owner, [{ notice }]);
      world.clock.jump(DAY_MS);
      await night();
    }
    await expect(world.ports.listeners.has(owner)).resolves.toBe(false);
    expect([...world.noticeRows.all(), ...world.webhookRows.all()]).toEqual([]);
  });
});

describe('the work on notices', () => {
  test('knows at once of an owner that a teller has just found listening', async () => {
    const { clock, kernel } = world;
    const tables = new Map<TableName, MemoryRows>([
      ['webhooks', world.webhookRows],
      ['notices', world.noticeRows],
    ]);
    const rows = (name: TableName) => tables.get(name) ?? new MemoryRows();
    const config = { PUBLIC_URL: 'https://api.partner.example', WEBHOOK_KEYS: new Map(), JOB_LEASE_SECONDS: 60 };
    const [relay] = noticeKinds(
      config as unknown as Config,
      {
        storage: { rows },
        work: { work: kernel.enqueuer, store: kernel.store },
        clock,
        log: kernel.log,
      } as unknown as NoticeWorkSurroundings,
    );
    const tell = async (id: string): Promise<void> => {
      const order = {
        ...noticeWork(owner, 'event', id),
        facts: { notice: aNotice(id) as never },
      };
      await kernel.enqueuer.ask(order);
      await kernel.handle({ kind: NOTICE, id: order.id }, relay!);
    };
    await tell('before');
    await new ListenerStore(world.webhookRows, clock).listen(owner);
    await tell('after');
    await tell('other');
    const events = await world.ports.log.read(ownerOfCustomer('demo-farm'), 0, 10);
    expect(events.map(({ id }) => id)).toEqual(['after', 'other']);
  });
});
