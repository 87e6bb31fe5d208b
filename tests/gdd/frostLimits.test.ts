import { describe, expect, test } from '@jest/globals';
import type { Crop } from '../../shared/gdd/days/crops.js';
import type { KnownDay } from '../../shared/gdd/days/season.js';
import { freezeDatesOf } from '../../shared/gdd/outlook/freezeDates.js';
import { frostsOf, killingFrostOf, stagesUntil, type Frost } from '../../shared/gdd/stages/frost.js';
import type { GddStageRecord } from '../../shared/gdd/form/gddRecord.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { daysOf } from '../../shared/gdd/weather/fieldDays.js';
import { referenceOf, referenceSpan } from '../../shared/gdd/weather/cache/weatherCache.js';

const stage = (code: string, date: string | null, changes: Partial<GddStageRecord> = {}): GddStageRecord => ({
  ...{ code, name: code, threshold: 1, unit: 'F', definition: '', date, basis: 'OBSERVED' },
  ...{ earliest: null, latest: null },
  ...changes,
});
/** Days from 1 May on; each brings 10 °C·day, and one of their nights is cold. */
const days = (count: number, nights: Readonly<Record<number, number>>): KnownDay[] =>
  Array.from({ length: count }, (_, index) => ({
    date: addDays('2026-05-01', index),
    source: 'OBSERVED',
    temperatures: { minC: nights[index] ?? 12, maxC: 28 },
  }));
const tens = (count: number): number[] => Array<number>(count).fill(10);

describe('frost in winter wheat, by the stage that it has reached', () => {
  test.each([
    { after: 'flowering', minC: 0, severity: undefined },
    { after: 'flowering', minC: -0.1, severity: 'NEAR' },
    { after: 'flowering', minC: -1.1, severity: 'DAMAGE' },
    { after: 'flowering', minC: -2.2, severity: 'KILLING' },
    { after: 'anthesis', minC: -0.1, severity: 'NEAR' },
    { after: 'anthesis', minC: -1.1, severity: 'DAMAGE' },
    { after: 'anthesis', minC: -2.2, severity: 'KILLING' },
    { after: 'milk', minC: -1.1, severity: undefined },
    { after: 'milk', minC: -1.2, severity: 'NEAR' },
    { after: 'milk', minC: -2.2, severity: 'KILLING' },
    { after: 'mature', minC: -10, severity: undefined },
  ])('after $after $minC °C is $severity', ({ after, minC, severity }) => {
    const stages = [stage('jointing', '2026-05-01'), stage(after, '2026-05-03'), stage('later', null)];
    const input = { crop: 'WINTER_WHEAT', startEvent: 'OTHER', daily: tens(5), stages } as const;
    const night = (index: number) =>
      frostsOf({ ...input, days: days(5, { [index]: minC }) }).map((each) => each.severity);
    // The stage counts from its own day on.
    expect(night(2)).toEqual(severity === undefined ? [] : [severity]);
    expect(night(3)).toEqual(severity === undefined ? [] : [severity]);
  });

  test('before its first stage is none, and a night that nobody knows neither', () => {
    const input = { crop: 'WINTER_WHEAT', startEvent: 'OTHER', daily: tens(2) } as const;
    expect(frostsOf({ ...input, stages: [stage('jointing', '2026-05-02')], days: days(2, { 0: -9 }) })).toEqual([]);
    const unknown: KnownDay[] = [{ date: '2026-05-01', source: 'NORMAL' }];
    expect(frostsOf({ ...input, stages: [stage('jointing', '2026-05-01')], days: unknown })).toEqual([]);
  });

  test('a hair above a limit is on it: corrected temperatures carry noise in their last bits', () => {
    const input = { crop: 'CORN', startEvent: 'EMERGENCE', daily: tens(1), stages: [] } as const;
    const [frost] = frostsOf({ ...input, days: days(1, { 0: -2.2 + 1e-10 }) });
    expect(frost?.severity).toBe('KILLING');
  });
});

