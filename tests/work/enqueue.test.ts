/** How work comes up: what an ask costs, and what becomes of what was asked. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../shared/kit/json/json.js';
import { MessageQueue } from '../../shared/storage/messageQueue.js';
import { enqueuer } from '../../shared/work/enqueue.js';
import { backfillsLaneOf } from '../../shared/work/lanes/lane.js';
import { failureOf, type RetryPolicies } from '../../shared/work/item/retry.js';
import { sweepWork } from '../../shared/work/upkeep/sweepWork.js';
import type { WorkKey, WorkOrder } from '../../shared/work/item/workItem.js';
import { done, type WorkKind } from '../../shared/work/item/workKind.js';
import { WorkMessage, type WorkQueues } from '../../shared/work/item/workMessage.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryMessages } from '../support/memoryMessages.js';
import { WorkInMemory } from '../support/workInMemory.js';

const MINUTE_MS = 60_000;
const key = { kind: 'test', id: '|one' };
const order = (from: number, to: number): WorkOrder => ({ ...key, facts: { from, to } });
/** The widest of two asks. */
const widest =
  ({ facts }: WorkOrder) =>
  (before: JsonObject): JsonObject => ({
    from: Math.min(Number(facts?.['from']), Number(before['from'])),
    to: Math.max(Number(facts?.['to']), Number(before['to'])),
  });
const askBoth = (from: number, to: number) => {
  const asked = order(from, to);
  return work.enqueuer.ask(asked, { both: widest(asked) });
};
const pace = { initialMs: 15_000, coefficient: 4, maximumMs: 15 * MINUTE_MS };
const retry: RetryPolicies = { fault: pace, outage: pace, refusal: pace };

let clock: ManualClock;
let work: WorkInMemory;
/** Requests to the table, in their order. */
let requests: string[];
const now = () => clock.now().getTime();
beforeEach(() => {
  clock = new ManualClock();
  work = new WorkInMemory(() => clock);
  requests = [];
  for (const name of ['find', 'range', 'insert', 'update', 'delete'] as const) {
    const own = work.rows[name].bind(work.rows) as (...request: readonly unknown[]) => unknown;
    const counted = (...request: readonly unknown[]): unknown => {
      requests.push(name);
      return own(...request);
    };
    Object.assign(work.rows, { [name]: counted });
  }
});

/** One attempt that does this. */
function attempt(run: () => Promise<void>, asks: WorkKey = key): Promise<void> {
  const giveUp = () => Promise.resolve(done);
  const step = { retry, failureOf, giveUp, run: () => run().then(() => done) };
  const kind: WorkKind = { kind: key.kind, leaseMs: MINUTE_MS, begin: () => Promise.resolve(step) };
  return work.handle(asks, kind);
}

describe('an ask', () => {
  test('of work that is new is one insert and one message', async () => {
    await work.enqueuer.ask(order(3, 5));
    expect(requests).toEqual(['insert']);
    expect(work.sent).toMatchObject([key]);
    expect(await work.find(key)).toMatchObject({ asks: 1, facts: { from: 3, to: 5 } });
  });

  test('of work that is there joins what both ask', async () => {
    await work.enqueuer.ask(order(3, 5));
    requests.splice(0);
    await askBoth(4, 9);
    expect(requests).toEqual(['insert', 'find', 'update']);
    expect(await work.find(key)).toMatchObject({ asks: 2, facts: { from: 3, to: 9 } });
  });

  test('of work that is there leaves what was asked when it does not say how to join it', async () => {
    await work.enqueuer.ask(order(3, 5));
    await work.enqueuer.ask(order(4, 9));
    expect(await work.find(key)).toMatchObject({ asks: 2, facts: { from: 3, to: 5 } });
  });

  test('of work that nobody asked anything of is joined with nothing', async () => {
    await work.enqueuer.ask(key);
    await askBoth(4, 9);
    expect(await work.find(key)).not.toHaveProperty('facts');
  });

  test('of work that is about to begin changes nothing and sends nothing: that attempt sees what is there by now', async () => {
    await work.enqueuer.ask(key);
    requests.splice(0);
    await work.enqueuer.ask(key);
    expect(requests).toEqual(['insert', 'find']);
    expect(work.sent).toHaveLength(1);
  });

  test('of work whose message is late sends another: it may be lost', async () => {
    await work.enqueuer.ask(key);
    work.takeNext();
    clock.jump(2 * MINUTE_MS);
    await work.enqueuer.ask(key);
    expect(work.sent).toMatchObject([key]);
  });

  test('of work that an attempt holds sends no message: that attempt does it', async () => {
    await work.enqueuer.ask(order(3, 5));
    work.takeNext();
    const seen: unknown[] = [];
    await attempt(async () => {
      seen.push((await work.find(key))?.facts);
      if (seen.length === 1) await askBoth(1, 4);
    });
    expect(seen).toEqual([
      { from: 3, to: 5 },
      { from: 1, to: 5 },
    ]);
    expect([work.sent, await work.find(key)]).toEqual([[], undefined]);
  });

  test('whose message can not be sent has its message from the sweep', async () => {
    const send = work.messages.send.bind(work.messages);
    work.messages.send = () => Promise.reject(new Error('queues away'));
    await work.enqueuer.ask(order(3, 5));
    work.messages.send = send;
    clock.jump(2 * MINUTE_MS);
    await expect(work.sweep()).resolves.toMatchObject({ sent: 1 });
  });
});

