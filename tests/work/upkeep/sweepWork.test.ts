import { beforeEach, describe, expect, test } from '@jest/globals';
import { workBelongings } from '../../../shared/work/item/workBelongings.js';
import { failureOf, type RetryPolicies } from '../../../shared/work/item/retry.js';
import { resendDeadLetter, sweepWork } from '../../../shared/work/upkeep/sweepWork.js';
import { inLane, newItem, type WorkOrder } from '../../../shared/work/item/workItem.js';
import type { WorkKind } from '../../../shared/work/item/workKind.js';
import { workPartitionOf } from '../../../shared/work/item/workStore.js';
import { countingAtOnce } from '../../support/atOnce.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const MINUTE_MS = 60_000;
const key = { kind: 'test', id: 'tenant-a|one' };
const pace = { initialMs: 15_000, coefficient: 4, maximumMs: 15 * MINUTE_MS };
const retry: RetryPolicies = { fault: pace, outage: pace, refusal: pace };

let clock: ManualClock;
let work: WorkInMemory;
beforeEach(() => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
});

const never: WorkKind = {
  ...{ kind: key.kind, leaseMs: MINUTE_MS },
  begin: () => {
    const hangs = () => new Promise<never>(() => undefined);
    return Promise.resolve({ retry, failureOf, run: hangs, giveUp: hangs });
  },
};
/** An attempt of a process that dies at once. */
async function die(): Promise<void> {
  void work.handle(key, never);
  await settle();
  clock = new ManualClock(clock.now().toISOString());
}
const nothing = { due: 0, sent: 0, late: 0, taken: 0, parked: 0, failed: 0, lanes: 0, left: 0 };
const take = (): string | undefined => work.messages.take();

describe('the sweep', () => {
  test('sends a lost message two minutes late, once for all who sweep at once, and again when that is lost too', async () => {
    await work.enqueuer.open(key);
    clock.jump(2 * MINUTE_MS - 1);
    await expect(work.sweep()).resolves.toEqual(nothing);
    clock.jump(1);
    const counts = await Promise.all([work.sweep(), work.sweep(), work.sweep()]);
    expect(counts.reduce((sum, { sent }) => sum + sent, 0)).toBe(1);
    expect(work.sent).toMatchObject([key]);
    take();
    await expect(work.sweep()).resolves.toMatchObject({ sent: 0 });
    clock.jump(2 * MINUTE_MS);
    await expect(work.sweep()).resolves.toMatchObject({ sent: 1 });
  });

  test('leaves a message alone that is late and not lost: the queue has not come as far', async () => {
    const older = { kind: key.kind, id: 'tenant-a|older' };
    for (const one of [older, key]) {
      await work.enqueuer.ask(one);
      clock.jump(1_000);
    }
    clock.jump(60 * MINUTE_MS);
    // The older message waits at the head, and so the one behind it does.
    await expect(work.sweep()).resolves.toMatchObject({ sent: 0, late: 2 });
    while (take() !== undefined);
    await expect(work.sweep()).resolves.toMatchObject({ sent: 2 });
  });

  test('sends the message of an attempt that died when its lease is over, however long the queue is', async () => {
    await work.enqueuer.ask(key);
    take();
    await work.enqueuer.ask({ kind: key.kind, id: 'tenant-a|waits in the queue' });
    clock.jump(1);
    await die();
    clock.jump(MINUTE_MS - 1);
    await expect(work.sweep()).resolves.toMatchObject({ sent: 0 });
    clock.jump(1);
    await expect(work.sweep()).resolves.toMatchObject({ sent: 1 });
    // That message is in the queue now, behind the other.
    clock.jump(2 * MINUTE_MS);
    await expect(work.sweep()).resolves.toMatchObject({ late: 2 });
  });

  test('leaves alone what an attempt holds', async () => {
    await work.enqueuer.open(key);
    void work.handle(key, never);
    await settle();
    await clock.advance(10 * MINUTE_MS);
    await expect(work.sweep()).resolves.toEqual(nothing);
  });

  test('looks at several at a time: thousands one after the other would outlast its minute', async () => {
    for (let number = 0; number < 50; number += 1)
      await work.enqueuer.open({ kind: key.kind, id: `tenant-a|${number}` });
    clock.jump(2 * MINUTE_MS);
    const { run, most } = countingAtOnce(undefined);
    work.rows.update = run;
    await work.sweep();
    expect(most()).toBe(8);
  });

  test('asks as much of storage for a thousand items that are not due as for none', async () => {
    let asked = 0;
    const listDue = work.store.listDue.bind(work.store);
    work.store.listDue = (...query) => {
      asked += 1;
      return listDue(...query);
    };
    await work.sweep();
    expect(asked).toBe(8);
    for (let number = 0; number < 1_000; number += 1)
      await work.enqueuer.open({ kind: key.kind, id: `tenant-a|${number}` });
    await work.sweep();
    expect(asked).toBe(16);
  });
});

