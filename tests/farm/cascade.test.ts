import { describe, expect, test } from '@jest/globals';
import { cascadeView } from '../../shared/farm/cascade/cascadeView.js';
import { partyKeyOf } from '../../shared/farm/land/land.js';
import { settle } from '../support/manualClock.js';
import { aParty, anInsight, FarmWorld, keyIn, LEASE_MS } from './farmWorld.js';
import { TENANT } from './landInMemory.js';
import { Mortal } from './mortal.js';

const party = partyKeyOf(TENANT, 'party');
const nothing = { parties: [], farms: [], fields: [], insights: [], blobs: [] };

describe('a cascade delete', () => {
  test('of a party deletes all that lies below it, and leaves every other party', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { party: 'other' });
    const before = await world.stored();
    await aParty(process, { farms: 3, fieldsOfFarm: 70 });
    await anInsight(process, 'Party', 'party');
    expect((await process.startCascade('job', party)).status).toBe('Waiting');
    await world.work();
    expect(await world.stored()).toEqual(before);
    expect(cascadeView(await process.getCascade(party, 'job'))).toEqual({
      id: 'job',
      partyId: 'party',
      resourceId: 'party',
      resourceType: 'Party',
      status: 'Succeeded',
      message: 'Deleted the party with 3 farms, 210 fields, 211 insights and 211 attachments.',
      createdDateTime: '2026-06-15T12:00:00Z',
      startTime: '2026-06-15T12:00:00Z',
      lastActionDateTime: '2026-06-15T12:00:45Z',
      endTime: '2026-06-15T12:00:45Z',
      durationInSeconds: 45,
    });
  });

  test('of a farm deletes its fields and insights, and leaves the other farms of the party', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 2, fieldsOfFarm: 130 });
    await anInsight(process, 'Farm', 'farm-0');
    await process.startCascade('job', keyIn('farm', 'farm-0'));
    await world.work();
    const { farms, fields, insights } = await world.stored();
    expect(farms).toEqual([`${TENANT}|party farm-1`]);
    expect(fields).toHaveLength(130);
    expect(fields.every((key) => key.includes('field-1-'))).toBe(true);
    expect(insights).toHaveLength(3 * 130);
    const { message } = await process.getCascade(keyIn('farm', ''), 'job');
    expect(message).toBe('Deleted the farm with 0 farms, 130 fields, 131 insights and 131 attachments.');
  });

  test('of a field deletes its insights alone', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { fieldsOfFarm: 2 });
    await process.startCascade('job', keyIn('field', 'field-0-0'));
    await world.work();
    const { fields, insights, blobs } = await world.stored();
    expect([fields.length, insights.length, blobs.length]).toEqual([1, 3, 1]);
  });

  test('asked for once more answers the job as it is; an id that is taken is refused', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 2 });
    const target = keyIn('farm', 'farm-0');
    const first = await process.startCascade('job', target);
    expect(await process.startCascade('job', target)).toEqual(first);
    await world.work();
    expect(await process.startCascade('job', target)).toMatchObject({ status: 'Succeeded' });
    const conflict = { fault: { code: 'Conflict' } };
    await expect(process.startCascade('job', keyIn('farm', 'farm-1'))).rejects.toMatchObject(conflict);
    // Each kind of resource has ids of its own.
    await expect(process.getCascade(party, 'job')).rejects.toMatchObject({ fault: { status: 404 } });
    expect((await process.startCascade('job', party)).status).toBe('Waiting');
  });

  test('of what is not there is refused, of whatever tenant', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process);
    const foreign = keyIn('farm', 'farm-0', 'party', '7c1b6f0e-52a4-4f3f-9d0a-3f1f2f6f0a12');
    await expect(process.startCascade('job', foreign)).rejects.toMatchObject({ fault: { status: 404 } });
    await process.startCascade('job', keyIn('farm', 'farm-0'));
    await expect(process.getCascade(foreign, 'job')).rejects.toMatchObject({ fault: { status: 404 } });
  });

  test('leaves a resource that was created again after the request', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 0 });
    await process.startCascade('first', party);
    await process.startCascade('second', party);
    // The second waits for the first, which ends at the third pause.
    while ((await process.getCascade(party, 'first')).status !== 'Succeeded') {
      const next = process.kernel.takeNext();
      world.clock.jump(Math.max(0, (next?.dueAt ?? 0) - world.now()));
      if (next !== undefined) await process.kernel.handle(next, process.kinds.get('cascade')!);
    }
    world.clock.jump(1_000);
    await process.put(party);
    await world.work();
    expect(await process.getCascade(party, 'second')).toMatchObject({ status: 'Succeeded' });
    expect((await world.stored()).parties).toHaveLength(1);
  });

  test('hides its resource at once, and refuses writes of it and below it', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process);
    await process.startCascade('job', party);
    await settle();
    await process.kernel.handle(process.kernel.takeNext()!, process.kinds.get('cascade')!);
    const conflict = { fault: { code: 'Conflict' } };
    await expect(process.put(party, { name: 'Again' })).rejects.toMatchObject(conflict);
    await expect(process.put(keyIn('farm', 'new'))).rejects.toMatchObject(conflict);
    await expect(process.put(keyIn('field', 'new'))).rejects.toMatchObject(conflict);
    await expect(process.remove(party)).rejects.toMatchObject({ fault: { status: 404 } });
  });

  test('leaves no child of writers that had read the parents before', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 1, fieldsOfFarm: 0 });
    // Each has checked what it writes below, and writes at the last moment.
    const late = world.process();
    const insert = late.land.insert.bind(late.land);
    late.land.insert = async (key, land) => {
      await sleep(world, 10_000);
      return insert(key, land);
    };
    await process.startCascade('job', party);
    const slow = [late.put(keyIn('farm', 'late')), late.put(keyIn('field', 'late'), { farmId: 'farm-0' })];
    for (let half = 0; half < 200 && (await world.openWork()).length > 0; half += 1) {
      await world.clock.advance(500);
      const next = process.kernel.sent.find(({ dueAt }) => dueAt <= world.now());
      if (next !== undefined) await process.kernel.handle(process.kernel.takeNext()!, process.kinds.get(next.kind)!);
    }
    await Promise.allSettled(slow);
    expect(await world.stored()).toEqual(nothing);
  });

  test.each(['party', 'farm', 'field'] as const)(
    'of a %s killed at any write ends as if it had not been',
    async (kind) => {
      const writes = await run(kind, new Mortal(Infinity, false));
      expect(writes).toBeGreaterThan(8);
      for (let diesAt = 1; diesAt <= writes; diesAt += 1) {
        for (const takesEffect of [false, true]) await run(kind, new Mortal(diesAt, takesEffect));
      }
    },
  );
});

