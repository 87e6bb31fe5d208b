import { beforeEach, describe, expect, test } from '@jest/globals';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { backfillProgress } from '../../../shared/imagery/discovery/backfillProgress.js';
import { askRetry, BACKFILL, backfillOf, isAwaited } from '../../../shared/imagery/discovery/backfill.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { newestFirst } from '../../../shared/kit/validation/calendar.js';
import { ownerOf, type WorkItem, type WorkKey } from '../../../shared/work/item/workItem.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const CUSTOMER = 'contoso';
const KEY = { customer: CUSTOMER, enrollmentId: 'e1' };
const BOX = [13.14, 48.29, 13.142, 48.2915] as const;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const away = new CatalogueError('unavailable', 'away');
const unreadable = new CatalogueError('invalid', 'a page that nobody can read');
const sceneOn = (date: string) => aScene({ id: date, takenAt: `${date}T10:05:59.000Z`, datatake: date });

let service: ImageryUnderTest;
beforeEach(() => {
  service = new ImageryUnderTest('2026-06-20T12:00:00Z');
  service.kernel.slotsOf = () => 2;
});

/** One field of a customer; its plan is made. */
async function enrol(startDate: string, endDate: string, customer = CUSTOMER): Promise<void> {
  const request = { startDate, endDate };
  await service.enrol({ customer, enrollmentId: 'e1', fields: [{ fieldId: 'north', box: BOX }], request });
  await service.run((await service.take())!);
}
const enrolJune = (): Promise<void> => enrol('2026-06-01', '2026-06-20');

/** The sweep of every minute after some time, and what is due then. */
async function pass(milliseconds: number): Promise<void> {
  service.clock.jump(milliseconds);
  await service.sweep();
  await service.drain();
}
/** The same again and again. */
async function passTimes(times: number, milliseconds: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await pass(milliseconds);
}

const recorded = async () =>
  Object.fromEntries((await service.fieldDates.list(CUSTOMER, 'north')).map(({ date, outcome }) => [date, outcome]));
const told = (event: string) => service.log.filter((line) => line.event === event).map(({ facts }) => facts);
const onlyBackfill = async (): Promise<WorkItem> => {
  const [item, ...others] = await service.backfills();
  expect(others).toEqual([]);
  return item!;
};
const monthOf = async (key: WorkKey): Promise<string> => backfillOf((await service.kernel.find(key))!).to;

test('days sort newest first as text', () => {
  const days = ['2026-06-17', '2026-06-12', '2026-01-01', '2025-12-31'];
  expect(days.toSorted().toSorted((a, b) => (newestFirst(a) < newestFirst(b) ? -1 : 1))).toEqual(days);
});

describe('the progress of a backfill', () => {
  const progress = async () => {
    const { enrollment } = (await service.enrollments.find(KEY))!;
    return backfillProgress({ openWork: service.kernel.store })({
      ...enrollment,
      status: 'completed',
      completedAt: service.clock.now().getTime(),
    });
  };

  test('is that nothing was looked through until the plan is made, and a month less after each search', async () => {
    const request = { startDate: '2026-03-01', endDate: '2026-12-31' };
    await service.enrol({ ...KEY, fields: [{ fieldId: 'north', box: BOX }], request });
    const whole = { enrollment_id: 'e1', from: '2026-03-01', to: '2026-06-20', days: 112 };
    expect(await progress()).toEqual({ ...whole, status: 'waiting', days_left: 112 });
    const left: unknown[] = [];
    for (let key = await service.take(); key !== undefined; key = await service.take()) {
      await service.run(key);
      const { status, days_left: days } = await progress();
      left.push([status, days]);
    }
    expect(left).toEqual([
      ['running', 112],
      ['running', 81],
      ['running', 50],
      ['running', 19],
      ['completed', 0],
    ]);
    expect(await progress()).toEqual({ ...whole, status: 'completed', days_left: 0 });
  });

  test('counts no day that failed and waits for another try', async () => {
    await enrolJune();
    await service.drain();
    await askRetry(service.kernel.enqueuer)({ ...KEY, date: '2026-06-12', dueDate: '2026-06-22' });
    expect(await progress()).toMatchObject({ status: 'completed', days: 20, days_left: 0 });
  });

  test('has the first day alone while that is still to come', async () => {
    await service.enrol({
      ...KEY,
      fields: [{ fieldId: 'north', box: BOX }],
      request: { startDate: '2026-07-01', endDate: '2026-07-31' },
    });
    const day = '2026-07-01';
    expect(await progress()).toMatchObject({ status: 'waiting', from: day, to: day, days: 1, days_left: 1 });
  });
});

