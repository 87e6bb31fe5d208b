import { describe, expect, test } from '@jest/globals';
import { addDays } from '../../../shared/validation/calendar.js';
import { periodsDue, nextDateAfter, workDay } from '../../../shared/imagery/discovery/searchPeriods.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

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
      why: 'a daily tick and the ten days before',
      next: '2026-06-15',
      today: '2026-06-15',
      expected: [{ from: '2026-06-05', to: '2026-06-15' }],
    },
    {
      why: 'after missed ticks from the last one on',
      next: '2026-06-12',
      today: '2026-06-15',
      expected: [{ from: '2026-06-02', to: '2026-06-15' }],
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
    {
      why: 'ten days after the end only the last day',
      next: '2026-07-10',
      today: '2026-07-10',
      expected: [{ from: '2026-06-30', to: '2026-06-30' }],
    },
    { why: 'a start in the future not at all', next: '2026-05-01', today: '2026-04-30', expected: [] },
  ])('$why', ({ next, today, expected }) => {
    expect(periodsDue(at(next), period, today)).toEqual(expected);
  });

  test('ends with the tenth day after the end', () => {
    expect(nextDateAfter(at('2026-07-09'), '2026-07-09')).toBe('2026-07-10');
    expect(nextDateAfter(at('2026-07-10'), '2026-07-10')).toBeUndefined();
    expect(nextDateAfter(at('2026-05-01'), '2027-01-01')).toBeUndefined();
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

/** Runs 30 days with ticks that are missed and doubled, and gives the days of which each field has its item. */
async function thirtyDays(seed: number): Promise<{ readonly service: ImageryUnderTest; readonly missed: number }> {
  const random = chances(seed);
  const service = new ImageryUnderTest(`${FIRST_DAY}T05:00:00Z`);
  for (const { date, lateDays } of PASSES) {
    service.catalogue.add(sceneOn(date), Date.parse(`${addDays(date, lateDays)}T14:00:00Z`));
  }
  for (const { customer, enrollmentId, fieldId, startDate, endDate } of ENROLLMENTS) {
    const fields = [{ fieldId, box: [13.14, 48.29, 13.142, 48.2915] as const }];
    await service.enrol({ customer, enrollmentId, fields, request: { startDate, endDate } });
  }
  let missed = 0;
  for (let day = 0; day < 30; day += 1) {
    await service.clock.advance(Date.parse(`${addDays(FIRST_DAY, day)}T05:30:00Z`) - service.clock.now().getTime());
    const chance = random();
    // Missed ticks at the very end would hide what the next day would have done.
    if (chance < 0.2 && day < 29) {
      missed += 1;
      continue;
    }
    await service.sweep();
    if (chance > 0.8) await service.sweep();
    await service.drain();
  }
  return { service, missed };
}

/** What must be there: every pass inside the period that the catalogue has shown by the last day. */
function expectedPaths(): readonly string[] {
  const lastTick = `${addDays(FIRST_DAY, 29)}T05:30:00Z`;
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

describe('thirty days with a fifth of the ticks missed and a fifth doubled', () => {
  test.each([1, 2, 3, 4, 5])('leave exactly the files of every day, with seed %i', async (seed) => {
    const { service, missed } = await thirtyDays(seed);
    expect(missed).toBeGreaterThan(0);
    expect(service.paths()).toEqual(expectedPaths());
    expect(service.work.pending.size + service.work.active.size).toBe(0);
  });

  test('make nothing twice: each file is written once', async () => {
    const { service } = await thirtyDays(1);
    const files = service.imagery.writes.filter((path) => path.endsWith('.tiff'));
    expect(new Set(files).size).toBe(files.length);
  });
});

describe('an enrollment at its end', () => {
  const box = [13.14, 48.29, 13.142, 48.2915] as const;
  const enrolled = async (endDate: string): Promise<ImageryUnderTest> => {
    const service = new ImageryUnderTest('2026-06-20T05:00:00Z');
    await service.enrol({
      customer: 'contoso',
      enrollmentId: 'e',
      fields: [{ fieldId: 'north', box }],
      request: { startDate: '2026-06-10', endDate },
    });
    return service;
  };
  const passDays = async (service: ImageryUnderTest, days: number): Promise<void> => {
    for (let day = 0; day < days; day += 1) {
      await service.clock.advance(86_400_000);
      await service.sweep();
      await service.drain();
    }
  };

  test('gets its last day, and a scene of it that comes ten days late', async () => {
    const service = await enrolled('2026-06-22');
    service.catalogue.add(sceneOn('2026-06-22'), Date.parse('2026-07-02T04:00:00Z'));
    await passDays(service, 14);
    expect(service.paths()).toContain('contoso/field-imagery/sentinel-2/north/2026-06-22/ndvi.tiff');
  });

  test('gets nothing that comes later, and is searched no more', async () => {
    const service = await enrolled('2026-06-22');
    service.catalogue.add(sceneOn('2026-06-22'), Date.parse('2026-07-04T04:00:00Z'));
    await passDays(service, 14);
    const searches = service.catalogue.searches.length;
    await passDays(service, 5);
    expect(service.catalogue.searches).toHaveLength(searches);
    expect(service.paths()).toEqual([]);
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
    const stored = (await service.enrollments.find(key))!;
    await service.enrollments.stop(stored, { ...stored.enrollment, stoppedAt: 1 });
    await service.fields.release(key);
    await service.drain();
    await passDays(service, 3);
    expect(service.paths()).toEqual([]);
    expect(service.catalogue.searches).toHaveLength(1);
  });
});
