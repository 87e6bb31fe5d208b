/** What the sweep does for slots that nobody uses and items whose slot nobody has told them of. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sweepLanes } from '../../../shared/work/upkeep/sweepLanes.js';
import { inLane, LOST_MESSAGE_MS, newItem, type WorkItem } from '../../../shared/work/item/workItem.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const lane = 'jobs|gdd|tenant-a';
const key = { kind: 'gdd', id: 'tenant-a|first' };
const next = { kind: 'gdd', id: 'tenant-a|next' };

let clock: ManualClock;
let work: WorkInMemory;
/** How far the queue has come; as far as the clock when undefined. */
let headDueAt: number | undefined;
let asked: number;
beforeEach(() => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
  work.slotsOf = () => 1;
  [headDueAt, asked] = [undefined, 0];
  work.queue.servedUntil = (now) => {
    asked += 1;
    return Promise.resolve(Math.min(now, headDueAt ?? now));
  };
});

const now = () => clock.now().getTime();
const sweep = () => sweepLanes(work)();
const told = () => work.sent.map(({ id }) => id);
const holders = async () => (await work.laneStore.read(lane, 9)).state.holders;

/** One item has the only slot, and another asks. @param changes of the item; without them it is not there */
async function aHolder(changes?: Partial<WorkItem>): Promise<void> {
  if (changes !== undefined) await work.store.insert({ ...newItem(key, now()), ...changes });
  await work.takeSlot(lane, { ...key, askedAt: now() });
  await work.takeSlot(lane, { ...next, askedAt: now() + 1 });
}
const aParked = (): Partial<WorkItem> => inLane(newItem(key, now()), { lane, askedAt: now() });
const atWork = (): Partial<WorkItem> => ({ claim: 'x', notBefore: now() + 3_600_000 });

describe('a slot', () => {
  test('of work that is done, or was never there, is given on', async () => {
    await aHolder();
    clock.jump(LOST_MESSAGE_MS);
    await expect(sweep()).resolves.toEqual({ lanes: 1, left: 1 });
    expect(await holders()).toMatchObject([next]);
    expect(told()).toEqual([next.id]);
  });

  test('is looked at only when a message would be late, and the queue has come as far', async () => {
    await aHolder();
    const checkAt = now() + LOST_MESSAGE_MS;
    clock.jump(LOST_MESSAGE_MS - 1);
    await expect(sweep()).resolves.toEqual({ lanes: 1, left: 0 });
    clock.jump(LOST_MESSAGE_MS);
    headDueAt = checkAt - 1;
    await expect(sweep()).resolves.toEqual({ lanes: 1, left: 0 });
    headDueAt = checkAt;
    await expect(sweep()).resolves.toEqual({ lanes: 1, left: 1 });
  });

  test('of an item at work is left to it, and looked at again ten minutes later', async () => {
    await aHolder(atWork());
    clock.jump(LOST_MESSAGE_MS);
    await expect(sweep()).resolves.toEqual({ lanes: 1, left: 0 });
    expect(await holders()).toMatchObject([{ ...key, checkAt: now() + 5 * LOST_MESSAGE_MS }]);
    expect(told()).toEqual([]);
  });

  test.each([
    { why: 'of one that asks for it later only is given on', in: 60 * 60_000, changes: {}, left: 1 },
    { why: 'of one that is at work until then is not', in: 60 * 60_000, changes: { claim: 'x' }, left: 0 },
    { why: 'of one whose time to ask has come is not', in: 0, changes: {}, left: 0 },
  ])('$why', async ({ in: inMs, changes, left }) => {
    const askedAt = now() + inMs;
    await aHolder({ lanes: [lane], parked: { lane, askedAt }, notBefore: askedAt, checkAt: askedAt, ...changes });
    clock.jump(LOST_MESSAGE_MS);
    await expect(sweep()).resolves.toEqual({ lanes: 1, left });
  });
});

describe('an item that has got its slot', () => {
  test('and whose message is lost gets another, once for all who sweep at once', async () => {
    await aHolder(aParked());
    clock.jump(LOST_MESSAGE_MS);
    await Promise.all([sweep(), sweep(), sweep()]);
    expect(told()).toEqual([key.id]);
    expect(await holders()).toMatchObject([key]);
  });

  test('and whose message the queue has not come to yet gets no other', async () => {
    await aHolder(aParked());
    clock.jump(2 * LOST_MESSAGE_MS);
    headDueAt = now() - LOST_MESSAGE_MS - 1;
    await sweep();
    expect(told()).toEqual([]);
    headDueAt = undefined;
    await sweep();
    expect(told()).toEqual([key.id]);
  });

  test('and waits for something with it is left alone: it has its own message', async () => {
    await aHolder({ lanes: [lane], notBefore: now() + 60_000, checkAt: now() + 60_000 + LOST_MESSAGE_MS });
    clock.jump(LOST_MESSAGE_MS);
    await expect(sweep()).resolves.toEqual({ lanes: 1, left: 0 });
    expect(told()).toEqual([]);
  });
});

describe('many lanes', () => {
  const other = { kind: 'gdd', id: 'tenant-b|first' };
  beforeEach(async () => {
    await aHolder();
    await work.takeSlot('jobs|gdd|tenant-b', { ...other, askedAt: now() });
    clock.jump(LOST_MESSAGE_MS);
  });

  test('are looked at though one makes trouble', async () => {
    const { lanes } = work;
    const fill: typeof lanes.fill = (name, change) =>
      name === lane ? Promise.reject(new Error('away')) : lanes.fill(name, change);
    await expect(sweepLanes({ ...workPorts(), lanes: { ...lanes, fill } })()).resolves.toEqual({ lanes: 2, left: 1 });
    expect(work.logged).toMatchObject([{ event: 'Lane:SweepFailed', facts: { lane: 'jobs|gdd', owner: 'tenant-a' } }]);
  });

  test('share one question to the queue how far it has come', async () => {
    await expect(sweep()).resolves.toEqual({ lanes: 2, left: 2 });
    expect(asked).toBe(1);
  });
});

const workPorts = () => {
  const { store, queues, laneStore, log } = work;
  return { store, queues, laneStore, clock, log };
};