describe('the backfills of a new enrollment', () => {
  test('begin with the newest month, of which somebody waits for the first pictures', async () => {
    await enrol('2026-03-01', '2026-06-20');
    const months: { readonly to: string; readonly isFirst: boolean }[] = [];
    for (let key = await service.take(); key !== undefined; key = await service.take()) {
      months.push({ to: await monthOf(key), isFirst: isAwaited(key) });
      await service.run(key);
    }
    expect(months).toEqual([
      { to: '2026-06-20', isFirst: true },
      { to: '2026-05-20', isFirst: false },
      { to: '2026-04-19', isFirst: false },
      { to: '2026-03-19', isFirst: false },
    ]);
  });

  test('come before older months of an enrollment that the customer made before', async () => {
    await enrol('2025-06-21', '2026-06-20');
    service.clock.jump(MINUTE_MS);
    const request = { startDate: '2026-06-01', endDate: '2026-06-20' };
    await service.enrol({ ...KEY, enrollmentId: 'e2', fields: [{ fieldId: 'south', box: BOX }], request });
    const backfills = (await service.drain()).filter(({ kind }) => kind === BACKFILL);
    expect(backfills.findIndex(({ id }) => id.startsWith(`${CUSTOMER}|e2|`))).toBeLessThanOrEqual(4);
  });

  test('make the newest day first', async () => {
    for (const day of ['05', '15', '10']) service.catalogue.add(sceneOn(`2026-06-${day}`));
    await enrolJune();
    await service.drain();
    const days = service.imagery.writes.filter((path) => path.endsWith('.tiff')).map((path) => path.split('/')[4]);
    expect(days).toEqual(['2026-06-15', '2026-06-10', '2026-06-05']);
  });

  test('are two at a time: the next begins when one is done', async () => {
    await enrol('2025-06-21', '2026-06-20');
    const [first, second] = [(await service.take())!, (await service.take())!];
    expect(await service.take()).toBeUndefined();
    await service.run(first);
    expect(await monthOf((await service.take())!)).toBe('2026-04-19');
    expect(await service.take()).toBeUndefined();
    await service.run(second);
    expect(await monthOf((await service.take())!)).toBe('2026-03-19');
  });

  test('delay no other customer: one with a single month waits for no more than the slots of the first', async () => {
    await enrol('2025-06-21', '2026-06-20');
    await service.run((await service.take())!);
    const request = { startDate: '2026-06-01', endDate: '2026-06-20' };
    const fields = [{ fieldId: 'only', box: BOX }];
    await service.enrol({ customer: 'fabrikam', enrollmentId: 'small', fields, request });
    const owners = (await service.drain()).filter(({ kind }) => kind === BACKFILL).map(ownerOf);
    expect(owners).toHaveLength(12);
    // Two of the large customer's are before its plan, and two before its backfill.
    expect(owners.indexOf('fabrikam')).toBeLessThanOrEqual(4);
  });

  test('let others have their turn after ten minutes, and go on where they were', async () => {
    for (const day of ['05', '08', '11', '14', '17']) service.catalogue.add(sceneOn(`2026-06-${day}`));
    const read = service.reader.read.bind(service.reader);
    service.reader.read = (scene, file, windows) => {
      if (file === 'red') service.clock.jump(4 * MINUTE_MS);
      return read(scene, file, windows);
    };
    await enrolJune();
    await service.run((await service.take())!);
    expect(Object.keys(await recorded())).toEqual(['2026-06-11', '2026-06-14', '2026-06-17']);
    await service.drain();
    expect(Object.keys(await recorded())).toHaveLength(5);
    expect(service.reader.reads.filter(({ file }) => file === 'red')).toHaveLength(5);
  });
});

describe('a message or a ticket that is lost', () => {
  beforeEach(async () => {
    service.catalogue.add(sceneOn('2026-06-15'));
    await enrolJune();
  });

  test('with the slot in hand is sent again by the sweep', async () => {
    await service.take();
    await passTimes(3, MINUTE_MS);
    expect(await recorded()).toEqual({ '2026-06-15': 'done' });
  });

  test('with its attempt’s process is sent again when the lease is over', async () => {
    service.catalogue.search = () => new Promise(() => undefined);
    void service.run((await service.take())!);
    Reflect.deleteProperty(service.catalogue, 'search');
    await passTimes(3, MINUTE_MS);
    expect(await recorded()).toEqual({ '2026-06-15': 'done' });
  });

  test('before it had a slot is left again by the sweep', async () => {
    const { laneStore } = service.kernel;
    const ask = laneStore.ask.bind(laneStore);
    laneStore.ask = () => Promise.reject(new Error('away'));
    await askRetry(service.kernel.enqueuer)({ ...KEY, date: '2026-06-16', dueDate: '2026-06-20' });
    laneStore.ask = ask;
    service.catalogue.add(sceneOn('2026-06-16'));
    await service.drain();
    expect(await service.backfills()).toHaveLength(1);
    await passTimes(61, MINUTE_MS);
    expect(await service.backfills()).toEqual([]);
  });
});