describe('a crop is hit', () => {
  test.each<{ crop: Crop; emerges: number; why: string }>([
    { crop: 'CORN', emerges: 7, why: '115 °F·day are 63.9 °C·day' },
    { crop: 'SOYBEAN', emerges: 5, why: '90 °F·day are 50 °C·day' },
    { crop: 'COTTON', emerges: 3, why: '50 °F·day are 27.8 °C·day' },
    { crop: 'SUGAR_BEET', emerges: 10, why: 'a week at 60 °F: 100 °C·day above 34 °F' },
    { crop: 'CANOLA', emerges: 8, why: '76 °C·day' },
  ])('from the night after its $emerges days of 10 °C·day to emergence on: $crop, $why', ({ crop, emerges }) => {
    const hits = (index: number) =>
      frostsOf({
        ...{ crop, startEvent: 'PLANTING', daily: tens(12), stages: [] },
        days: days(12, { [index]: -9 }),
      }).map(({ hitsCrop }) => hitsCrop);
    expect([hits(emerges - 1), hits(emerges)]).toEqual([[false], [true]]);
  });

  test.each(['maturity', 'harvest'])('until the day of its %s', (name) => {
    const stages = [stage('a', '2026-05-02'), stage('last', '2026-05-05', { name })];
    const hits = (index: number) =>
      frostsOf({
        ...({ crop: 'CORN', startEvent: 'EMERGENCE', daily: tens(9), stages } as const),
        days: days(9, { [index]: -9 }),
      }).map(({ hitsCrop }) => hitsCrop);
    expect([hits(3), hits(4), hits(6)]).toEqual([[true], [false], [false]]);
  });

  test('for ever while its last stage is another one, or not reached', () => {
    for (const last of [stage('milk', '2026-05-02'), stage('R6', null, { name: 'maturity' })]) {
      const input = { crop: 'CORN', startEvent: 'EMERGENCE', daily: tens(9), stages: [last] } as const;
      expect(frostsOf({ ...input, days: days(9, { 6: -9 }) })[0]?.hitsCrop).toBe(true);
    }
  });

  test.each([
    { minC: -1.1, isNear: false },
    { minC: -1.2, isNear: true },
  ])('nearly killed within a degree of it: corn at $minC °C: $isNear', ({ minC, isNear }) => {
    const input = { crop: 'CORN', startEvent: 'EMERGENCE', daily: tens(2), stages: [] } as const;
    expect(frostsOf({ ...input, days: days(2, { 1: minC }) })[0]?.isNearKilling).toBe(isNear);
  });
});

describe('the stages that a killing frost leaves', () => {
  const frost = (changes: Partial<Frost> = {}): Frost => ({
    ...{ date: '2026-06-10', minC: -3, source: 'OBSERVED', severity: 'KILLING', hitsCrop: true, isNearKilling: true },
    ...changes,
  });

  test('are ended by the first that kills and hits the crop', () => {
    const [early, near, killing] = [frost({ hitsCrop: false }), frost({ severity: 'DAMAGE' }), frost({ date: 'x' })];
    expect(killingFrostOf([early, near, killing])).toBe(killing);
    expect(killingFrostOf([early, near])).toBeUndefined();
  });

  test('are all of them where there is none', () => {
    const stages = [stage('a', '2026-07-01')];
    expect(stagesUntil(undefined, stages)).toEqual(stages);
  });

  test.each([
    {
      why: 'one reached that day stays, its latest day is that day at most',
      before: { date: '2026-06-10', earliest: '2026-06-01', latest: '2026-06-20' },
      after: { date: '2026-06-10', earliest: '2026-06-01', latest: '2026-06-10', basis: 'OBSERVED' },
    },
    {
      why: 'a latest day before it stays',
      before: { date: '2026-06-08', earliest: '2026-06-01', latest: '2026-06-09' },
      after: { date: '2026-06-08', earliest: '2026-06-01', latest: '2026-06-09', basis: 'OBSERVED' },
    },
    {
      why: 'a certain day stays',
      before: { date: '2026-06-08', earliest: '2026-06-08', latest: '2026-06-08' },
      after: { date: '2026-06-08', earliest: '2026-06-08', latest: '2026-06-08', basis: 'OBSERVED' },
    },
    {
      why: 'one whose last day lies after the season ends on that day',
      before: { date: '2026-06-08', earliest: '2026-06-08', latest: null },
      after: { date: '2026-06-08', earliest: '2026-06-08', latest: '2026-06-10', basis: 'OBSERVED' },
    },
    {
      why: 'one of the day after is told as if the crop survived',
      before: { date: '2026-06-11', earliest: '2026-06-11', latest: '2026-06-20' },
      after: { date: null, earliest: null, latest: null, basis: null, dateIfSurvived: '2026-06-11' },
    },
    {
      why: 'what early seasons reach by that day is still possible',
      before: { date: '2026-06-15', earliest: '2026-06-10', latest: '2026-06-20' },
      after: { date: null, earliest: '2026-06-10', latest: null, basis: null, dateIfSurvived: '2026-06-15' },
    },
    {
      why: 'one that most seasons never reach has no day to tell',
      before: { date: null, earliest: '2026-06-30', latest: null },
      after: { date: null, earliest: null, latest: null, basis: null },
    },
  ])('$why', ({ before: { date, ...range }, after }) => {
    const { code, name, threshold, unit, definition } = stage('a', date);
    expect(stagesUntil(frost(), [stage('a', date, range)])).toStrictEqual([
      { code, name, threshold, unit, definition, ...after },
    ]);
  });
});