describe('an ask for work in a lane', () => {
  const lane = backfillsLaneOf('contoso');
  const ahead = { kind: key.kind, id: 'contoso|ahead' };
  const behind = { kind: key.kind, id: 'contoso|behind' };
  beforeEach(async () => {
    work.slotsOf = () => 1;
    await work.takeSlot(lane, { ...ahead, askedAt: now() - 1 });
  });

  test('leaves a ticket and sends no message: that comes with the slot', async () => {
    await work.enqueuer.ask(behind, { lane });
    await settle();
    expect([work.sent, await work.waitingTickets()]).toEqual([[], 1]);
    expect(await work.find(behind)).toMatchObject({ lanes: [lane], parked: { lane, askedAt: now() } });
    await work.lanes.leave(lane, ahead);
    expect(work.sent).toMatchObject([behind]);
  });

  test('of a lower rank comes first, whoever asked before', async () => {
    const ranked = [30, 10, 20].map((rank) => ({ rank, one: { kind: key.kind, id: `contoso|${rank}` } }));
    for (const { rank, one } of ranked) await work.enqueuer.ask(one, { lane, rank });
    await settle();
    const served: string[] = [];
    for (let holder: WorkKey = ahead; served.length < ranked.length; holder = work.sent.at(-1)!) {
      await work.lanes.leave(lane, holder);
      served.push(work.sent.at(-1)!.id);
    }
    expect(served).toEqual(['contoso|10', 'contoso|20', 'contoso|30']);
  });

  test('whose ticket can not be left has it from the sweep', async () => {
    const ask = work.laneStore.ask.bind(work.laneStore);
    work.laneStore.ask = () => Promise.reject(new Error('lane away'));
    await work.enqueuer.ask(behind, { lane });
    work.laneStore.ask = ask;
    expect(await work.waitingTickets()).toBe(0);
    clock.jump(2 * MINUTE_MS);
    await expect(sweepWork(work)()).resolves.toMatchObject({ parked: 1 });
    expect(await work.waitingTickets()).toBe(1);
  });

  test('that stands there already leaves it its place in the line', async () => {
    await work.enqueuer.ask(behind, { lane });
    clock.jump(1_000);
    await work.enqueuer.ask(behind, { lane });
    await settle();
    expect([work.sent, await work.waitingTickets()]).toEqual([[], 1]);
    expect(await work.find(behind)).toMatchObject({ asks: 2, parked: { lane, askedAt: now() - 1_000 } });
  });
});