describe('a search that fails', () => {
  beforeEach(async () => {
    service.catalogue.add(sceneOn('2026-06-15'));
    await enrolJune();
  });

  test('because the catalogue is away waits for a day, and uses no attempt up', async () => {
    service.catalogue.fault = away;
    await passTimes(100, 15 * MINUTE_MS);
    expect(await onlyBackfill()).toMatchObject({ attempts: 0, failures: { outage: { count: 100 } } });
    expect(await recorded()).toEqual({});
    expect(told('Imagery:SearchPostponed')).toEqual([]);
    service.catalogue.fault = undefined;
    await pass(15 * MINUTE_MS);
    expect(await recorded()).toEqual({ '2026-06-15': 'done' });
  });

  test.each([
    { why: 'waits as long as the catalogue says', retryAfterSeconds: 600, minutes: 10 },
    { why: 'believes that up to 15 minutes', retryAfterSeconds: 900_000, minutes: 15 },
  ])('$why', async ({ retryAfterSeconds, minutes }) => {
    service.catalogue.fault = new CatalogueError('unavailable', 'away', { retryAfterSeconds });
    await service.drain();
    expect((await onlyBackfill()).notBefore).toBe(service.clock.now().getTime() + minutes * MINUTE_MS);
  });

  test.each([
    { why: 'an answer that can’t be used: at the fifth attempt', fault: unreadable, attempts: 5 },
    { why: 'a refusal: at the thirtieth', fault: new CatalogueError('refused', 'no'), attempts: 30 },
    { why: 'an outage: after more than a day', fault: away, attempts: 250 },
  ])('too often is put off for six hours, and goes on then: $why', async ({ fault, attempts }) => {
    service.catalogue.fault = fault;
    for (let time = 0; told('Imagery:SearchPostponed').length === 0; time += 1) {
      expect(time).toBeLessThan(400);
      await pass(15 * MINUTE_MS);
    }
    expect(told('Work:AttemptFailed')).toHaveLength(attempts);
    expect(told('Imagery:SearchPostponed')).toMatchObject([{ from: '2026-06-01', to: '2026-06-20', isDropped: false }]);
    expect(await recorded()).toEqual({});
    service.catalogue.fault = undefined;
    await passTimes(23, 15 * MINUTE_MS);
    expect(await recorded()).toEqual({});
    await pass(15 * MINUTE_MS);
    expect(await recorded()).toEqual({ '2026-06-15': 'done' });
    expect(await service.backfills()).toEqual([]);
  });

  test('is put off again and again for a month after the end, then dropped; no day passes for one without imagery', async () => {
    service.catalogue.fault = unreadable;
    for (let day = 0; day < 30; day += 1) await passTimes(12, 2 * HOUR_MS);
    expect(new Set(told('Imagery:SearchPostponed').map(({ isDropped }) => isDropped))).toEqual(new Set([false]));
    expect(await service.backfills()).toHaveLength(1);
    await passTimes(12, 2 * HOUR_MS);
    expect(told('Imagery:SearchPostponed').at(-1)).toMatchObject({ isDropped: true });
    expect(await service.backfills()).toEqual([]);
    expect(await recorded()).toEqual({});
  });
});

describe('months whose search fails', () => {
  /** Whether a month that is asked for later is made within a day, while both that came before can't be searched. */
  async function isOtherMade(fault: Error): Promise<boolean> {
    const search = service.catalogue.search.bind(service.catalogue);
    service.catalogue.search = (query) => (query.from > '2026-04-15' ? Promise.reject(fault) : search(query));
    await enrol('2026-04-01', '2026-06-20');
    await passTimes(96, 15 * MINUTE_MS);
    service.catalogue.add(sceneOn('2026-04-10'));
    await askRetry(service.kernel.enqueuer)({ ...KEY, date: '2026-04-10', dueDate: '2026-06-20' });
    await passTimes(96, 15 * MINUTE_MS);
    return (await recorded())['2026-04-10'] === 'done';
  }

  test.each([away, unreadable])('leave their slots to the others: $fault', async (fault) => {
    expect(await isOtherMade(fault)).toBe(true);
  });

  test('leave their slots to the others: an error of our own', async () => {
    expect(await isOtherMade(new TypeError('a bug'))).toBe(true);
  });
});