describe('the usual first and last freeze', () => {
  const yearsOf = (minC: (date: string) => number | undefined) =>
    referenceOf({
      origin: {} as never,
      retrievedAt: 0,
      days: daysOf(referenceSpan).flatMap((date) => {
        const value = minC(date);
        return value === undefined ? [] : [{ date, minC: value, maxC: 20 }];
      }),
    });
  const between = (date: string, from: string, to: string): boolean => date.slice(5) >= from && date.slice(5) <= to;

  test.each([
    { missing: 36, last: '09-05', counts: true, why: '36 of 365 nights are less than a tenth' },
    { missing: 37, last: '09-06', counts: false, why: '37 are more' },
  ])('of winters that lack $missing nights are told: $counts, for $why', ({ last, counts }) => {
    const patchy = yearsOf((date) =>
      between(date, '08-01', last) ? undefined : between(date, '11-05', '11-20') ? -1 : 3,
    );
    const found = freezeDatesOf(patchy, 45);
    // In leap years a winter has 366 nights, of which 37 are still more than a tenth.
    expect(found !== undefined).toBe(counts);
    if (counts) expect(found).toMatchObject({ firstFreeze: { median: '11-05' }, lastFreeze: { median: '11-20' } });
  });

  test('of 29 February count as those of the 28th', () => {
    const leap = yearsOf((date) => (between(date, '02-28', '02-29') ? -1 : 3));
    expect(freezeDatesOf(leap, 45)).toMatchObject({
      firstFreeze: { median: '02-28' },
      lastFreeze: { median: '02-28' },
    });
  });

  test('are one of ten, five of ten and nine of ten years, the earliest widened downwards and the latest upwards', () => {
    // The first freeze comes on the n-th of November of the n-th winter, the last on the n-th of March: 1 to 29.
    const day = (year: number): string => String(year - 1990).padStart(2, '0');
    const spread = yearsOf((date) => {
      const year = Number(date.slice(0, 4));
      return date.slice(5) === `11-${day(year)}` || date.slice(5) === `03-${day(year - 1)}` ? 0 : 0.1;
    });
    // Of 29 values the tenth percentile is the 3.8th, the ninetieth the 26.2th.
    expect(freezeDatesOf(spread, 45)).toEqual({
      firstFreeze: { earliest: '11-03', median: '11-15', latest: '11-27' },
      lastFreeze: { earliest: '03-03', median: '03-15', latest: '03-27' },
    });
  });

  test('at the equator are those of the north', () => {
    const cold = yearsOf((date) => (between(date, '06-01', '06-30') ? -1 : 3));
    expect(freezeDatesOf(cold, 0)).toMatchObject({ firstFreeze: { median: '06-01' } });
    expect(
      freezeDatesOf(
        yearsOf((date) => (between(date, '08-01', '08-01') ? -1 : 3)),
        0,
      ),
    ).toMatchObject({
      firstFreeze: { median: '08-01' },
      lastFreeze: { median: '08-01' },
    });
  });
});
