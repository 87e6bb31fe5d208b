import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import {
  dailyAt,
  DUTY,
  dutyKind,
  everySeconds,
  hourlyAt,
  lookAfterDuties,
  openDuties,
  timeAfter,
  type Duty,
  type Times,
} from '../../../shared/work/upkeep/duty.js';
import { functionTable } from '../../../functions/functionTable.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import type { Services } from '../../../shared/wiring/services.js';
import { ManualClock, settle } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const at = (text: string): number => Date.parse(text);

describe('the next time', () => {
  test.each([
    { times: everySeconds(300), now: '2026-06-17T10:04:59.999Z', next: '2026-06-17T10:05:00Z' },
    { times: everySeconds(300), now: '2026-06-17T10:05:00Z', next: '2026-06-17T10:10:00Z' },
    { times: hourlyAt(25), now: '2026-06-17T10:24:00Z', next: '2026-06-17T10:25:00Z' },
    { times: hourlyAt(25), now: '2026-06-17T10:25:00Z', next: '2026-06-17T11:25:00Z' },
    { times: dailyAt('05:30'), now: '2026-06-17T05:29:59Z', next: '2026-06-17T05:30:00Z' },
    { times: dailyAt('05:30'), now: '2026-06-17T05:30:00Z', next: '2026-06-18T05:30:00Z' },
  ])('after $now is $next', ({ times, now, next }) => {
    expect(timeAfter(times, at(now))).toBe(at(next));
  });

  test('is later, by no more than the distance of two, and one of those of its day', () => {
    const times = fc.oneof(
      fc.constantFrom(1, 15, 300, 900).map(everySeconds),
      fc.integer({ min: 0, max: 59 }).map(hourlyAt),
      fc.constant(dailyAt('03:20')),
    );
    fc.assert(
      fc.property(times, fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') }), (some: Times, now) => {
        const next = timeAfter(some, now);
        expect(next).toBeGreaterThan(now);
        expect(next - now).toBeLessThanOrEqual(some.everyMs);
        expect(((next % DAY_MS) - some.afterMs) % some.everyMs).toBe(0);
      }),
    );
  });
});

