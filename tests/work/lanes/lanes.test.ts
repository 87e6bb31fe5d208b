/** The lanes as items meet them: who asks, who gets a slot and a message, who hands it on. */
import { describe, expect, test } from '@jest/globals';
import { jobsLaneOf, nameOf, SLOW_LANE, type Ticket } from '../../../shared/work/lanes/lane.js';
import { lanesOf } from '../../../shared/work/lanes/lanes.js';
import { newItem, type WorkItem, type WorkKey } from '../../../shared/work/item/workItem.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const START = new ManualClock().now().getTime();
const keyOf = (job: string, tenant = 'tenant-a'): WorkKey => ({ kind: 'gdd', id: `${tenant}|${job}` });
const jobs = jobsLaneOf(keyOf('any'));
const ticketOf = (job: string, askedAt = START): Ticket => ({ ...keyOf(job), askedAt });
const anItem = (job: string, changes: Partial<WorkItem> = {}): WorkItem => ({
  ...newItem(keyOf(job), START),
  ...changes,
});
const jobsOf = (keys: readonly WorkKey[]): readonly string[] => keys.map(({ id }) => id.slice('tenant-a|'.length));

/** @param slots of each lane */
function aService(slots: number) {
  const clock = new ManualClock();
  const kernel = new WorkInMemory(() => clock);
  kernel.slotsOf = () => slots;
  const { laneStore, queues, log, logged } = kernel;
  /** Each process has a memory of its own. */
  const aProcess = () => lanesOf({ laneStore, queues, clock, log, slotsOf: () => Promise.resolve(slots) });
  const storage = { isAway: false };
  const read = laneStore.read.bind(laneStore);
  laneStore.read = (...query) => (storage.isAway ? Promise.reject(new Error('storage is away')) : read(...query));
  const holders = async (lane: string) => jobsOf((await laneStore.read(lane, 99)).state.holders);
  const told = () => jobsOf(kernel.sent);
  const waiting = () => kernel.waitingTickets();
  const take = (lane: string, ticket: Ticket) => kernel.takeSlot(lane, ticket);
  return { clock, laneStore, storage, logged, aProcess, lanes: kernel.lanes, holders, told, waiting, take };
}

describe('new jobs of a tenant that may have ten at work', () => {
  test('pass without standing in the lane while there are five in ten seconds', async () => {
    const { lanes, clock } = aService(10);
    const inLane: (string | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) inLane.push(await lanes.laneOfNew(keyOf(`job-${n}`)));
    expect(inLane).toEqual([...Array<undefined>(5).fill(undefined), jobs]);
    expect(await lanes.laneOfNew(keyOf('other', 'tenant-b'))).toBeUndefined();
    clock.jump(10_000);
    expect(await lanes.laneOfNew(keyOf('later'))).toBeUndefined();
  });

  test('that stand in the lane get their message when it is their turn, in the order of asking', async () => {
    const { lanes, told, clock } = aService(2);
    for (const [at, job] of ['a', 'b', 'c'].entries()) await lanes.wait(jobs, ticketOf(job, START + at));
    await settle();
    await clock.advance(1_000);
    expect(told()).toEqual(['a', 'b']);
    await lanes.leave(jobs, keyOf('a'));
    expect(told()).toEqual(['a', 'b', 'c']);
  });

  test('that come one behind the other while slots are free wait for 200 ms at most', async () => {
    const { lanes, told, clock } = aService(4);
    for (const [at, job] of ['a', 'b', 'c'].entries()) {
      await lanes.wait(jobs, ticketOf(job, START + at));
      await clock.advance(200);
    }
    expect(told()).toEqual(['a', 'b', 'c']);
  });

  test('share a look at the lane: of a hundred within its pause there are two', async () => {
    const service = aService(1);
    let reads = 0;
    const read = service.laneStore.read.bind(service.laneStore);
    service.laneStore.read = (lane, most) => {
      reads += 1;
      return read(lane, most);
    };
    for (let n = 0; n < 100; n += 1) await service.lanes.wait(jobs, ticketOf(`job-${n}`, START + n));
    await service.clock.advance(5_000);
    expect(reads).toBe(2);
  });
});

