import { describe, expect, test } from '@jest/globals';
import type { Job } from '../../../shared/jobs/job.js';
import { commandNames, formOf } from '../../../shared/operate/commands/commandBody.js';
import { commands } from '../../../shared/operate/commands/commands.js';
import { poisonQueueOf } from '../../../shared/storage/names.js';
import { serviceState } from '../../../shared/operate/commands/serviceState.js';
import { jsonLog } from '../../../shared/kit/telemetry/telemetry.js';
import { newItem, type WorkItem } from '../../../shared/work/item/workItem.js';
import { OperateWorld, OPERATOR, TENANT_A } from './operateWorld.js';

const refusal = (code: string) => expect.objectContaining({ fault: expect.objectContaining({ code }) as unknown });

async function worldWithCustomer(): Promise<{ readonly world: OperateWorld; readonly keyId: string }> {
  const world = new OperateWorld();
  const { customers } = world.ports;
  await customers.insert({ customer: 'green-acres', fieldLimit: 250, createdAt: world.now() });
  await customers.insertKey({
    keyId: 'key1',
    customer: 'green-acres',
    digest: 'x',
    pepper: '1',
    createdAt: world.now(),
  });
  return { world, keyId: 'key1' };
}

describe('the commands of operators', () => {
  test('none adds a tenant or a key, enables or restores anything', () => {
    expect([...commandNames].sort()).toEqual([
      ...['backup.now', 'customers.purge', 'drain.end', 'drain.start', 'jobs.redrive', 'jobs.show', 'keys.list'],
      ...['keys.revoke', 'notices.disable', 'notices.drop', 'notices.enable', 'notices.list', 'notices.pump'],
      ...[
        'notices.redeliver',
        'notices.show',
        'tenants.hold',
        'tenants.purge',
        'tenants.release',
        'who',
        'work.drop',
        'work.list',
        'work.retry',
      ],
      'work.run',
    ]);
  });

  test('a pipeline may drain and no more', async () => {
    const ofRelease = commandNames.filter((name) => formOf(name).isOfRelease === true);
    expect(ofRelease).toEqual(['drain.start', 'drain.end']);
    const world = new OperateWorld();
    for (const name of commandNames.filter((each) => !ofRelease.includes(each))) {
      await expect(world.command(name, {}, { roles: ['Release'] })).rejects.toEqual(refusal('Forbidden'));
    }
    // A command that its caller may not give leaves no row.
    expect(world.rows('audit').all()).toEqual([]);
    await expect(world.command('drain.start', { minutes: 1 }, { roles: ['Release'] })).resolves.toBeDefined();
  });

  test('those that only read change nothing but the audit', () => {
    const reading = commandNames.filter((name) => formOf(name).isReading === true);
    expect(reading.every((name) => !('step' in commands[name]) && !('run' in commands[name]))).toBe(true);
  });
});

describe('the audit', () => {
  test('has a row and a line of a command with who, why and what came of it', async () => {
    const { world, keyId } = await worldWithCustomer();
    const { record } = await world.command('keys.revoke', { keyId });
    const said = { command: 'keys.revoke', target: '{"keyId":"key1"}', reason: 'An incident of this very night.' };
    expect(world.operated).toEqual([
      { ...said, operationId: record.operationId, by: OPERATOR, outcome: 'Done', traceId: '0'.repeat(32) },
    ]);
    expect(await world.ports.audit.find(record.operationId)).toMatchObject({ ...said, by: OPERATOR, status: 'Done' });
  });

  test('has those that were refused, too', async () => {
    const world = new OperateWorld();
    await expect(world.command('keys.revoke', { keyId: 'none' })).rejects.toEqual(refusal('TargetNotFound'));
    expect(world.operated).toMatchObject([{ outcome: 'Refused', message: expect.stringContaining('none') as unknown }]);
  });

  test('is written first: without it nothing is done', async () => {
    const { world, keyId } = await worldWithCustomer();
    world.ports.audit.put = () => Promise.reject(new Error('away'));
    await expect(world.command('keys.revoke', { keyId })).rejects.toThrow('away');
    expect((await world.ports.customers.findKey(keyId))?.revokedAt).toBeUndefined();
  });

  test('keeps nothing of what was read', async () => {
    const { world } = await worldWithCustomer();
    const { record, result } = await world.command('keys.list', { customer: 'green-acres' });
    expect(result).toMatchObject({ keys: [{ keyId: 'key1', state: 'live' }] });
    expect((await world.ports.audit.find(record.operationId))?.result).toBeUndefined();
  });

  test('is kept for 400 days', async () => {
    const world = new OperateWorld();
    const { record } = await world.command('drain.end');
    expect(await world.ports.audit.purge(world.now() + 399 * 86_400_000)).toBe(0);
    expect(await world.ports.audit.purge(world.now() + 401 * 86_400_000)).toBe(1);
    expect(await world.ports.audit.find(record.operationId)).toBeUndefined();
  });
});