describe('duties', () => {
  let clock: ManualClock;
  let work: WorkInMemory;
  let runs: string[];
  let log: { event: string; facts: object }[];
  let fates: Record<string, () => Promise<Readonly<Record<string, unknown>>>>;
  const nameOf = (key: { readonly id: string }): string => key.id.slice(1);

  const dutyOf = (name: string, times: Times): Duty<string> => ({
    name,
    times: () => times,
    run: (services) => {
      runs.push(`${name} of ${services} at ${clock.now().toISOString().slice(11, 16)}`);
      return fates[name]?.() ?? Promise.resolve({ done: 1 });
    },
  });
  const duties = [dutyOf('feed', everySeconds(300)), dutyOf('night', dailyAt('05:30'))];
  const portsOf = (known: readonly Duty<string>[] = duties) => ({
    duties: known,
    services: () => 'it',
    clock,
    log: (event: string, facts: object) => void log.push({ event, facts }),
  });
  const open = () => openDuties(portsOf(), work.enqueuer)();
  const run = (name: string, known = duties) =>
    work.handle({ kind: DUTY, id: `|${name}` }, dutyKind(portsOf(known), MINUTE_MS));
  const done = () => lookAfterDuties(duties, work)();
  /** When each is due. */
  const dueAt = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      (await work.store.list(DUTY)).map((item) => [nameOf(item), new Date(item.notBefore).toISOString()]),
    );

  beforeEach(async () => {
    clock = new ManualClock('2026-06-17T10:02:00Z');
    work = new WorkInMemory(() => clock);
    [runs, log, fates] = [[], [], {}];
    await open();
  });

  test('are planned for their next time, and stay as they are when another process starts', async () => {
    const planned = { feed: '2026-06-17T10:05:00.000Z', night: '2026-06-18T05:30:00.000Z' };
    expect(await dueAt()).toEqual(planned);
    // What is due within minutes has its message, which no sweep need send.
    expect(work.messages.sent.map(({ visibleAt }) => visibleAt)).toEqual([at('2026-06-17T10:05:00Z')]);
    clock.jump(MINUTE_MS);
    await open();
    expect(await dueAt()).toEqual(planned);
  });

  test('are done at their time, tell it, and wait for the next', async () => {
    await run('feed');
    expect(runs).toEqual([]);
    clock.jump(3 * MINUTE_MS);
    await run('feed');
    expect(runs).toEqual(['feed of it at 10:05']);
    expect(log).toContainEqual({ event: 'Duty:Done', facts: { operation: 'feed', done: 1 } });
    expect(await dueAt()).toMatchObject({ feed: '2026-06-17T10:10:00.000Z' });
    expect(await done()).toEqual({ feed: '2026-06-17T10:05:00.000Z', night: null });
  });

  test('that were missed for hours are done once', async () => {
    clock.jump(5 * 60 * MINUTE_MS);
    await run('feed');
    await run('feed');
    expect(runs).toHaveLength(1);
    expect(await dueAt()).toMatchObject({ feed: '2026-06-17T15:05:00.000Z' });
  });

  test.each([
    { why: 'fault', error: () => new Error('broken') },
    { why: 'outage', error: () => new ServiceError(commonFaults.unavailable, 'away') },
  ])('that fail by a $why are tried again soon, until they are done', async ({ error }) => {
    let failures = 2;
    fates['night'] = () => ((failures -= 1) < 0 ? Promise.resolve({}) : Promise.reject(error()));
    clock.jump(at('2026-06-18T05:30:00Z') - clock.now().getTime());
    await run('night');
    expect(log).toContainEqual({ event: 'Duty:Failed', facts: { operation: 'night', cause: expect.any(String) } });
    clock.jump(MINUTE_MS);
    await run('night');
    clock.jump(2 * MINUTE_MS);
    await run('night');
    expect(runs).toHaveLength(3);
    expect(await dueAt()).toMatchObject({ night: '2026-06-19T05:30:00.000Z' });
  });

  test('that always fail keep to their times, and tell when they were last done', async () => {
    clock.jump(3 * MINUTE_MS);
    await run('feed');
    fates['feed'] = () => Promise.reject(new Error('broken'));
    for (let minute = 0; minute < 60; minute += 1) {
      clock.jump(MINUTE_MS);
      await run('feed');
    }
    // At its times and a few times between them.
    expect(runs.length).toBeGreaterThan(12);
    expect(runs.length).toBeLessThan(45);
    expect(await done()).toMatchObject({ feed: '2026-06-17T10:05:00.000Z' });
    fates = {};
    clock.jump(5 * MINUTE_MS);
    await run('feed');
    expect(await done()).toMatchObject({ feed: '2026-06-17T11:10:00.000Z' });
  });

  test('one that hangs, and one that throws, delay no other', async () => {
    fates['feed'] = () => new Promise(() => undefined);
    clock.jump(at('2026-06-18T05:30:00Z') - clock.now().getTime());
    void run('feed');
    await run('night');
    expect(runs.at(-1)).toBe('night of it at 05:30');
    expect(await dueAt()).toMatchObject({ night: '2026-06-19T05:30:00.000Z' });
  });

  test('that an attempt died in are done by the next', async () => {
    fates['night'] = () => new Promise(() => undefined);
    clock.jump(at('2026-06-18T05:30:00Z') - clock.now().getTime());
    void run('night');
    await new Promise((resolve) => setImmediate(resolve));
    clock.jump(2 * MINUTE_MS);
    fates = {};
    await run('night');
    expect(runs).toHaveLength(2);
  });

  describe('looked at by requests', () => {
    const sent = (): readonly string[] =>
      work.messages.sent.splice(0).map(({ text }) => (JSON.parse(text) as { id: string }).id);

    beforeEach(() => void sent());

    test('get their message six minutes after it was due, once, whoever asks', async () => {
      clock.jump(9 * MINUTE_MS);
      await done();
      expect(sent()).toEqual([]);
      clock.jump(3 * MINUTE_MS);
      await done();
      await done();
      expect(sent()).toEqual(['|feed']);
      await run('feed');
      expect(runs).toHaveLength(1);
    });

    test('get none while an attempt is at work', async () => {
      fates['feed'] = () => new Promise(() => undefined);
      clock.jump(3 * MINUTE_MS);
      void run('feed');
      for (let minute = 0; minute < 20; minute += 1) await clock.advance(MINUTE_MS);
      sent();
      await done();
      expect(sent()).toEqual([]);
    });

    test('are told of though none can be sent', async () => {
      clock.jump(60 * MINUTE_MS);
      work.messages.send = () => Promise.reject(new Error('away'));
      expect(await done()).toEqual({ feed: null, night: null });
    });
  });

  test.each(functionTable.duties.map(({ name }) => name))(
    'of the service go on while %s throws or hangs',
    async (odd) => {
      const known = functionTable.duties.map(({ name }) => dutyOf(name, everySeconds(300)));
      await openDuties(portsOf(known), work.enqueuer)();
      clock.jump(3 * MINUTE_MS);
      for (const fate of [() => Promise.reject(new Error('broken')), () => new Promise<never>(() => undefined)]) {
        [runs, fates] = [[], { [odd]: fate }];
        for (const { name } of known) {
          const running = run(name, known);
          if (name !== odd) await running;
        }
        await settle();
        expect(runs).toHaveLength(known.length);
        clock.jump(5 * MINUTE_MS);
      }
    },
  );

  test('go on by messages alone, and the beat sends what was lost, while the timer stands still', async () => {
    const known = functionTable.duties.filter(({ name }) => name === 'upkeepBeat');
    const services = () => ({ sweepWork: () => work.sweep() }) as unknown as Services;
    const ports = { duties: known, services, clock, log: () => undefined };
    await openDuties(ports, work.enqueuer)();
    await work.enqueuer.ask({ kind: 'gdd', id: 'lost' });
    // Taken by a process that dies.
    work.messages.take();
    const taken: string[] = [];
    for (let minute = 0; minute < 20; minute += 1) {
      clock.jump(MINUTE_MS);
      for (let text = work.messages.take(); text !== undefined; text = work.messages.take()) {
        const { kind, id } = JSON.parse(text) as WorkKey;
        taken.push(id);
        if (kind === DUTY) await work.handle({ kind, id }, dutyKind(ports, MINUTE_MS));
      }
    }
    expect(taken.filter((id) => id === '|upkeepBeat')).toHaveLength(4);
    expect(taken).toContain('lost');
  });

  test('that this version doesn’t know wait for one that does', async () => {
    clock.jump(3 * MINUTE_MS);
    await run('feed', []);
    expect(runs).toEqual([]);
    expect(await dueAt()).toMatchObject({ feed: '2026-06-17T11:00:00.000Z' });
  });
});