describe('an ask for work that is due later', () => {
  test.each([
    { why: 'has its message now, which shows then', laterMs: 10 * MINUTE_MS, sentNow: 1 },
    // No queue delays a message for longer.
    { why: 'has its message from the sweep', laterMs: 10 * MINUTE_MS + 1, sentNow: 0 },
  ])('in $laterMs ms $why', async ({ laterMs, sentNow }) => {
    const dueAt = now() + laterMs;
    await work.enqueuer.ask(order(3, 5), { dueAt });
    expect(await work.find(key)).toMatchObject({ asks: 1, notBefore: dueAt });
    expect(work.sent.map((sent) => sent.dueAt)).toEqual(Array(sentNow).fill(dueAt));
    clock.jump(laterMs);
    await expect(work.sweep()).resolves.toMatchObject({ due: 1 - sentNow, sent: 0 });
    expect(work.sent).toMatchObject([key]);
  });

  test('begins no attempt before, whatever message comes', async () => {
    await work.enqueuer.ask(key, { dueAt: now() + MINUTE_MS });
    let attempts = 0;
    const run = (): Promise<void> => Promise.resolve(void (attempts += 1));
    await attempt(run);
    expect(attempts).toBe(0);
    clock.jump(MINUTE_MS);
    await attempt(run);
    expect(attempts).toBe(1);
  });

  test('is one for now when that time is over', async () => {
    await work.enqueuer.ask(key, { dueAt: now() - 1 });
    expect(await work.find(key)).toMatchObject({ notBefore: 0 });
    expect(work.sent).toMatchObject([{ ...key, dueAt: now() }]);
  });

  test('in a lane leaves its ticket when it is due, not before', async () => {
    const lane = backfillsLaneOf('contoso');
    const dueAt = now() + 60 * MINUTE_MS;
    await work.enqueuer.ask(key, { lane, dueAt });
    await settle();
    expect([work.sent, await work.waitingTickets()]).toEqual([[], 0]);
    clock.jump(60 * MINUTE_MS - 1);
    await expect(work.sweep()).resolves.toMatchObject({ parked: 0 });
    clock.jump(1);
    await expect(work.sweep()).resolves.toMatchObject({ parked: 1 });
    await settle();
    expect(work.sent).toMatchObject([key]);
  });

  test.each([
    { why: 'sooner than this', laterMs: MINUTE_MS },
    { why: 'later than this', laterMs: 48 * 60 * MINUTE_MS },
  ])('leaves work alone that waits and is due $why', async ({ laterMs }) => {
    await work.enqueuer.ask(key, { dueAt: now() + laterMs });
    const before = [await work.find(key), work.sent];
    await work.enqueuer.ask(key, { dueAt: now() + 60 * MINUTE_MS });
    expect([await work.find(key), work.sent]).toEqual(before);
  });

  test('of an attempt that holds it has that do it once more', async () => {
    await work.enqueuer.ask(key);
    let runs = 0;
    await attempt(async () => {
      runs += 1;
      if (runs === 1) await work.enqueuer.ask(key, { dueAt: now() + 60 * MINUTE_MS });
    });
    expect([runs, await work.find(key)]).toEqual([2, undefined]);
  });

  test('and then one for now has it done now', async () => {
    await work.enqueuer.ask(key, { dueAt: now() + 60 * MINUTE_MS });
    await work.enqueuer.ask(key);
    expect(await work.find(key)).toMatchObject({ asks: 2, notBefore: 0 });
    expect(work.sent).toMatchObject([{ ...key, dueAt: now() }]);
  });

  test('in a lane keeps no rank: when it is due is its place', async () => {
    const lane = backfillsLaneOf('contoso');
    const dueAt = now() + 60 * MINUTE_MS;
    await work.enqueuer.ask(key, { lane, rank: 5, dueAt });
    expect(await work.find(key)).toMatchObject({ parked: { lane, askedAt: dueAt } });
  });

  test('in a lane and then one for now has it ask for a slot at once', async () => {
    const lane = backfillsLaneOf('contoso');
    await work.enqueuer.ask(key, { lane, dueAt: now() + 60 * MINUTE_MS });
    await work.enqueuer.ask(key, { lane });
    await settle();
    expect(work.sent).toMatchObject([key]);
  });
});

