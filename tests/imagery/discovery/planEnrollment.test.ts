import { beforeEach, describe, expect, test } from '@jest/globals';
import { BACKFILL, PLAN, planOf } from '../../../shared/imagery/discovery/backfill.js';
import { beginMonitoring, planKind } from '../../../shared/imagery/discovery/planEnrollment.js';
import { PRODUCT } from '../../../shared/imagery/products/product.js';
import { workDay } from '../../../shared/scenes/stac/searchPeriods.js';
import { UNIT } from '../../../shared/imagery/units/unit.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { settle } from '../../support/manualClock.js';
import { aScene } from '../builders.js';
import { LEASE_MS } from '../imageryUnderTest.js';
import { FeedUnderTest } from './feedUnderTest.js';

describe('the day whose work is due', () => {
  test.each([
    { now: '2026-06-15T05:29:59Z', day: '2026-06-14' },
    { now: '2026-06-15T05:30:00Z', day: '2026-06-15' },
    { now: '2026-06-15T23:59:59Z', day: '2026-06-15' },
  ])('at $now is $day', ({ now, day }) => {
    expect(workDay(Date.parse(now))).toBe(day);
  });
});

const BOX = [13.14, 48.29, 13.142, 48.2915] as const;
const KEY = { customer: 'contoso', enrollmentId: 'e' };
const sceneOn = (date: string) =>
  aScene({ id: `S2B_33UUP_${date}`, takenAt: `${date}T10:05:59.000Z`, datatake: `GS2B_${date}` });
const pathOf = (date: string): string => `contoso/field-imagery/sentinel-2/north/${date}/ndvi.tiff`;

/** An enrollment whose fields were just ingested: its plan is asked for. */
async function enrolled(now: string, startDate: string, endDate = '2026-06-30'): Promise<FeedUnderTest> {
  const service = new FeedUnderTest(now);
  await service.enrol({ ...KEY, fields: [{ fieldId: 'north', box: BOX }], request: { startDate, endDate } });
  return service;
}

/** The days that each search is about, in the order of searching. */
const searched = ({ log }: FeedUnderTest) =>
  log.filter(({ event }) => event === 'Imagery:Searched').map(({ facts: { from, to } }) => ({ from, to }));

describe('what is searched of a new enrollment', () => {
  test.each([
    {
      why: 'its days to the present one, newest month first',
      now: '2026-06-15T05:30:00Z',
      expected: [
        { from: '2026-05-16', to: '2026-06-15' },
        { from: '2026-05-01', to: '2026-05-15' },
      ],
    },
    {
      why: 'nothing before its start',
      now: '2026-05-03T05:30:00Z',
      expected: [{ from: '2026-05-01', to: '2026-05-03' }],
    },
    {
      why: 'nothing after its end',
      now: '2026-07-05T05:30:00Z',
      expected: [
        { from: '2026-05-31', to: '2026-06-30' },
        { from: '2026-05-01', to: '2026-05-30' },
      ],
    },
    { why: 'nothing of a start in the future', now: '2026-04-30T23:59:59Z', expected: [] },
  ])('is $why', async ({ now, expected }) => {
    const service = await enrolled(now, '2026-05-01');
    await service.drain();
    expect(searched(service)).toEqual(expected);
  });

  test('is nothing once the monitoring has begun: the feed finds what comes later', async () => {
    const service = await enrolled('2026-06-15T12:00:00Z', '2026-06-01');
    await service.drain();
    service.clock.jump(86_400_000);
    await service.sweep();
    await service.drain();
    expect(searched(service)).toEqual([{ from: '2026-06-01', to: '2026-06-15' }]);
  });
});

describe('an enrollment that begins in the future', () => {
  test('begins at 05:30 UTC of its first day: then it enters the index, and its days are searched', async () => {
    const service = await enrolled('2026-06-15T12:00:00Z', '2026-06-20');
    const passTo = async (instant: string): Promise<void> => {
      service.clock.jump(Date.parse(instant) - service.clock.now().getTime());
      await service.sweep();
      await service.drain();
    };
    for (const instant of ['2026-06-15T12:01:00Z', '2026-06-20T05:29:59Z']) {
      await passTo(instant);
      expect(service.interest.entries).toEqual([]);
      expect(searched(service)).toEqual([]);
    }
    await passTo('2026-06-20T05:30:00Z');
    expect(service.interest.entries).not.toEqual([]);
    expect(searched(service)).toEqual([{ from: '2026-06-20', to: '2026-06-20' }]);
  });
});