describe('a day whose files fail', () => {
  const days = ['2026-06-05', '2026-06-10', '2026-06-15'];
  const [, BAD] = days as [string, string, string];
  beforeEach(async () => {
    for (const day of days) service.catalogue.add(sceneOn(day));
    await enrolJune();
  });
  /** Our own code fails at that day. @returns what mends it */
  const breakBad = (): (() => void) => {
    const read = service.reader.read.bind(service.reader);
    service.reader.read = (scene, file, windows) =>
      scene.id === BAD ? Promise.reject(new Error('a bug')) : read(scene, file, windows);
    return () => (service.reader.read = read);
  };
  const recordOfBad = async () => (await service.fieldDates.list(CUSTOMER, 'north', { from: BAD, to: BAD }))[0];

  test('because they are away waits alone, for a day and longer', async () => {
    const fault = new RasterError('unavailable', 'the server answered 503', { isTransient: true });
    service.reader.faults.set(BAD, fault);
    await passTimes(100, 15 * MINUTE_MS);
    expect(await recorded()).toEqual({ '2026-06-05': 'done', '2026-06-15': 'done' });
    expect(await onlyBackfill()).toMatchObject({ attempts: 0 });
    service.reader.faults.clear();
    await pass(15 * MINUTE_MS);
    expect(await recordOfBad()).toMatchObject({ outcome: 'done' });
  });

  test('because they are refused waits alone, up to thirty times, and is failed then with the reason', async () => {
    const reason = 'access was refused (403)';
    service.reader.faults.set(BAD, new RasterError('refused', reason, { isTransient: true }));
    await passTimes(24 * 6, HOUR_MS);
    expect(await recordOfBad()).toMatchObject({
      outcome: 'failed',
      reason: `The scene cannot be used: ${reason}.`,
      isToBeTriedAgain: true,
    });
    expect(told('Work:AttemptFailed').filter(({ id }) => String(id).endsWith('first'))).toHaveLength(30);
  });

  test('by a fault of our own is failed at the fifth attempt, with a reason, and tried again on another day', async () => {
    const mend = breakBad();
    await service.drain();
    expect(await recorded()).toEqual({ '2026-06-05': 'done', '2026-06-15': 'done' });
    for (const seconds of [15, 60, 240, 900]) {
      expect(await recordOfBad()).toBeUndefined();
      await pass(seconds * 1000);
    }
    expect(told('Work:AttemptFailed')).toHaveLength(5);
    expect(told('Imagery:DayFailed')).toHaveLength(5);
    expect(await recordOfBad()).toMatchObject({
      outcome: 'failed',
      reason: 'The scene cannot be used: an error of the service.',
      isToBeTriedAgain: true,
    });
    expect(backfillOf(await onlyBackfill())).toMatchObject({ why: 'retry', from: BAD, to: BAD });
    mend();
    await passTimes(24, HOUR_MS);
    expect(await recordOfBad()).toMatchObject({ outcome: 'done' });
  });

  test('by a fault of our own has five attempts, however many the search needed', async () => {
    service.catalogue.fault = unreadable;
    await service.drain();
    for (const seconds of [15, 60, 240]) await pass(seconds * 1000);
    service.catalogue.fault = undefined;
    breakBad();
    await passTimes(4, 15 * MINUTE_MS);
    expect(await recordOfBad()).toBeUndefined();
    await pass(15 * MINUTE_MS);
    expect(await recordOfBad()).toMatchObject({ outcome: 'failed' });
  });

  /** Whoever dies leaves its lease, and the sweep finds the work when that is over. */
  async function workAMinute(onBegun: (die: () => void) => void): Promise<void> {
    await service.sweep();
    for (let key = await service.take(); key !== undefined; key = await service.take()) {
      await Promise.race([service.run(key), new Promise<void>(onBegun)]);
    }
    service.clock.jump(MINUTE_MS);
  }

  test('by the death of its process, again and again, is given up alone', async () => {
    const read = service.reader.read.bind(service.reader);
    let died = (): void => undefined;
    let deaths = 0;
    service.reader.read = (scene, file, windows) => {
      if (scene.id !== BAD) return read(scene, file, windows);
      deaths += 1;
      died();
      return new Promise(() => undefined);
    };
    for (let minute = 0; minute < 30; minute += 1) await workAMinute((die) => (died = die));
    // One before the attempts note where they are, and six that count.
    expect(deaths).toBe(7);
    expect(await recorded()).toEqual({ '2026-06-05': 'done', [BAD]: 'failed', '2026-06-15': 'done' });
    expect(await recordOfBad()).toMatchObject({
      reason: 'The scene cannot be used: every attempt was cut short.',
      isToBeTriedAgain: true,
    });
    expect(backfillOf(await onlyBackfill())).toMatchObject({ why: 'retry', from: BAD });
  });

  test('never begun, because each search ends its process, waits for a search some hours later', async () => {
    const search = service.catalogue.search.bind(service.catalogue);
    let died = (): void => undefined;
    let deaths = 0;
    service.catalogue.search = () => {
      deaths += 1;
      died();
      return new Promise(() => undefined);
    };
    for (let minute = 0; minute < 120; minute += 1) await workAMinute((die) => (died = die));
    expect(deaths).toBe(10);
    expect(told('Imagery:SearchPostponed')).toHaveLength(1);
    expect(await recorded()).toEqual({});
    service.catalogue.search = search;
    await passTimes(6, HOUR_MS);
    expect(Object.keys(await recorded())).toContain('2026-06-05');
  });
});

