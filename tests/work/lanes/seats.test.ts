import { beforeEach, describe, expect, test } from '@jest/globals';
import { failureOf, type RetryPolicies } from '../../../shared/work/item/retry.js';
import { Seats } from '../../../shared/work/lanes/seats.js';
import { newItem, type WorkItem, type WorkKey } from '../../../shared/work/item/workItem.js';
import { done, type WorkKind } from '../../../shared/work/item/workKind.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const anItem = (owner: string, lanes: readonly string[] = []): WorkItem => ({
  ...newItem({ kind: 'test', id: `${owner}|one` }, 0),
  lanes,
});
const slow = (owner: string): WorkItem => anItem(owner, ['slow|webhooks']);

describe('the seats of a process', () => {
  const a = anItem('a');
  const b = anItem('b');
  const cases: readonly (readonly [what: string, taken: readonly WorkItem[], next: WorkItem, isSeated: boolean])[] = [
    ['two of one owner', [a], a, true],
    ['no third of one owner', [a, a], a, false],
    ['another owner beside two of one', [a, a], b, true],
    ['each owner, however many there are', [a, b, anItem('c'), anItem('d')], anItem('e'), true],
    ['no second of an owner beside others', [a, b, anItem('c')], b, false],
    ['two of the slow', [slow('a')], slow('b'), true],
    ['no third of the slow, whoever they are', [slow('a'), slow('b')], slow('c'), false],
    ['one of the slow, whoever is there', [a, b, anItem('c')], slow('d'), true],
    ['somebody quick beside two of the slow', [slow('a'), slow('b')], anItem('c'), true],
    ['nobody who has two of the slow', [slow('a'), slow('a')], a, false],
    ['whoever stands in the lane of a tenant as quick', [slow('b'), a, anItem('c')], anItem('d', ['farm|d']), true],
  ];
  test.each(cases)('take %s', (_what, taken, next, isSeated) => {
    const seats = new Seats();
    for (const item of taken) expect(seats.take(item)).toBeDefined();
    expect(seats.take(next) !== undefined).toBe(isSeated);
  });

  test('are free when they were given back', () => {
    const seats = new Seats();
    const leave = seats.take(a);
    seats.take(a);
    expect(seats.take(a)).toBeUndefined();
    leave!();
    expect(seats.take(a)).toBeDefined();
  });
});

describe('work that takes a seat', () => {
  const keys = ['one', 'two', 'three'].map((name): WorkKey => ({ kind: 'test', id: `tenant-a|${name}` }));
  const pace = { initialMs: 15_000, coefficient: 4, maximumMs: 900_000 };
  const retry: RetryPolicies = { fault: pace, outage: pace, refusal: pace };
  let work: WorkInMemory;
  let ends: (() => void)[];
  let kind: WorkKind;
  beforeEach(() => {
    const clock = new ManualClock();
    work = new WorkInMemory(() => clock);
    ends = [];
    const run = async () => {
      await new Promise<void>((resolve) => ends.push(resolve));
      return done;
    };
    const step = { retry, failureOf, run, giveUp: () => Promise.resolve(done) };
    kind = { kind: 'test', leaseMs: 60_000, seats: new Seats(), begin: () => Promise.resolve(step) };
  });

  test('comes again a second later when it finds none, and that is no attempt', async () => {
    for (const key of keys) await work.enqueuer.ask(key);
    work.messages.sent.splice(0);
    const running = keys.map((key) => work.handle(key, kind));
    await settle();
    expect([ends.length, work.sent]).toMatchObject([2, [{ ...keys[2], dueAt: work.clock.now().getTime() + 1_000 }]]);
    expect(await work.find(keys[2]!)).toMatchObject({ attempts: 0 });
    ends[0]!();
    await running[0];
    const again = work.handle(keys[2]!, kind);
    await settle();
    expect(ends).toHaveLength(3);
    for (const end of ends) end();
    await Promise.all([...running, again]);
    expect(await work.find(keys[2]!)).toBeUndefined();
  });

  test('gives it back when its attempt fails', async () => {
    const step = {
      retry,
      failureOf,
      run: () => Promise.reject(new Error('broken')),
      giveUp: () => Promise.resolve(done),
    };
    const breaking = { ...kind, begin: () => Promise.resolve(step) };
    for (const key of keys) {
      await work.enqueuer.ask(key);
      await work.handle(key, breaking);
      expect(await work.find(key)).toMatchObject({ attempts: 1 });
    }
  });
});