describe('an ask anew for work that failed', () => {
  test('begins its tries anew', async () => {
    await work.enqueuer.ask(key);
    await attempt(() => Promise.reject(new Error('broken')));
    expect(await work.find(key)).toMatchObject({ attempts: 1, failures: { fault: { count: 1 } } });
    await work.enqueuer.ask(key);
    expect(await work.find(key)).toMatchObject({ attempts: 0, failures: {}, notBefore: 0 });
  });

  test('leaves those of an attempt that holds it', async () => {
    await work.enqueuer.ask(key);
    await attempt(() => Promise.reject(new Error('broken')));
    clock.jump(MINUTE_MS);
    const seen: unknown[] = [];
    await attempt(async () => {
      if (seen.length === 0) await work.enqueuer.ask(key);
      seen.push(await work.find(key));
    });
    const tried = { asks: 2, attempts: 2, failures: { fault: { count: 1 } } };
    expect(seen).toMatchObject([tried, tried]);
  });
});

describe('asks at once', () => {
  test('are all counted, and what all of them ask is joined', async () => {
    await Promise.all([5, 1, 9, 3].map((day) => askBoth(day, day)));
    expect(await work.find(key)).toMatchObject({ asks: 4, facts: { from: 1, to: 9 } });
  });

  test('and the end of the work make it new work, with what is asked now alone', async () => {
    await work.enqueuer.ask(order(3, 5));
    const find = work.rows.find.bind(work.rows);
    // It ends between the insert that is refused and the reading.
    work.rows.find = async (...request) => {
      work.rows.find = find;
      await work.store.delete((await work.store.find(key))!);
      return find(...request);
    };
    await askBoth(7, 8);
    expect(await work.find(key)).toMatchObject({ asks: 1, facts: { from: 7, to: 8 } });
  });

  test('that change the work faster than it can be written are an error, and the asker asks again', async () => {
    await work.enqueuer.ask(order(3, 5));
    work.rows.update = () => Promise.resolve(undefined);
    await expect(askBoth(1, 9)).rejects.toMatchObject({ fault: { status: 503 } });
  });
});

describe('the queue of work', () => {
  /** New things have a queue of their own. */
  let messages: Record<'new' | 'old', MemoryMessages>;
  let queues: WorkQueues;
  let asked: string[];
  beforeEach(() => {
    messages = { new: new MemoryMessages(now), old: new MemoryMessages(now) };
    asked = [];
    const queueOf = (name: 'new' | 'old') => {
      const queue = new MessageQueue(messages[name], WorkMessage, { clock, traceparent: () => undefined });
      const servedUntil = queue.servedUntil.bind(queue);
      queue.servedUntil = (at) => {
        asked.push(name);
        return servedUntil(at);
      };
      return queue;
    };
    const both = { new: queueOf('new'), old: queueOf('old') };
    queues = ({ facts }) => (facts?.['isNew'] === true ? both.new : both.old);
  });
  const workOf = (id: string, isNew: boolean): WorkOrder => ({ ...key, id: `|${id}`, facts: { isNew } });
  const ask = (asks: WorkOrder) =>
    enqueuer({ store: work.store, queues, clock, lanes: work.lanes }).ask(asks, {
      both: (before) => ({ ...before, ...asks.facts }),
    });
  const sent = () => [messages.new.sent.length, messages.old.sent.length];

  test('is chosen by what was asked, and an ask that changes that sends its message there', async () => {
    await ask(workOf('a', false));
    expect(sent()).toEqual([0, 1]);
    await ask(workOf('a', true));
    expect(sent()).toEqual([1, 1]);
  });

  test('is asked once by the sweep how far it has come, and gets the lost messages of its own work', async () => {
    for (const id of ['a', 'b', 'c']) await ask(workOf(id, true));
    for (const id of ['d', 'e']) await ask(workOf(id, false));
    // Those of one queue are lost, those of the other late.
    messages.new.sent.splice(0);
    clock.jump(2 * MINUTE_MS);
    const { store, lanes, log } = work;
    await expect(sweepWork({ store, queues, lanes, clock, log })()).resolves.toMatchObject({ sent: 3, late: 2 });
    expect(sent()).toEqual([3, 2]);
    expect(asked.sort()).toEqual(['new', 'old']);
  });

  test('gets the message of an attempt that pauses', async () => {
    await ask(workOf('a', true));
    messages.new.sent.splice(0);
    Object.assign(work, { queues });
    await attempt(() => Promise.reject(new Error('broken')), workOf('a', true));
    expect(sent()).toEqual([1, 0]);
  });
});
