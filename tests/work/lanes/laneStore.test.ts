import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { advanced, jobsLaneOf, nameOf, type LaneState, type Ticket } from '../../../shared/work/lanes/lane.js';
import { LaneStore } from '../../../shared/work/lanes/laneStore.js';
import { MemoryRows } from '../../support/memoryRows.js';

const START = Date.parse('2026-06-15T12:00:00Z');

describe('the lane store', () => {
  const store = new LaneStore(new MemoryRows());
  const newLane = (): string => jobsLaneOf({ kind: 'gdd', id: `${randomUUID()}|spring-corn` });
  const ticket = (job: string, askedAt = START): Ticket => ({ kind: 'gdd', id: `tenant-a|${job}`, askedAt });

  /** Gives what is free, once. */
  async function given(lane: string, slots: number, gone: readonly Ticket[] = []): Promise<boolean> {
    const reading = await store.read(lane, 50);
    const change = { slots, checkAt: START + 1, gone: new Set(gone.map(nameOf)) };
    return store.advance(lane, reading, advanced(reading.state, reading.tickets, change));
  }
  const stateOf = async (lane: string): Promise<LaneState> => (await store.read(lane, 50)).state;
  const holdersOf = async (lane: string): Promise<readonly string[]> =>
    (await stateOf(lane)).holders.map(({ id }) => id.slice('tenant-a|'.length));

  test('knows nobody in a lane that nobody has asked for', async () => {
    expect(await store.read(newLane(), 5)).toEqual({
      state: { holders: [], turn: 0, turns: {} },
      etag: undefined,
      tickets: [],
    });
  });

  test('reads so many tickets in the order of asking, one for a ticket that was left twice', async () => {
    const lane = newLane();
    for (const second of [3, 1, 2, 1, 4]) await store.ask(lane, ticket(`job-${second}`, START + second * 1_000));
    const { tickets } = await store.read(lane, 3);
    expect(tickets.slice(0, 3)).toEqual([1, 2, 3].map((second) => ticket(`job-${second}`, START + second * 1_000)));
  });

  test('takes a ticket back, and a second time without a fault', async () => {
    const lane = newLane();
    await store.ask(lane, ticket('a'));
    await store.withdraw(lane, [ticket('a')]);
    expect((await store.read(lane, 5)).tickets).toEqual([]);
    await expect(store.withdraw(lane, [ticket('a')])).resolves.toBeUndefined();
  });

  test('gives no slot for a ticket that was taken back since the lane was read', async () => {
    const lane = newLane();
    await store.ask(lane, ticket('a'));
    const reading = await store.read(lane, 50);
    await store.withdraw(lane, [ticket('a')]);
    const change = { slots: 1, checkAt: START + 1, gone: new Set<string>() };
    expect(await store.advance(lane, reading, advanced(reading.state, reading.tickets, change))).toBe(false);
    expect(await holdersOf(lane)).toEqual([]);
  });

  test('gives a slot and takes its ticket off, and keeps a lane of its own for each', async () => {
    const [lane, other] = [newLane(), jobsLaneOf({ kind: 'gdd', id: 'tenant-b|x' })];
    for (const job of ['a', 'b', 'c']) await store.ask(lane, ticket(job, START));
    expect(await given(lane, 2)).toBe(true);
    expect(await holdersOf(lane)).toEqual(['a', 'b']);
    expect((await store.read(lane, 5)).tickets).toEqual([ticket('c')]);
    expect((await stateOf(other)).holders).toEqual([]);
  });

  test('gives the last slot to one of twenty who look at the same time', async () => {
    const lane = newLane();
    for (const job of ['a', 'b']) await store.ask(lane, ticket(job));
    const reading = await store.read(lane, 50);
    const change = { slots: 1, checkAt: START + 1, gone: new Set<string>() };
    const next = advanced(reading.state, reading.tickets, change);
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.advance(lane, reading, next)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await holdersOf(lane)).toEqual(['a']);
  });

  test('refuses a change by who has read the lane before another changed it', async () => {
    const lane = newLane();
    for (const job of ['a', 'b']) await store.ask(lane, ticket(job));
    await given(lane, 1);
    const old = await store.read(lane, 50);
    expect(await given(lane, 1, [ticket('a')])).toBe(true);
    const change = { slots: 5, checkAt: START + 1, gone: new Set([nameOf(ticket('a'))]) };
    expect(await store.advance(lane, old, advanced(old.state, old.tickets, change))).toBe(false);
    expect(await store.advance(lane, old, { state: { holders: [], turn: 9, turns: {} }, spent: [] })).toBe(false);
    expect(await holdersOf(lane)).toEqual(['b']);
  });

  test('lists the lanes in which somebody has a slot, and forgets one that the last has left', async () => {
    const lane = newLane();
    const isListed = async (): Promise<boolean> => (await store.list()).some((entry) => entry.lane === lane);
    await store.ask(lane, ticket('a'));
    expect(await isListed()).toBe(false);
    await given(lane, 1);
    expect(await isListed()).toBe(true);
    expect((await store.list()).find((entry) => entry.lane === lane)?.state).toEqual(await stateOf(lane));
    expect(await given(lane, 1, [ticket('a')])).toBe(true);
    expect(await isListed()).toBe(false);
    expect(await store.read(lane, 5)).toMatchObject({ etag: undefined, tickets: [] });
  });

  test('takes spent tickets off before the last who has a slot: whoever dies between leaves a lane that is listed', async () => {
    const rows = new MemoryRows();
    const dying = new LaneStore(rows);
    const lane = newLane();
    for (const job of ['a', 'gone']) await dying.ask(lane, ticket(job));
    const first = await dying.read(lane, 1);
    const none = new Set<string>();
    await dying.advance(lane, first, advanced(first.state, [ticket('a')], { slots: 1, checkAt: START, gone: none }));
    rows.delete = () => Promise.reject(new Error('the process died'));
    const reading = await dying.read(lane, 50);
    const gone = new Set(['a', 'gone'].map((job) => nameOf(ticket(job))));
    const next = advanced(reading.state, reading.tickets, { slots: 1, checkAt: START, gone });
    await expect(dying.advance(lane, reading, next)).rejects.toThrow('died');
    expect((await dying.read(lane, 50)).tickets).toEqual([]);
    expect(await dying.list()).toMatchObject([{ lane }]);
  });

  test('keeps a thousand slots', async () => {
    const lane = newLane();
    const holders = Array.from({ length: 1_000 }, (_, index) => ({
      kind: 'gdd',
      id: `tenant-a|${'long-name-'.repeat(10)}${index}`,
      checkAt: START,
    }));
    const reading = await store.read(lane, 5);
    expect(await store.advance(lane, reading, { state: { holders, turn: 1_000, turns: {} }, spent: [] })).toBe(true);
    expect((await stateOf(lane)).holders).toHaveLength(1_000);
  });
});
