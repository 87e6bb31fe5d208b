import { beforeEach, describe, expect, test } from '@jest/globals';
import { upkeepNotices } from '../../../functions/upkeep/notices.js';
import { exportTables } from '../../../shared/operate/backup/exportTables.js';
import { restoreTables } from '../../../shared/operate/restore/restoreTables.js';
import type { Config } from '../../../shared/wiring/settings/config.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { purgeCustomer } from '../../../shared/access/customers/purgeCustomer.js';
import { TombstoneStore } from '../../../shared/farm/erase/tombstoneStore.js';
import { noticeWork } from '../../../shared/notices/log/outbox.js';
import { ownerOfCustomer, ownerOfTenant, type NoticeOwner } from '../../../shared/notices/log/noticeOwner.js';
import type { Services } from '../../../shared/wiring/services.js';
import type { TableName } from '../../../shared/storage/names.js';
import { createWebhook } from '../../../shared/notices/managing/manageWebhooks.js';
import { eraseNotices, noticeBelongings } from '../../../shared/notices/managing/noticeBelongings.js';
import { WEBHOOK } from '../../../shared/notices/webhooks/webhook.js';
import { newItem } from '../../../shared/work/item/workItem.js';
import { MemoryArchive } from '../../farm/eraseWorld.js';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import { memoryRawRows } from '../../support/memoryRawRows.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { WebhookWorld } from '../sending/webhookWorld.js';
import { aNotice } from './noticesUnderTest.js';

const DAY_MS = 86_400_000;
const contoso = ownerOfCustomer('contoso');
const fabrikam = ownerOfCustomer('fabrikam');
/** A tenant whose id is the name of a customer. */
const namesake = ownerOfTenant('contoso');

let world: WebhookWorld;
beforeEach(() => {
  world = new WebhookWorld();
});

/** A webhook that was sent an event, and an event that is not in the log yet. */
async function listening(owner: NoticeOwner): Promise<void> {
  const { ports, kernel } = world;
  await createWebhook(ports)(owner, { url: `https://${owner.replace('_', '-')}.example/hooks` }, undefined);
  await world.work();
  await ports.log.append(owner, [{ notice: aNotice(`${owner} told`) }]);
  const now = world.clock.now().getTime();
  await kernel.store.insert(newItem(noticeWork(owner, 'images', 'fields'), now));
  await kernel.store.insert(newItem({ kind: WEBHOOK, id: `${owner}|wh_waiting` }, now));
}

const tables = () => ({ work: world.kernel.rows, webhooks: world.webhookRows, notices: world.noticeRows });
/** Keys of all rows of an owner. */
const rowsOf = (owner: NoticeOwner): readonly string[] =>
  Object.values(tables())
    .flatMap((rows) => rows.all())
    .map(({ partitionKey, rowKey }) => `${partitionKey}|${rowKey}`)
    .filter((key) => `|${key}|`.includes(`|${owner}|`));

describe('of a customer who is purged', () => {
  test('nothing is left, and everything of others', async () => {
    for (const owner of [contoso, fabrikam, namesake]) await listening(owner);
    const others = [rowsOf(fabrikam), rowsOf(namesake)];
    expect(rowsOf(contoso).length).toBeGreaterThan(4);
    const customers = new CustomerStore(new MemoryRows());
    await customers.insert({ customer: 'contoso', fieldLimit: 250, createdAt: 0 });
    const { clock } = world;
    const listSharedAttempts = () => Promise.resolve([]);
    const ports = {
      customers,
      keptTombstones: tombstonesInMemory(),
      clock,
      leaseMs: 1_000,
      belongings: noticeBelongings(tables()),
      listSharedAttempts,
    };
    const progress = { isOver: false };
    const purging = purgeCustomer(ports)('contoso').finally(() => (progress.isOver = true));
    while (!progress.isOver) await clock.advance(1_000);
    await purging;
    expect(rowsOf(contoso)).toEqual([]);
    expect([rowsOf(fabrikam), rowsOf(namesake)]).toEqual(others);
  });
});

describe('of a tenant who is erased', () => {
  test('nothing is left, and everything of a customer of the same name', async () => {
    for (const owner of [contoso, namesake]) await listening(owner);
    const others = rowsOf(contoso);
    await eraseNotices(tables(), namesake);
    expect(rowsOf(namesake)).toEqual([]);
    expect(rowsOf(contoso)).toEqual(others);
    await eraseNotices(tables(), namesake);
  });
});

