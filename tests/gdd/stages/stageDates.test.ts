import { describe, expect, test } from '@jest/globals';
import { crops } from '../../../shared/gdd/days/crops.js';
import type { KnownDay } from '../../../shared/gdd/days/season.js';
import { stageModels } from '../../../shared/gdd/stages/growthStages.js';
import { stageDatesOf } from '../../../shared/gdd/stages/stageDates.js';
import { dayNumber } from '../../../shared/kit/validation/calendar.js';
import type { DaySpan } from '../../../shared/gdd/weather/fieldDays.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import { referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';

const origin = {
  provider: 'test',
  model: 'test',
  gridLatitude: 0,
  gridLongitude: 0,
  heightOf: 'cell',
  dayBoundary: 'civil',
  attribution: '',
  licence: '',
} as const;

/** Every day of 20 °C: worth 10 °C·day or 18 °F·day above 50 °F. From `normalFrom` on the season rests on normals. */
function season(span: DaySpan, { normalFrom = '9999-12-31', celsius = 20 } = {}): KnownDay[] {
  return daysOf(span).map((date) =>
    date >= normalFrom
      ? { date, source: 'NORMAL' }
      : { date, source: 'OBSERVED', temperatures: { minC: celsius, maxC: celsius } },
  );
}

/** Reference years of 15 °C to 29.5 °C, in no order. */
const reference = referenceOf({
  origin,
  retrievedAt: 0,
  days: daysOf(referenceSpan).map((date) => {
    const celsius = 15 + ((7 * (Number(date.slice(0, 4)) - 1991)) % 30) / 2;
    return { date, minC: celsius, maxC: celsius };
  }),
});

describe('growth stages of corn', () => {
  const span = { from: '2026-05-01', to: '2026-08-31' };

  test('an observed stage has one date: V8, 600 °F·day, is reached on the 34th day of 18', () => {
    const dates = stageDatesOf(stageModels.CORN, { span, days: season(span), reference, unit: 'F' });
    expect(dates?.stages[0]).toEqual({
      code: 'V8',
      name: '8 leaves',
      threshold: 600,
      unit: 'F',
      definition: 'CLIP 50/86 °F',
      date: '2026-06-03',
      basis: 'OBSERVED',
      earliest: '2026-06-03',
      latest: '2026-06-03',
    });
  });

  test.each([
    { why: 'within the season', to: '2026-09-30', latest: '2026-09-22' }, // 2600 / 18 = 144.4 days
    { why: 'after it', to: '2026-09-15', latest: null },
  ])('an observed stage of two sums ends on the day of the second one: R6, $why', ({ to, latest }) => {
    const long = { from: '2026-05-01', to };
    const dates = stageDatesOf(stageModels.CORN, { span: long, days: season(long), reference, unit: 'F' });
    const r6 = { code: 'R6', date: '2026-09-11', earliest: '2026-09-11', latest }; // 2400 / 18 = 133.3 days
    expect(dates?.stages.at(-1)).toMatchObject(r6);
  });

  test('a stage beyond gddEndDate has no date: R6 wants 134 days of 18', () => {
    const dates = stageDatesOf(stageModels.CORN, { span, days: season(span), reference, unit: 'F' });
    expect(dates?.stages.at(-1)).toMatchObject({ code: 'R6', thresholdUpTo: 2600, date: null, basis: null });
  });

  test('a stage that depends on normals has the day of the median year and a range', () => {
    const days = season(span, { normalFrom: '2026-06-01' });
    const stages = stageDatesOf(stageModels.CORN, { span, days, reference, unit: 'F' })?.stages ?? [];
    // 31 days make 558 °F·day; VT wants 642 more: 5 °C·day a day in the coldest year, 19.5 in the warmest.
    const vt = stages.find(({ code }) => code === 'VT')!;
    expect(vt.basis).toBe('NORMAL');
    const after = (celsius: number): number => dayNumber('2026-06-01') - 1 + Math.ceil(642 / 1.8 / (celsius - 10));
    const between = (date: string | null): number => dayNumber(date!);
    // The middle year is one of 22.25 °C, and the warming expected everywhere makes it about half a degree more.
    expect(between(vt.date)).toBeGreaterThanOrEqual(after(23.5));
    expect(between(vt.date)).toBeLessThanOrEqual(after(22));
    expect(between(vt.earliest)).toBeLessThan(between(vt.date));
    expect(between(vt.latest)).toBeGreaterThan(between(vt.date));
  });
});

