import { describe, expect, test } from '@jest/globals';
import { stopEnrollment } from '../../../shared/enrollments/stopEnrollment.js';
import { addDays } from '../../../shared/validation/calendar.js';
import { periodsDue, workDay } from '../../../shared/imagery/discovery/searchPeriods.js';
import { aScene } from '../builders.js';
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

describe('what is searched', () => {
  const period = { startDate: '2026-05-01', endDate: '2026-06-30' };
  const at = (nextDate: string) => ({ customer: 'c', enrollmentId: 'e', nextDate, lastDate: '2026-07-10' });

  test.each([
    {
      why: 'a new enrollment from its start, newest month first',
      next: '2026-05-01',
      today: '2026-06-15',
      expected: [
        { from: '2026-05-16', to: '2026-06-15' },
        { from: '2026-05-01', to: '2026-05-15' },
      ],
    },
    {
      why: 'the last ten days again of one whose days were searched before',
      next: '2026-06-15',
      today: '2026-06-15',
      expected: [{ from: '2026-06-05', to: '2026-06-15' }],
    },
    {
      why: 'never before the start',
      next: '2026-05-03',
      today: '2026-05-03',
      expected: [{ from: '2026-05-01', to: '2026-05-03' }],
    },
    {
      why: 'never after the end',
      next: '2026-07-05',
      today: '2026-07-05',
      expected: [{ from: '2026-06-25', to: '2026-06-30' }],
    },
    { why: 'a start in the future not at all', next: '2026-05-01', today: '2026-04-30', expected: [] },
  ])('$why', ({ next, today, expected }) => {
    expect(periodsDue(at(next), period, today)).toEqual(expected);
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

const sceneOn = (date: string) =>
  aScene({ id: `S2B_33UUP_${date}`, takenAt: `${date}T10:05:59.000Z`, datatake: `GS2B_${date}` });

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
    const fields = [{ fieldId, box: [13.14, 48.29, 13.142, 48.2915] as const }];
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
    expect(service.work.pending.size + service.work.active.size).toBe(0);
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
  const box = [13.14, 48.29, 13.142, 48.2915] as const;
  const enrolled = async (endDate: string): Promise<FeedUnderTest> => {
    const service = new FeedUnderTest('2026-06-20T05:00:00Z');
    await service.enrol({
      customer: 'contoso',
      enrollmentId: 'e',
      fields: [{ fieldId: 'north', box }],
      request: { startDate: '2026-06-10', endDate },
    });
    return service;
  };
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
    const service = await enrolled('2026-06-22');
    service.catalogue.add(sceneOn('2026-06-22'), Date.parse('2026-07-02T04:00:00Z'));
    await passDays(service, 14);
    expect(service.paths()).toContain('contoso/field-imagery/sentinel-2/north/2026-06-22/ndvi.tiff');
  });

  test('gets nothing that comes later, and nobody wants images any more', async () => {
    const service = await enrolled('2026-06-22');
    service.catalogue.add(sceneOn('2026-06-22'), Date.parse('2026-07-04T04:00:00Z'));
    await passDays(service, 14);
    const searches = service.catalogue.searches.length;
    await passDays(service, 8);
    expect(service.catalogue.searches).toHaveLength(searches);
    expect(service.interest.entries).toHaveLength(0);
    expect(service.paths()).toEqual([]);
  });

  test('has images of another tile where the catalogue has nothing of its own for days', async () => {
    const service = await enrolled('2026-07-30');
    await passDays(service, 2);
    service.catalogue.add(
      { ...sceneOn('2026-06-22'), id: 'neighbour', tile: '33UUQ' },
      Date.parse('2026-06-22T18:00:00Z'),
    );
    await passDays(service, 2);
    expect(service.paths()).toContain('contoso/field-imagery/sentinel-2/north/2026-06-22/ndvi.tiff');
  });

  test('that lies in the past is looked through once', async () => {
    const service = await enrolled('2026-06-12');
    service.catalogue.add(sceneOn('2026-06-12'));
    await service.plan('contoso');
    await service.drain();
    expect(service.paths()).toContain('contoso/field-imagery/sentinel-2/north/2026-06-12/ndvi.tiff');
  });

  test('that was stopped gets nothing more, not even what was already found', async () => {
    const service = await enrolled('2026-06-30');
    service.catalogue.add(sceneOn('2026-06-15'));
    await service.plan('contoso');
    await service.run(service.queue.take()!);
    const key = { customer: 'contoso', enrollmentId: 'e' };
    await stopEnrollment(service)(key);
    await service.drain();
    await passDays(service, 3);
    expect(service.paths()).toEqual([]);
    expect(service.catalogue.searches).toHaveLength(1);
  });
});