describe('the beginning of an enrollment', () => {
  let service: FeedUnderTest;
  beforeEach(async () => {
    service = await enrolled('2026-06-15T12:00:00Z', '2026-06-01');
    service.catalogue.add(sceneOn('2026-06-10'));
  });

  const isIndexed = (): boolean => service.interest.entries.length > 0;
  const minutesPass = async (minutes: number): Promise<void> => {
    service.clock.jump(minutes * 60_000);
    await service.sweep();
    await service.drain();
  };

  test('that dies between the index and the backfills is repeated', async () => {
    const enqueuer = { ask: () => new Promise<never>(() => undefined) };
    void service.handle(planOf(KEY), planKind({ ...service.ports, enqueuer }, LEASE_MS));
    await settle();
    expect(isIndexed()).toBe(true);
    expect(await service.backfills()).toEqual([]);
    await minutesPass(1);
    expect(service.paths()).toContain(pathOf('2026-06-10'));
  });

  test('that fails is repeated until it succeeds', async () => {
    const write = service.interest.write.bind(service.interest);
    service.interest.write = () => Promise.reject(new Error('away'));
    await service.drain();
    for (let hour = 0; hour < 30; hour += 1) await minutesPass(60);
    expect(service.log.map(({ event }) => event)).toContain('Imagery:PlanFailed');
    service.interest.write = write;
    await minutesPass(60);
    expect(service.paths()).toContain(pathOf('2026-06-10'));
    expect(await service.kernel.find(planOf(KEY))).toBeUndefined();
  });

  test('whose message is lost gets another from the sweep', async () => {
    service.kernel.messages.sent.length = 0;
    await minutesPass(2);
    expect(service.paths()).toContain(pathOf('2026-06-10'));
  });

  test('that a stop comes between, after it entered the index, takes it out again', async () => {
    const write = service.interest.write.bind(service.interest);
    service.interest.write = async (entries) => {
      await service.stop(KEY);
      await write(entries);
    };
    await service.drain();
    expect(isIndexed()).toBe(false);
    expect(service.catalogue.searches).toEqual([]);
    expect(await service.kernel.find(planOf(KEY))).toBeUndefined();
  });

  test('is nothing for one that was stopped before', async () => {
    await service.stop(KEY);
    await service.drain();
    expect(isIndexed()).toBe(false);
    expect(service.catalogue.searches).toEqual([]);
  });

  test('may come twice, at once or later: nothing is made twice', async () => {
    const { enrollment } = (await service.enrollments.find(KEY))!;
    await Promise.all([planOf(KEY), planOf(KEY)].map((key) => service.run(key)));
    await beginMonitoring(service.ports)(enrollment);
    await service.drain();
    const [entries, writes] = [service.interest.entries, service.imagery.writes.length];
    expect(service.paths()).toContain(pathOf('2026-06-10'));
    await beginMonitoring(service.ports)(enrollment);
    await service.drain();
    expect(service.interest.entries).toEqual(entries);
    expect(service.imagery.writes).toHaveLength(writes);
    expect(await service.backfills()).toEqual([]);
  });
});

/** Repeatable chance. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

const FIRST_DAY = '2026-06-01';
/** Days of 40 on which a scene is taken, and how many days later the catalogue shows it. */
const PASSES = Array.from({ length: 10 }, (_, index) => ({
  date: addDays('2026-05-20', index * 5),
  lateDays: [0, 1, 4, 9][index % 4]!,
}));

const ENROLLMENTS = [
  { customer: 'contoso', enrollmentId: 'season', fieldId: 'north', startDate: '2026-05-20', endDate: '2026-06-20' },
  { customer: 'contoso', enrollmentId: 'june', fieldId: 'south', startDate: '2026-06-09', endDate: '2026-06-24' },
  { customer: 'fabrikam', enrollmentId: 'later', fieldId: 'north', startDate: '2026-06-14', endDate: '2026-07-31' },
] as const;

/** Hours between two polls of these days. */
const POLL_HOURS = 6;

/**
 * Lives through 30 days with ticks that are missed and doubled, and with one scene of five that no poll is ever shown; gives
 * the days of which each field has its item.
 */
async function thirtyDays(seed: number): Promise<{ readonly service: FeedUnderTest; readonly missed: number }> {
  const random = chances(seed);
  const service = new FeedUnderTest(`${FIRST_DAY}T05:30:00Z`);
  for (const [index, { date, lateDays }] of PASSES.entries()) {
    const scene = sceneOn(date);
    service.catalogue.add(scene, Date.parse(`${addDays(date, lateDays)}T14:00:00Z`));
    if (index % 5 === 1) service.unshown.add(scene.id);
  }
  for (const { customer, enrollmentId, fieldId, startDate, endDate } of ENROLLMENTS) {
    const fields = [{ fieldId, box: BOX }];
    await service.enrol({ customer, enrollmentId, fields, request: { startDate, endDate } });
  }
  let missed = 0;
  const ticks = (30 * 24) / POLL_HOURS;
  for (let tick = 0; tick <= ticks; tick += 1) {
    const chance = random();
    const act = tick % (24 / POLL_HOURS) === 0 ? () => service.night() : () => service.poll();
    // Missed ticks at the very end would hide what the next day would have done.
    if (chance < 0.2 && tick < ticks - 4) missed += 1;
    else await act();
    if (chance > 0.8) await act();
    await service.sweep();
    await service.drainAll();
    await service.clock.advance(POLL_HOURS * 3_600_000);
  }
  return { service, missed };
}