describe('the duty upkeepNotices', () => {
  const config = { NOTICES_RETENTION_DAYS: 30 } as Config;
  const run = () => upkeepNotices.run({ notices: world.ports, config } as unknown as Services);

  test('deletes events and deliveries that are older than the retention, and no other', async () => {
    await listening(contoso);
    world.clock.jump(20 * DAY_MS);
    await world.ports.log.append(contoso, [{ notice: aNotice('young') }]);
    world.clock.jump(11 * DAY_MS);
    await expect(run()).resolves.toMatchObject({ owners: 1, events: 1 });
    expect((await world.ports.log.read(contoso, 0, 10)).map(({ id }) => id)).toEqual(['young']);
  });

  test('keeps no log for whoever has neither a webhook nor looked into it for 30 days', async () => {
    await world.ports.listeners.listen(fabrikam);
    await listening(contoso);
    world.clock.jump(31 * DAY_MS);
    await run();
    await expect(world.ports.listeners.has(fabrikam)).resolves.toBe(false);
    await expect(world.ports.listeners.has(contoso)).resolves.toBe(true);
  });

  test('does nothing where notices are off', async () => {
    const off = { notices: undefined, config } as unknown as Services;
    await expect(upkeepNotices.run(off)).resolves.toEqual({ owners: 0, events: 0, keyVersions: {} });
  });
});

describe('after a restore', () => {
  /** Storage with what an export needs of it; the tables of notices are those of the world. */
  function accountOf(own: Partial<Record<TableName, MemoryRows>>) {
    const made = new Map<TableName, MemoryRows>();
    const rows = (name: TableName): MemoryRows => {
      const found = own[name] ?? made.get(name) ?? new MemoryRows();
      made.set(name, found);
      return found;
    };
    const inputs = { listWritten: () => Promise.resolve([]) };
    const rawRows = (name: TableName) => memoryRawRows(rows(name));
    return {
      rows,
      rawRows,
      files: () => new MemoryBlobs(),
      inputs,
      keptTombstones: tombstonesInMemory(),
      clock: world.clock,
    };
  }
  const exported = async (): Promise<MemoryArchive> => {
    const archive = new MemoryArchive();
    await exportTables(accountOf({ webhooks: world.webhookRows }))(archive);
    return archive;
  };

  test('receivers are asked for their consent again before they are sent anything', async () => {
    await listening(contoso);
    const archive = await exported();
    world = new WebhookWorld();
    const lost = accountOf({ webhooks: world.webhookRows, work: world.kernel.rows });
    const { mended } = await restoreTables(lost)(archive, { isMerge: false });
    expect(mended.webhooks).toBe(1);
    const [stored] = await world.ports.webhooks.list(contoso);
    expect(stored!.webhook.status).toBe('pending');
    await world.pass(3);
    const receiver = world.receiver('https://c-contoso.example/hooks');
    expect([receiver.asks.length, receiver.posts.length]).toEqual([1, 0]);
    expect((await world.ports.webhooks.list(contoso))[0]!.webhook.status).toBe('enabled');
    await expect(world.ports.listeners.has(contoso)).resolves.toBe(true);
  });

  test('what is paused stays so', async () => {
    await listening(contoso);
    const [stored] = await world.ports.webhooks.list(contoso);
    await world.change(stored!.webhook, { status: 'paused' });
    const lost = accountOf({});
    await restoreTables(lost)(await exported(), { isMerge: false });
    const [row] = await lost.rows('webhooks').range<{ readonly json: string }>(contoso);
    expect(JSON.parse(row!.json)).toMatchObject({ status: 'paused' });
  });

  test('no webhook comes back of a customer who was purged, or of a tenant who was erased, since the export', async () => {
    for (const owner of [contoso, fabrikam, namesake]) await listening(owner);
    const archive = await exported();
    const lost = accountOf({});
    await lost.rows('customers').put('purged', 'contoso', { purgedAt: new Date(0).toISOString() });
    world.clock.jump(1_000);
    const erasedAt = world.clock.now().getTime();
    await new TombstoneStore(lost.rows('farmParties')).bury({ tenant: 'contoso' }, { erasedAt, isOpen: false });
    await restoreTables(lost)(archive, { isMerge: true });
    const owners = new Set(
      lost
        .rows('webhooks')
        .all()
        .map(({ partitionKey }) => partitionKey),
    );
    expect([...owners].sort()).toEqual([fabrikam, 'on']);
  });
});