const sleep = (world: FarmWorld, milliseconds: number): Promise<void> => world.clock.sleep(milliseconds);

/** A cascade by a process that may be killed, brought to its end by another; returns how often the former wrote. */
async function run(kind: 'party' | 'farm' | 'field', mortal: Mortal): Promise<number> {
  const world = new FarmWorld();
  const before = world.process();
  await aParty(before, { farms: 1, fieldsOfFarm: 2 });
  const target = { party, farm: keyIn('farm', 'farm-0'), field: keyIn('field', 'field-0-0') }[kind];
  const process = world.process(mortal);
  await process.startCascade('job', target).catch(() => undefined);
  await world.work(process);
  const { writes } = mortal;
  world.clock.jump(LEASE_MS);
  // A caller without an answer asks again.
  const after = world.process();
  await after.startCascade('job', target).catch(() => undefined);
  await world.work(after);
  const { status } = await after.getCascade(target, 'job');
  expect(status).toBe('Succeeded');
  const left = { party: [0, 0, 0, 0, 0], farm: [1, 0, 0, 0, 0], field: [1, 1, 1, 3, 1] }[kind];
  expect(Object.values(await world.stored()).map((keys) => keys.length)).toEqual(left);
  return writes;
}

describe('a single deletion', () => {
  test('leaves nothing that slipped in below the resource before its mark', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 1, fieldsOfFarm: 0 });
    const mark = process.land.mark.bind(process.land);
    process.land.mark = async (...given) => {
      await world.process().put(keyIn('field', 'slipped'), { farmId: 'farm-0' });
      return mark(...given);
    };
    await process.remove(keyIn('farm', 'farm-0'));
    await world.work();
    expect(await world.stored()).toEqual({ ...nothing, parties: [`${TENANT} party`] });
  });

  test('that died before its mark deletes nothing', async () => {
    const world = new FarmWorld();
    await aParty(world.process(), { farms: 1, fieldsOfFarm: 0 });
    // The first write asks for the work.
    const process = world.process(new Mortal(2, false));
    await expect(process.remove(keyIn('farm', 'farm-0'))).rejects.toThrow();
    await world.work();
    expect((await world.stored()).farms).toHaveLength(1);
    await expect(world.process().put(keyIn('farm', 'farm-0'), { name: 'Still there' })).resolves.toBeDefined();
  });

  test('frees the id once it is swept up', async () => {
    const world = new FarmWorld();
    const process = world.process();
    await aParty(process, { farms: 0 });
    await process.remove(party);
    await world.work();
    expect((await process.put(party)).isNew).toBe(true);
  });
});