describe('a dry run', () => {
  test('says what would be done, and changes nothing', async () => {
    const { world, keyId } = await worldWithCustomer();
    await world.registerTenant();
    await world.command('keys.revoke', { keyId }, { isDryRun: true });
    await world.command('tenants.hold', { tenant: TENANT_A }, { isDryRun: true });
    await world.command('drain.start', { minutes: 5 }, { isDryRun: true });
    const target = { customer: 'green-acres', confirm: 'green-acres' };
    const { result } = await world.command('customers.purge', target, { isDryRun: true });
    expect(result).toEqual({ customer: 'green-acres', wouldDelete: { keys: 1, 'rows of fields': 0 } });
    expect((await world.ports.customers.findKey(keyId))?.revokedAt).toBeUndefined();
    expect(await world.ports.holds.list()).toEqual([]);
    expect(await serviceState(world.ports)).toMatchObject({ drain: null, open: 0 });
  });
});

describe('a hold of a tenant', () => {
  test('begins once, ends by a release, and needs a tenant of the register', async () => {
    const world = new OperateWorld();
    await expect(world.command('tenants.hold', { tenant: TENANT_A })).rejects.toEqual(refusal('TargetNotFound'));
    await world.registerTenant();
    await world.command('tenants.hold', { tenant: TENANT_A });
    const since = world.now();
    world.clock.jump(60_000);
    await world.command('tenants.hold', { tenant: TENANT_A });
    expect(await world.ports.holds.list()).toEqual([{ tid: TENANT_A, since }]);
    await world.command('tenants.release', { tenant: TENANT_A });
    expect(await world.ports.holds.list()).toEqual([]);
    await expect(world.command('tenants.release', { tenant: TENANT_A })).rejects.toEqual(refusal('TargetNotFound'));
  });
});

describe('dead work', () => {
  const key = { kind: 'backfill', id: 'green-acres|e|33UUP|2026-05|new' };

  async function withWork(changes: Partial<WorkItem>): Promise<OperateWorld> {
    const world = new OperateWorld();
    await world.ports.store.insert({ ...newItem(key, world.now()), ...changes });
    return world;
  }

  test.each([
    { what: 'whose latest attempt failed', changes: { failure: 'No answer.' }, shown: 1 },
    { what: 'whose attempts died', changes: { attempts: 2 }, shown: 1 },
    { what: 'at which no sweep has looked for ten minutes', changes: { checkAt: 0 }, shown: 1 },
    { what: 'that is on its way', changes: {}, shown: 0 },
  ])('is work $what: $shown', async ({ changes, shown }) => {
    const { result } = await (await withWork(changes)).command('work.list');
    expect(result).toMatchObject({ count: shown });
  });

  test('is shown without what was asked', async () => {
    const world = await withWork({ failure: 'No answer.', facts: { fields: 'secret' } });
    expect(JSON.stringify((await world.command('work.list', { kind: 'backfill' })).result)).not.toContain('secret');
  });

  test('is tried at once as if it were new', async () => {
    const pause = { attempts: 4, failures: { outage: { count: 4, since: 1 } }, failure: 'No answer.' };
    const world = await withWork({ ...pause, notBefore: Date.parse('2026-06-16T00:00:00Z') });
    await world.command('work.retry', key);
    const { item } = (await world.ports.store.find(key))!;
    expect(item).toMatchObject({ attempts: 0, failures: {}, notBefore: 0, asks: 2 });
    expect([...world.queues.values()].flatMap(({ sent }) => sent)).toHaveLength(1);
  });

  test('is free of an attempt that died, and left to one that is under way', async () => {
    const dead = await withWork({ claim: 'dead', notBefore: 1 });
    await dead.command('work.retry', key);
    expect((await dead.ports.store.find(key))?.item.claim).toBeUndefined();
    const held = await withWork({ claim: 'alive', notBefore: Date.parse('2026-06-15T12:01:00Z') });
    await expect(held.command('work.retry', key)).rejects.toEqual(refusal('CommandRefused'));
    await expect(held.command('work.drop', key)).rejects.toEqual(refusal('CommandRefused'));
  });

  test('is dropped where it comes again by itself, and only there', async () => {
    const world = await withWork({ failure: 'No answer.' });
    await world.command('work.drop', key);
    expect(await world.ports.store.find(key)).toBeUndefined();
    const ingest = { kind: 'ingest', id: 'green-acres|e' };
    await world.ports.store.insert(newItem(ingest, world.now()));
    await expect(world.command('work.drop', ingest)).rejects.toEqual(refusal('CommandRefused'));
    expect(await world.ports.store.find(ingest)).toBeDefined();
  });
});