describe('the stop of an enrollment', () => {
  const stop = () => service.stop(KEY);
  beforeEach(async () => {
    service.catalogue.add(sceneOn('2026-06-15'));
    await enrolJune();
  });

  test('ends backfills that have not begun: nothing is searched', async () => {
    await stop();
    await service.drain();
    expect(service.catalogue.searches).toEqual([]);
    expect(await service.backfills()).toEqual([]);
  });

  test('ends those that wait for the catalogue', async () => {
    service.catalogue.fault = away;
    await service.drain();
    await stop();
    service.catalogue.fault = undefined;
    await pass(HOUR_MS);
    expect(await service.backfills()).toEqual([]);
    expect(service.paths()).toEqual([]);
  });

  test('has nothing made of what a search has found just now', async () => {
    const search = service.catalogue.search.bind(service.catalogue);
    service.catalogue.search = async (query) => {
      await stop();
      return search(query);
    };
    await service.drain();
    expect(service.paths()).toEqual([]);
    expect(await service.backfills()).toEqual([]);
  });
});

describe('the retry of a failure', () => {
  const DAY = '2026-06-15';
  const gone = new RasterError('unavailable', 'the server answered 410');
  const begun = (): number => told('Imagery:Searched').filter(({ why }) => why === 'retry').length;
  beforeEach(async () => {
    service.catalogue.add(sceneOn(DAY));
    service.reader.faults.set(DAY, gone);
    await enrolJune();
    await service.drain();
  });
  /** The days on which the days that failed are looked through, from 12:00 to 12:00. */
  async function daysOfTries(days: number): Promise<readonly number[]> {
    const tried: number[] = [];
    for (let day = 1; day <= days; day += 1) {
      const before = begun();
      await passTimes(24, HOUR_MS);
      // More than one a day would be a loop.
      for (let count = before; count < begun(); count += 1) tried.push(day);
    }
    return tried;
  }

  test('that fails again waits for its next day: after 1, 2, 4, … days', async () => {
    expect(await daysOfTries(20)).toEqual([1, 2, 4, 8, 16]);
    expect((await onlyBackfill()).parked?.askedAt).toBe(Date.parse('2026-07-22T05:30:00Z'));
  });

  test('is planned once, whoever asks for it meanwhile, at the time that was planned first', async () => {
    const planned = (await onlyBackfill()).notBefore;
    expect(planned).toBe(Date.parse('2026-06-21T05:30:00Z'));
    await askRetry(service.kernel.enqueuer)({ ...KEY, date: DAY, dueDate: '2026-06-25' });
    expect((await onlyBackfill()).notBefore).toBe(planned);
  });

  test('whose process dies behind its record is not lost', async () => {
    service.clock.jump(DAY_MS);
    await service.sweep();
    const { imagery } = service;
    const putIndex = imagery.putIndex.bind(imagery);
    let died = (): void => undefined;
    imagery.putIndex = () => {
      died();
      return new Promise(() => undefined);
    };
    await Promise.race([service.run((await service.take())!), new Promise<void>((resolve) => (died = resolve))]);
    imagery.putIndex = putIndex;
    await pass(MINUTE_MS);
    expect((await onlyBackfill()).notBefore).toBe(Date.parse('2026-06-22T05:30:00Z'));
    service.reader.faults.clear();
    await passTimes(24, HOUR_MS);
    expect(await recorded()).toEqual({ [DAY]: 'done' });
    expect(await service.backfills()).toEqual([]);
  });
});