describe('an item that stands in a lane', () => {
  const lane = 'jobs|test|tenant-a';
  const ahead = { kind: key.kind, id: 'tenant-a|ahead' };
  const tickets = () => work.waitingTickets();
  beforeEach(async () => {
    work.slotsOf = () => 1;
    const now = clock.now().getTime();
    await work.store.insert(inLane(newItem(key, now), { lane, askedAt: now }));
    clock.jump(2 * MINUTE_MS - 1);
    // At work until then: its slot is not free.
    await work.takeSlot(lane, { ...ahead, askedAt: now - 1 });
  });

  test('gets no message; its ticket is left again, and the next look is an hour later', async () => {
    await expect(work.sweep()).resolves.toMatchObject({ parked: 0 });
    clock.jump(1);
    await expect(work.sweep()).resolves.toMatchObject({ parked: 1, due: 0, sent: 0 });
    expect([work.sent, await tickets()]).toEqual([[], 1]);
    expect((await work.find(key))?.checkAt).toBe(clock.now().getTime() + 60 * MINUTE_MS);
    clock.jump(60 * MINUTE_MS - 1);
    await expect(sweepWork(work)()).resolves.toMatchObject({ parked: 0 });
    clock.jump(1);
    await expect(sweepWork(work)()).resolves.toMatchObject({ parked: 1 });
    expect(await tickets()).toBe(1);
  });

  test('and whose ticket was lost gets its slot and its message when it is its turn', async () => {
    clock.jump(1);
    await work.sweep();
    await work.lanes.leave(lane, ahead);
    expect(work.sent).toMatchObject([key]);
  });

  test('is looked at by one of several who sweep at once', async () => {
    clock.jump(1);
    const counts = await Promise.all([sweepWork(work)(), sweepWork(work)(), sweepWork(work)()]);
    expect(counts.map(({ parked, taken }) => parked + 10 * taken).sort()).toEqual([1, 10, 10]);
  });

  test('and holds the slot, its message lost, leaves no second ticket', async () => {
    await work.lanes.leave(lane, ahead);
    await work.takeSlot(lane, { ...key, askedAt: clock.now().getTime() });
    clock.jump(1);
    await expect(sweepWork(work)()).resolves.toMatchObject({ parked: 1 });
    await settle();
    expect(await tickets()).toBe(0);
  });
});

describe('the queue of a kind', () => {
  test('is asked once how far it has come, however many messages are late', async () => {
    for (const id of ['a', 'b', 'c']) await work.enqueuer.open({ kind: key.kind, id: `tenant-a|${id}` });
    let asked = 0;
    const servedUntil = work.queue.servedUntil.bind(work.queue);
    work.queue.servedUntil = (now) => {
      asked += 1;
      return servedUntil(now);
    };
    clock.jump(2 * MINUTE_MS);
    await expect(sweepWork(work)()).resolves.toMatchObject({ sent: 3 });
    expect(asked).toBe(1);
  });
});

describe('work of a kind that only a newer version knows', () => {
  test('holds up no other, and is left to that version', async () => {
    await work.enqueuer.open({ kind: 'newer', id: 'tenant-a|a' });
    await work.enqueuer.open(key);
    const queue = work.queue;
    const queues = ({ kind }: WorkOrder) => {
      if (kind === 'newer') throw new Error('No queue is named for work of the kind newer.');
      return queue;
    };
    clock.jump(2 * MINUTE_MS);
    const before = await work.find({ kind: 'newer', id: 'tenant-a|a' });
    const ports = { store: work.store, queues, lanes: work.lanes, clock, log: work.log };
    await expect(sweepWork(ports)()).resolves.toMatchObject({ sent: 1, failed: 1 });
    await expect(resendDeadLetter(ports)({ kind: 'newer', id: 'tenant-a|a' })).resolves.toBeUndefined();
    expect(await work.find({ kind: 'newer', id: 'tenant-a|a' })).toEqual(before);
    expect(work.events).toEqual(['Work:NotResent', 'Work:NotResent']);
  });
});

describe('a partition that can not be read', () => {
  const other = { kind: key.kind, id: 'tenant-b|one' };

  test('holds up no other, and the sweep says that it failed; the next one finds what it has', async () => {
    expect(workPartitionOf(other.id)).not.toBe(workPartitionOf(key.id));
    for (const one of [key, other]) await work.enqueuer.open(one);
    const listDue = work.store.listDue.bind(work.store);
    work.store.listDue = (partition, now) =>
      partition === workPartitionOf(key.id) ? Promise.reject(new Error('partition away')) : listDue(partition, now);
    clock.jump(2 * MINUTE_MS);
    await expect(sweepWork(work)()).rejects.toThrow('partition away');
    expect(work.sent).toMatchObject([other]);
    work.store.listDue = listDue;
    await expect(sweepWork(work)()).resolves.toMatchObject({ sent: 1 });
    expect(work.sent).toMatchObject([other, key]);
  });
});

describe('a dead letter', () => {
  test('is sent again, unless an attempt is at work or its work is done', async () => {
    await work.enqueuer.open(key);
    await work.resendDeadLetter(key);
    expect(work.sent).toMatchObject([key]);
    await die();
    await work.resendDeadLetter(key);
    expect(work.sent).toHaveLength(1);
    await work.resendDeadLetter({ kind: key.kind, id: 'tenant-a|done' });
    expect(work.sent).toHaveLength(1);
  });
});

describe('the work of a customer', () => {
  test('goes with the customer, and no other whose name begins alike', async () => {
    const ids = ['contoso|a', 'contoso|b', 'contoso-2|a'];
    for (const id of ids) await work.enqueuer.open({ kind: 'ingest', id });
    await work.enqueuer.open({ kind: 'other', id: 'contoso|a' });
    const belongings = workBelongings('ingests', work.rows, 'ingest');
    await expect(belongings.count('contoso')).resolves.toBe(2);
    await expect(belongings.removeAll('contoso')).resolves.toBe(2);
    await expect(belongings.count('contoso')).resolves.toBe(0);
    await expect(belongings.count('contoso-2')).resolves.toBe(1);
    await expect(work.find({ kind: 'other', id: 'contoso|a' })).resolves.toBeDefined();
  });
});