describe('a job', () => {
  const target = { tenant: TENANT_A, kind: 'gdd', jobId: 'corn' };

  test('is shown, and opened again when it has FAILED', async () => {
    const world = new OperateWorld();
    const at = world.now();
    const failed = {
      tenant: TENANT_A,
      solution: 'partnerAgPowered.gdd',
      jobId: 'corn',
      parameters: {},
      status: 'FAILED',
    };
    const times = { createdAt: at, lastActionAt: at, endedAt: at, e2eId: 'e2e', epoch: 1, message: '' };
    const job = { ...failed, ...times } as unknown as Job;
    await world.ports.jobs.insert(job, newItem({ kind: 'gdd', id: `${TENANT_A}|corn` }, at));
    expect((await world.command('jobs.show', target)).result).toMatchObject({ jobId: 'corn', status: 'FAILED' });
    await world.command('jobs.redrive', target);
    expect(
      (await world.ports.jobs.find({ tenant: TENANT_A, solution: 'partnerAgPowered.gdd', jobId: 'corn' }))?.job,
    ).toMatchObject({ status: 'WAITING' });
    await expect(world.command('jobs.redrive', target)).rejects.toEqual(refusal('CommandRefused'));
  });

  test('that is not there, or of another kind, is not found', async () => {
    const world = new OperateWorld();
    await expect(world.command('jobs.show', target)).rejects.toEqual(refusal('TargetNotFound'));
    await expect(world.command('jobs.redrive', { ...target, kind: 'corn' })).rejects.toEqual(refusal('TargetNotFound'));
  });
});

describe('who stands behind a fingerprint in a log line', () => {
  /** The fingerprint that the log writes of a caller. */
  function loggedOf(facts: Readonly<Record<string, string>>): string {
    const lines: string[] = [];
    jsonLog((line) => lines.push(line))('Who:Test', facts);
    return (JSON.parse(lines[0] ?? '{}') as Record<string, string>)[Object.keys(facts)[0] ?? ''] ?? '';
  }
  test.each([
    { as: 'tenant of a line', facts: { tenant: TENANT_A }, owner: { tenant: TENANT_A } },
    { as: 'owner of work', facts: { owner: 'green-acres' }, owner: { customer: 'green-acres' } },
    { as: 'owner of webhooks', facts: { owner: `t_${TENANT_A}` }, owner: { tenant: TENANT_A } },
    { as: 'owner of a log of events', facts: { owner: 'c_green-acres' }, owner: { customer: 'green-acres' } },
  ])('is told: $as', async ({ facts, owner }) => {
    const { world } = await worldWithCustomer();
    await world.registerTenant();
    const fingerprint = loggedOf(facts);
    expect((await world.command('who', { fingerprint })).result).toEqual({ fingerprint, owners: [owner] });
  });
  test('is nobody of a fingerprint that no caller has', async () => {
    const world = new OperateWorld();
    await expect(world.command('who', { fingerprint: '0'.repeat(12) })).rejects.toEqual(refusal('TargetNotFound'));
  });
});

test('the state tells of the tenants that are held, and since when', async () => {
  const world = new OperateWorld();
  await world.registerTenant();
  await world.command('tenants.hold', { tenant: TENANT_A });
  expect(await serviceState(world.ports)).toMatchObject({
    holds: [{ tenant: TENANT_A, since: '2026-06-15T12:00:00.000Z' }],
  });
});

test('the state tells of work, ticks, dead letters and the drain', async () => {
  const world = new OperateWorld();
  const { store, ticks } = world.ports;
  await store.insert({ ...newItem({ kind: 'gdd', id: 'a|1' }, world.now()), claim: 'c', notBefore: world.now() + 1 });
  await store.insert(newItem({ kind: 'gdd', id: 'a|2' }, world.now()));
  await ticks.put(world.now());
  await world.command('drain.start', { minutes: 30 });
  await world.ports.deadLetters();
  await world.queues.get(poisonQueueOf('ingest'))!.send('dead', 0);
  expect(await serviceState(world.ports)).toMatchObject({
    ...{ atWork: 1, open: 2, lastTick: '2026-06-15T12:00:00.000Z' },
    deadLetters: { ingest: 1, 'jobs-gdd': 0 },
    drain: { until: '2026-06-15T12:30:00.000Z', by: OPERATOR },
  });
  world.clock.jump(30 * 60_000);
  expect(await serviceState(world.ports)).toMatchObject({ drain: null });
});
