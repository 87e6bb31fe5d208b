import { describe, expect, test } from '@jest/globals';
import { getOperation } from '../../../shared/operate/commands/getOperation.js';
import { workOfOperation } from '../../../shared/operate/commands/operateCommand.js';
import { workOfErasure } from '../../../shared/farm/erase/erasure.js';
import { OperateWorld, TENANT_A } from './operateWorld.js';

const refusal = (code: string) => expect.objectContaining({ fault: expect.objectContaining({ code }) as unknown });

describe('a long command', () => {
  test('is under way at once, done as work, and said when it has ended', async () => {
    const world = new OperateWorld();
    const { record } = await world.command('backup.now');
    expect([record.status, world.operated]).toEqual(['Running', []]);
    await world.live(5);
    expect((await getOperation(world.ports)(record.operationId)).record).toMatchObject({
      status: 'Done',
      result: JSON.stringify({ name: '2026-06-15T120000', rows: 5 }),
    });
    expect(world.operated).toMatchObject([{ command: 'backup.now', outcome: 'Done' }]);
  });

  test('that fails is tried again, and told in the end', async () => {
    const world = new OperateWorld();
    let tries = 0;
    Object.assign(world.ports, { backUp: () => Promise.reject(new Error(`try ${(tries += 1)}`)) });
    const { record } = await world.command('backup.now');
    await world.live(3_600);
    expect([tries, (await world.ports.audit.find(record.operationId))?.status]).toEqual([5, 'Failed']);
    expect(world.operated).toMatchObject([{ outcome: 'Failed', message: 'try 5' }]);
  });

  test('whose message comes twice is done once', async () => {
    const world = new OperateWorld();
    const { record } = await world.command('backup.now');
    await world.ports.work.send(workOfOperation(record.operationId));
    await world.live(5);
    expect([world.exports.length, world.operated.length]).toEqual([1, 1]);
  });

  test('whose work is gone is lost; an id that nobody had is none', async () => {
    const world = new OperateWorld();
    const { record } = await world.command('backup.now');
    const stored = await world.ports.store.find(workOfOperation(record.operationId));
    await world.ports.store.delete(stored!);
    expect(await getOperation(world.ports)(record.operationId)).toMatchObject({ isLost: true });
    for (const id of ['20260615T120000000Z-ffffffff', 'x', '']) {
      await expect(getOperation(world.ports)(id)).rejects.toEqual(refusal('TargetNotFound'));
    }
  });
});

describe('a purge of a tenant', () => {
  const target = { tenant: TENANT_A, confirm: TENANT_A };

  test('holds it first, begins when every instance knows, and leaves register row and hold', async () => {
    const world = new OperateWorld();
    await world.registerTenant();
    const { record } = await world.command('tenants.purge', target);
    await world.live(90);
    expect(await world.ports.holds.find(TENANT_A)).toBeDefined();
    expect(world.rows('farmParties').all()).toEqual([]);
    await world.live(1_800);
    expect(await world.ports.audit.find(record.operationId)).toMatchObject({ status: 'Done' });
    expect(await world.ports.holds.find(TENANT_A)).toBeDefined();
    expect(await world.ports.tenants.list()).toHaveLength(1);
  });

  test('keeps it from being released meanwhile', async () => {
    const world = new OperateWorld();
    await world.registerTenant();
    await world.command('tenants.purge', target);
    await world.live(130);
    await expect(world.command('tenants.release', { tenant: TENANT_A })).rejects.toEqual(refusal('CommandRefused'));
    await world.live(1_800);
    await expect(world.command('tenants.release', { tenant: TENANT_A })).resolves.toBeDefined();
  });
});

describe('a purge of a tenant that is released before the erasure begins', () => {
  test('is called off: nothing is deleted, and the operation says so', async () => {
    const world = new OperateWorld();
    await world.registerTenant();
    const { record } = await world.command('tenants.purge', { tenant: TENANT_A, confirm: TENANT_A });
    await world.live(30);
    await world.command('tenants.release', { tenant: TENANT_A });
    await world.live(1_800);
    expect(await world.ports.audit.find(record.operationId)).toMatchObject({
      status: 'Failed',
      message: expect.stringContaining('was released meanwhile: nothing is purged'),
    });
    expect(await world.ports.holds.find(TENANT_A)).toBeUndefined();
    expect(await world.ports.erasures.find(workOfErasure({ tenant: TENANT_A }))).toBeUndefined();
  });
});

describe('a purge of a customer', () => {
  test('deletes it as the program does, and refuses one that nobody knows', async () => {
    const world = new OperateWorld();
    const target = { customer: 'green-acres', confirm: 'green-acres' };
    await expect(world.command('customers.purge', target)).rejects.toEqual(refusal('TargetNotFound'));
    await world.ports.customers.insert({ customer: 'green-acres', fieldLimit: 9, createdAt: world.now() });
    await world.rows('fields').insert('green-acres', 'north', { name: 'North' });
    const { record } = await world.command('customers.purge', target);
    await world.live(300);
    expect((await world.ports.audit.find(record.operationId))?.result).toContain('"rows of fields":1');
    expect(await world.ports.customers.find('green-acres')).toBeUndefined();
    expect(await world.ports.customers.findTombstone('green-acres')).toBeDefined();
  });
});

describe('a run of a duty', () => {
  test('is done now, by the work of the duty, whether that is planned or has got lost', async () => {
    const world = new OperateWorld();
    for (const runs of [1, 2]) {
      const { record } = await world.command('work.run', { duty: 'upkeepPurge' });
      await world.live(60);
      expect(await world.ports.audit.find(record.operationId)).toMatchObject({ status: 'Done' });
      expect(world.runs).toBe(runs);
    }
  });

  test('of a name that no duty has is refused with the names', async () => {
    const run = new OperateWorld().command('work.run', { duty: 'cleanUp' });
    await expect(run).rejects.toThrow('The duties are upkeepPurge.');
  });
});