describe('a job that has ended', () => {
  const inLane = (job: string): WorkItem => anItem(job, { lanes: [jobs], parked: { lane: jobs, askedAt: START } });

  test('takes its ticket back, and whoever has the slot keeps it', async () => {
    const { lanes, waiting, holders, clock, take } = aService(1);
    await take(jobs, ticketOf('a', START - 1));
    await take(jobs, ticketOf('b'));
    lanes.leaveAll(inLane('b'));
    await clock.advance(1_000);
    expect(await waiting()).toBe(0);
    expect(await holders(jobs)).toEqual(['a']);
  });

  test('takes its ticket back however many stand before it: a look reads those in front alone', async () => {
    const { lanes, laneStore, waiting, clock, take } = aService(1);
    for (let n = 0; n < 30; n += 1) await laneStore.ask(jobs, ticketOf(`job-${n}`, START - 30 + n));
    await take(jobs, ticketOf('last'));
    expect(await waiting()).toBe(30);
    lanes.leaveAll(inLane('last'));
    await clock.advance(1_000);
    expect(await waiting()).toBe(29);
  });

  test('hands on the slot that it gets while its ticket is taken back from behind many', async () => {
    const { lanes, laneStore, aProcess, holders, clock, take } = aService(1);
    const front = Array.from({ length: 30 }, (_, n) => ticketOf(`job-${n}`, START - 30 + n));
    for (const ticket of front) await laneStore.ask(jobs, ticket);
    await take(jobs, ticketOf('last'));
    const withdraw = laneStore.withdraw.bind(laneStore);
    laneStore.withdraw = async (lane, tickets) => {
      for (const { kind, id } of front) await aProcess().leave(jobs, { kind, id });
      await withdraw(lane, tickets);
    };
    lanes.leaveAll(inLane('last'));
    await clock.advance(1_000);
    expect(await holders(jobs)).toEqual([]);
  });

  test('asks storage for nothing but the look that all share which leave within its pause', async () => {
    const { lanes, laneStore, holders, clock } = aService(1);
    for (let n = 0; n < 12; n += 1) await laneStore.ask(jobs, ticketOf(`job-${n}`, START));
    const asked: string[] = [];
    const [read, advance] = [laneStore.read.bind(laneStore), laneStore.advance.bind(laneStore)];
    laneStore.read = (...query) => {
      asked.push('read');
      return read(...query);
    };
    laneStore.advance = (...change) => {
      asked.push('advance');
      return advance(...change);
    };
    laneStore.withdraw = () => Promise.reject(new Error('No ticket stands behind those that a look reads.'));
    for (let n = 0; n < 12; n += 1) lanes.leaveAll(inLane(`job-${n}`));
    await settle();
    await clock.advance(1_000);
    expect(asked).toEqual(['read', 'advance', 'read', 'advance']);
    expect(await holders(jobs)).toEqual([]);
  });

  test('leaves no ticket, however many leave at once: a transaction takes a hundred', async () => {
    const { lanes, laneStore, holders, waiting, clock, take } = aService(200);
    const ids = Array.from({ length: 250 }, (_, n) => `job-${n}`);
    await take(jobs, ticketOf('stays'));
    for (const id of ids) await laneStore.ask(jobs, ticketOf(id));
    for (const id of ids) lanes.leaveAll(inLane(id));
    await settle();
    await clock.advance(5_000);
    expect([await waiting(), await holders(jobs)]).toEqual([0, ['stays']]);
  });

  test('hands its slot on in every lane it stood in', async () => {
    const { lanes, holders, told, clock, take } = aService(1);
    for (const lane of [jobs, SLOW_LANE]) {
      await take(lane, ticketOf('a'));
      await take(lane, ticketOf('b', START + 1));
    }
    lanes.leaveAll(anItem('a', { lanes: [jobs, SLOW_LANE] }));
    await clock.advance(1_000);
    expect([await holders(jobs), await holders(SLOW_LANE)]).toEqual([['b'], ['b']]);
    expect(told()).toEqual(['b', 'b']);
  });

  test('whose ticket has become a slot meanwhile hands the slot on', async () => {
    const { lanes, holders, clock, take } = aService(1);
    await take(jobs, ticketOf('a'));
    lanes.leaveAll(inLane('a'));
    await clock.advance(1_000);
    expect(await holders(jobs)).toEqual([]);
  });

  test('that stood in no lane leaves none', async () => {
    const { lanes, clock, logged, storage } = aService(1);
    storage.isAway = true;
    lanes.leaveAll(anItem('a'));
    await clock.advance(1_000);
    expect(logged).toEqual([]);
  });

  test('leaves with the next who does when storage was away', async () => {
    const { lanes, holders, clock, storage, logged, take } = aService(2);
    for (const job of ['a', 'b', 'c', 'd']) await take(jobs, ticketOf(job));
    storage.isAway = true;
    lanes.leaveAll(anItem('a', { lanes: [jobs] }));
    await clock.advance(1_000);
    expect(logged).toEqual([
      {
        event: 'Lane:NotFilled',
        facts: { lane: 'jobs|gdd', owner: 'tenant-a', cause: expect.stringContaining('away') },
      },
    ]);
    storage.isAway = false;
    lanes.leaveAll(anItem('b', { lanes: [jobs] }));
    await clock.advance(1_000);
    expect(await holders(jobs)).toEqual(['c', 'd']);
  });
});