describe('the definition of a stage', () => {
  test('is its own and not that of the sum: sugar beet stages count 50/86 °F', () => {
    const span = { from: '2026-05-01', to: '2026-06-30' };
    const dates = stageDatesOf(stageModels.SUGAR_BEET, { span, days: season(span), reference, unit: 'F' });
    expect(dates?.model).toMatchObject({ definition: 'CLIP 50/86 °F', unit: 'F', countedFrom: '2026-05-01' });
    expect(dates?.stages[0]?.date).toBe('2026-05-14'); // 247 / 18 = 13.7 days
  });

  test.each([
    { crop: 'CANOLA', unit: 'C', threshold: 1500, definition: 'AVERAGE 0 °C', date: '2026-07-14' },
    { crop: 'CANOLA', unit: 'F', threshold: 2700, definition: 'AVERAGE 32 °F', date: '2026-07-14' },
    { crop: 'CORN', unit: 'F', threshold: 600, definition: 'CLIP 50/86 °F', date: '2026-06-03' },
    { crop: 'CORN', unit: 'C', threshold: 333.33, definition: 'CLIP 10/30 °C', date: '2026-06-03' },
    { crop: 'COTTON', unit: 'C', threshold: 27.78, definition: 'AVERAGE 15.56 °C', date: '2026-05-07' },
  ] as const)('is told in the unit asked for: the first stage of $crop in °$unit', ({ crop, unit, date, ...told }) => {
    const span = { from: '2026-05-01', to: '2026-08-31' };
    const dates = stageDatesOf(stageModels[crop], { span, days: season(span), reference, unit });
    expect(dates?.stages[0]).toMatchObject({ unit, date, ...told });
    expect(dates?.model).toMatchObject({ unit, definition: told.definition });
  });

  test('has its upper sum in the unit asked for too: R6, 2400 to 2600 °F·day, is 1333.33 to 1444.44 °C·day', () => {
    const span = { from: '2026-05-01', to: '2026-08-31' };
    const dates = stageDatesOf(stageModels.CORN, { span, days: season(span), reference, unit: 'C' });
    expect(dates?.stages.at(-1)).toMatchObject({ threshold: 1333.33, thresholdUpTo: 1444.44, unit: 'C' });
  });
});

describe('stages of winter wheat, counted from 1 January', () => {
  const countedFrom = (span: DaySpan) =>
    stageDatesOf(stageModels.WINTER_WHEAT, { span, days: season(span), reference, unit: 'F' })?.model.countedFrom;

  test.each([
    { why: 'an autumn sowing', from: '2025-09-15', to: '2026-07-25', start: '2026-01-01' },
    { why: 'a season that begins on 1 January', from: '2026-01-01', to: '2026-07-25', start: '2026-01-01' },
    {
      why: 'a season that begins later: its sum so far is not known',
      from: '2026-03-01',
      to: '2026-07-25',
      start: undefined,
    },
    { why: 'a season that ends before', from: '2025-09-15', to: '2025-12-24', start: undefined },
    { why: 'a spring sowing that ends after new year', from: '2026-03-01', to: '2027-02-01', start: undefined },
  ])('$why: $start', ({ from, to, start }) => {
    expect(countedFrom({ from, to })).toBe(start);
  });

  test('leave out what the autumn brought', () => {
    const span = { from: '2025-09-15', to: '2026-07-25' };
    const days = season(span).map((day) =>
      day.date < '2026-01-01' ? { ...day, temperatures: { minC: -5, maxC: -5 } } : day,
    );
    const [jointing] = stageDatesOf(stageModels.WINTER_WHEAT, { span, days, reference, unit: 'F' })?.stages ?? [];
    expect(jointing?.date).toBe('2026-01-23');
  });

  test('jointing, 800 °F·day above 32 °F, takes 23 days of 20 °C', () => {
    const span = { from: '2025-09-15', to: '2026-07-25' };
    const dates = stageDatesOf(stageModels.WINTER_WHEAT, { span, days: season(span), reference, unit: 'F' });
    expect(dates?.stages[0]).toMatchObject({ code: 'jointing', date: '2026-01-23' });
  });
});

describe('the table of stages', () => {
  test.each(crops)('%s: thresholds rise and every model is cited', (crop) => {
    const { stages, reference: cited, caution } = stageModels[crop];
    const thresholds = stages.map(({ threshold }) => threshold);
    expect(thresholds).toEqual(thresholds.toSorted((a, b) => a - b));
    expect(cited.length).toBeGreaterThan(10);
    expect(caution.length).toBeGreaterThan(5);
    for (const { threshold, upTo } of stages) if (upTo !== undefined) expect(upTo).toBeGreaterThan(threshold);
  });
});