/** Whatever is not done. */
const openWork = async ({ kernel: { store } }: FeedUnderTest) =>
  (await Promise.all([PLAN, BACKFILL, PRODUCT, UNIT].map((kind) => store.list(kind)))).flat();

/** What must be there: every pass inside the period that the catalogue has shown by the last day. */
function expectedPaths(): readonly string[] {
  const lastTick = `${addDays(FIRST_DAY, 30)}T05:30:00Z`;
  return ENROLLMENTS.flatMap(({ customer, fieldId, startDate, endDate }) => {
    const root = `${customer}/field-imagery/sentinel-2/${fieldId}`;
    const days = PASSES.filter(
      ({ date, lateDays }) => date >= startDate && date <= endDate && `${addDays(date, lateDays)}T14:00:00Z` < lastTick,
    );
    return [
      `${root}/index.json`,
      `${root}/items.json`,
      `${root}/statistics.csv`,
      ...days.flatMap(({ date }) => [`${root}/${date}/metadata.json`, `${root}/${date}/ndvi.tiff`]),
    ];
  }).sort();
}

describe('thirty days with a fifth of polls and nights missed, a fifth doubled, and scenes that no poll is shown', () => {
  test.each([1, 2, 3, 4, 5])('leave exactly the files of every day, with seed %i', async (seed) => {
    const { service, missed } = await thirtyDays(seed);
    expect(missed).toBeGreaterThan(0);
    expect(service.paths()).toEqual(expectedPaths());
    expect(await openWork(service)).toEqual([]);
    // One search for each enrollment, when it begins: what comes later is found by place.
    expect(service.catalogue.searches).toHaveLength(ENROLLMENTS.length);
  });

  test('make nothing twice: each file is written once', async () => {
    const { service } = await thirtyDays(1);
    const files = service.imagery.writes.filter((path) => path.endsWith('.tiff'));
    expect(new Set(files).size).toBe(files.length);
  });
});

describe('an enrollment at its end', () => {
  const ending = (endDate: string): Promise<FeedUnderTest> => enrolled('2026-06-20T05:00:00Z', '2026-06-10', endDate);
  const passDays = async (service: FeedUnderTest, days: number): Promise<void> => {
    for (let day = 0; day < days; day += 1) {
      await service.clock.advance(86_400_000);
      await service.night();
      await service.sweep();
      await service.poll();
      await service.drainAll();
    }
  };

  test('gets its last day, and a scene of it that comes ten days late', async () => {
    const service = await ending('2026-06-22');
    service.catalogue.add(sceneOn('2026-06-22'), Date.parse('2026-07-02T04:00:00Z'));
    await passDays(service, 14);
    expect(service.paths()).toContain(pathOf('2026-06-22'));
  });

  test('gets nothing that comes later, and nobody wants images any more', async () => {
    const service = await ending('2026-06-22');
    service.catalogue.add(sceneOn('2026-06-22'), Date.parse('2026-07-04T04:00:00Z'));
    await passDays(service, 14);
    const searches = service.catalogue.searches.length;
    await passDays(service, 8);
    expect(service.catalogue.searches).toHaveLength(searches);
    expect(service.interest.entries).toHaveLength(0);
    expect(service.paths()).toEqual([]);
  });

  test('has images of another tile where the catalogue has nothing of its own for days', async () => {
    const service = await ending('2026-07-30');
    await passDays(service, 2);
    service.catalogue.add(
      { ...sceneOn('2026-06-22'), id: 'neighbour', tile: '33UUQ' },
      Date.parse('2026-06-22T18:00:00Z'),
    );
    await passDays(service, 2);
    expect(service.paths()).toContain(pathOf('2026-06-22'));
  });

  test('that lies in the past is looked through once', async () => {
    const service = await ending('2026-06-12');
    service.catalogue.add(sceneOn('2026-06-12'));
    await service.drain();
    expect(service.paths()).toContain(pathOf('2026-06-12'));
    await passDays(service, 8);
    expect(service.catalogue.searches).toHaveLength(1);
  });

  test('that was stopped gets nothing more', async () => {
    const service = await ending('2026-06-30');
    service.catalogue.add(sceneOn('2026-06-15'));
    await service.run((await service.take())!);
    expect(await service.backfills()).not.toEqual([]);
    await service.stop(KEY);
    await service.drain();
    await passDays(service, 3);
    expect(service.paths()).toEqual([]);
    expect(service.catalogue.searches).toEqual([]);
  });
});