describe('free slots', () => {
  test('are given once, however many processes look at the same time', async () => {
    const { aProcess, holders, told, take } = aService(3);
    for (let n = 0; n < 3; n += 1) await take(jobs, ticketOf(`old-${n}`, START));
    for (let n = 0; n < 9; n += 1) await take(jobs, ticketOf(`new-${n}`, START + 1 + n));
    const gone = new Set(['old-0', 'old-1', 'old-2'].map((job) => nameOf(keyOf(job))));
    await Promise.all(Array.from({ length: 6 }, () => aProcess().fill(jobs, { gone })));
    expect(await holders(jobs)).toEqual(['new-0', 'new-1', 'new-2']);
    expect(told()).toEqual(['new-0', 'new-1', 'new-2']);
  });

  test('are given ninety at a time: the transaction takes no more', async () => {
    const { lanes, laneStore, holders, told } = aService(200);
    for (let n = 0; n < 150; n += 1) await laneStore.ask(jobs, ticketOf(`job-${n}`, START + n));
    await lanes.fill(jobs);
    expect(await holders(jobs)).toHaveLength(90);
    await lanes.fill(jobs);
    expect(await holders(jobs)).toHaveLength(150);
    expect(new Set(told()).size).toBe(150);
  });

  test('go to those behind tickets of jobs that have a slot already', async () => {
    const { lanes, laneStore, holders, take } = aService(10);
    for (let n = 0; n < 9; n += 1) await take(jobs, ticketOf(`job-${n}`, START));
    for (let n = 0; n < 9; n += 1) await laneStore.ask(jobs, ticketOf(`job-${n}`, START + 1));
    await laneStore.ask(jobs, ticketOf('last', START + 2));
    await lanes.fill(jobs);
    expect(await holders(jobs)).toContain('last');
  });

  test('change nothing in storage when there is nobody to give them to', async () => {
    const { lanes, laneStore, take } = aService(2);
    await take(jobs, ticketOf('a'));
    const { etag } = await laneStore.read(jobs, 9);
    await lanes.fill(jobs);
    expect((await laneStore.read(jobs, 9)).etag).toBe(etag);
  });

  test('are looked at again two minutes after they were given', async () => {
    const { lanes, laneStore, take } = aService(2);
    await take(jobs, ticketOf('a'));
    const [holder] = (await laneStore.read(jobs, 9)).state.holders;
    expect(holder?.checkAt).toBe(START + 120_000);
    const checks = new Map([[nameOf(keyOf('a')), START + 700_000]]);
    await lanes.fill(jobs, { checks });
    expect((await laneStore.read(jobs, 9)).state.holders[0]?.checkAt).toBe(START + 700_000);
  });
});

describe('an item', () => {
  test('that comes back keeps its new ticket, though storage was away when it left', async () => {
    const { lanes, holders, clock, storage, told, take } = aService(1);
    await take(jobs, ticketOf('a'));
    storage.isAway = true;
    lanes.leaveAll(anItem('a', { lanes: [jobs] }));
    await clock.advance(1_000);
    storage.isAway = false;
    await lanes.leave(jobs, keyOf('a')); // The sweep gives the slot on.
    await lanes.wait(jobs, ticketOf('a', START + 240_000));
    await clock.advance(2_000);
    expect([await holders(jobs), told()]).toEqual([['a'], ['a']]);
  });
});
