import { describe, expect, test } from '@jest/globals';
import type { Crop } from '../../shared/gdd/days/crops.js';
import type { KnownDay } from '../../shared/gdd/days/season.js';
import type { StageInput } from '../../shared/gdd/stages/stageDates.js';
import { stagesOfSeason } from '../../shared/gdd/stages/stagesOfSeason.js';
import { daysOf } from '../../shared/gdd/weather/fieldDays.js';
import { referenceOf, referenceSpan, type ReferenceWeather } from '../../shared/gdd/weather/cache/weatherCache.js';

const iowa = { latitude: 42, longitude: -93 };
const spain = { latitude: 41.6, longitude: -4.7 };

/** Reference years with the same mean temperature on every day, unless a rule says otherwise. */
const years = (meanC: (date: string) => number): ReferenceWeather =>
  referenceOf({
    origin: {} as never,
    retrievedAt: 0,
    days: daysOf(referenceSpan).map((date) => ({ date, minC: meanC(date) - 5, maxC: meanC(date) + 5 })),
  });

function seasonOf({ crop, from = '2026-05-10', ...asked }: { crop: Crop; from?: string } & Partial<StageInput>) {
  const span = { from, to: `${from.slice(0, 4)}-12-20` };
  const days = daysOf(span).map((date): KnownDay => ({
    date,
    source: 'OBSERVED',
    temperatures: { minC: 12, maxC: 24 },
  }));
  const input = { startEvent: 'PLANTING', place: iowa, reference: undefined, isBiasRemoved: false, unit: 'F' } as const;
  return stagesOfSeason({ ...input, crop, span, days, ...asked });
}
const isDoubted = (season: ReturnType<typeof seasonOf>): boolean =>
  season.warnings.some((warning) => warning.includes('is no likely planting date'));

describe('a planting date', () => {
  test.each<{ crop: Crop; least: number; place?: typeof iowa }>([
    { crop: 'CORN', least: 8 },
    { crop: 'SOYBEAN', least: 8 },
    { crop: 'COTTON', least: 13 },
    { crop: 'SUGAR_BEET', least: 3 },
    { crop: 'CANOLA', least: 3 },
    { crop: 'WINTER_WHEAT', least: 0, place: spain },
  ])('of $crop is likely in a week of $least °C and not in a colder one', ({ crop, least, place = iowa }) => {
    const at = (meanC: number) => seasonOf({ crop, place, reference: years(() => meanC) });
    expect([isDoubted(at(least)), isDoubted(at(least - 0.1))]).toEqual([false, true]);
  });

  test('of winter wheat is not in a week of more than 20 °C; for other crops none is too warm', () => {
    const at = (crop: Crop, meanC: number) => seasonOf({ crop, place: spain, reference: years(() => meanC) });
    expect([20, 20.1].map((meanC) => isDoubted(at('WINTER_WHEAT', meanC)))).toEqual([false, true]);
    expect(isDoubted(at('COTTON', 40))).toBe(false);
  });

  test('is judged by the seven days from it on, over all reference years', () => {
    const inWeek = (date: string): boolean => date.slice(5) >= '05-10' && date.slice(5) <= '05-16';
    const reference = years((date) => (inWeek(date) ? 8 : -50));
    expect(isDoubted(seasonOf({ crop: 'CORN', reference }))).toBe(false);
    for (const from of ['2026-05-09', '2026-05-11'])
      expect(isDoubted(seasonOf({ crop: 'CORN', from, reference }))).toBe(true);
    // 15 cold years and 15 warm ones have 8 °C on average; the last year is one of them.
    const halves = years((date) => (date < '2006' ? 2 : 14));
    expect(isDoubted(seasonOf({ crop: 'CORN', reference: halves }))).toBe(false);
    const colder = years((date) => (date < '2006' ? 2 : date < '2020' ? 14 : 13));
    expect(isDoubted(seasonOf({ crop: 'CORN', reference: colder }))).toBe(true);
  });

  test('on 29 February is that of the 28th', () => {
    const reference = years((date) => (date.slice(5) < '02-28' ? -50 : 8));
    expect(isDoubted(seasonOf({ crop: 'CORN', from: '2028-02-29', reference }))).toBe(false);
  });

  test('is judged by the days that have both temperatures', () => {
    const all = years(() => 8);
    const isEven = (index: number): boolean => index % 2 === 0;
    const noLows = { ...all, minC: all.minC.map((minC, index) => (isEven(index) ? null : minC)) };
    const noHighs = { ...all, maxC: all.maxC.map((maxC, index) => (isEven(index) ? null : maxC)) };
    for (const reference of [noLows, noHighs]) expect(isDoubted(seasonOf({ crop: 'CORN', reference }))).toBe(false);
    const none = { ...all, minC: all.minC.map(() => null) };
    expect(isDoubted(seasonOf({ crop: 'CORN', reference: none }))).toBe(false);
  });

  test('that is not likely leaves stages and frost out and says what the week is like', () => {
    const { stages, isPlanted, warnings, model } = seasonOf({ crop: 'CORN', reference: years(() => -3.4) });
    expect([stages, isPlanted, model]).toEqual([[], false, undefined]);
    expect(warnings).toEqual([
      'Growth stages are left out: 2026-05-10 is no likely planting date here (the week from it on has −3 °C on average). Name the start in startEvent.',
    ]);
  });

  test('is not doubted when the start is named another one, or no reference years are known', () => {
    const reference = years(() => -3);
    expect(seasonOf({ crop: 'CORN', startEvent: 'EMERGENCE', reference })).toMatchObject({ isPlanted: true });
    expect(seasonOf({ crop: 'CORN' })).toMatchObject({ isPlanted: true, warnings: [] });
  });
});

describe('a start that no stages are published from', () => {
  test.each([
    { crop: 'SOYBEAN', startEvent: 'EMERGENCE', words: 'for this crop they are published from planting only.' },
    { crop: 'CANOLA', startEvent: 'EMERGENCE', words: 'for this crop they are published from planting only.' },
    { crop: 'CORN', startEvent: 'GREEN_UP', words: 'none are published from GREEN_UP.' },
  ] as const)('leaves them out and the crop standing: $startEvent of $crop', ({ crop, startEvent, words }) => {
    expect(seasonOf({ crop, startEvent })).toStrictEqual({
      stages: [],
      warnings: [`Growth stages are left out: ${words}`],
      isPlanted: true,
    });
  });

  test.each([
    { crop: 'CORN', code: 'R6', threshold: 2400 - 115, upTo: 2600 - 115, count: 7 },
    { crop: 'COTTON', code: 'harvest', threshold: 2200 - 50, upTo: 2600 - 60, count: 6 },
  ] as const)('is not emergence of $crop: its thresholds are brought forward', ({ crop, code, ...expected }) => {
    const { stages } = seasonOf({ crop, startEvent: 'EMERGENCE' });
    expect(stages).toHaveLength(expected.count);
    const { threshold, upTo: thresholdUpTo } = expected;
    expect(stages.at(-1)).toMatchObject({ code, threshold, thresholdUpTo });
    expect(seasonOf({ crop }).stages.at(-1)).toMatchObject({ threshold: crop === 'CORN' ? 2400 : 2200 });
  });
});

const plains = { latitude: 38.5, longitude: -98.5 };

describe('the place of a season', () => {
  const isWarned = ([latitude, longitude]: readonly [number, number]): boolean =>
    seasonOf({ crop: 'CORN', place: { latitude, longitude } }).warnings.length > 0;

  test.each([
    { side: 'south', inside: [36, -90], outside: [35.9, -90] },
    { side: 'north', inside: [49, -90], outside: [49.1, -90] },
    { side: 'west', inside: [42, -104], outside: [42, -104.1] },
    { side: 'east', inside: [42, -80], outside: [42, -79.9] },
  ] as const)('beyond the $side of the Corn Belt, 36–49° N and 80–104° W, is told for corn', ({ inside, outside }) => {
    expect([isWarned(inside), isWarned(outside)]).toEqual([false, true]);
  });

  test.each([
    { from: '2026-07-01', isKansas: true, why: 'sown before winter' },
    { from: '2026-06-30', isKansas: false, why: 'sown in spring' },
    { from: '2026-01-01', isKansas: true, why: 'counted from new year' },
    { from: '2026-01-02', isKansas: false, why: 'a day later the sum is not known' },
  ])('on the plains has the sums of Kansas for wheat from $from: $isKansas, $why', ({ from, isKansas }) => {
    const span = { from, to: '2027-07-31' };
    const days = daysOf(span).map((date): KnownDay => ({
      date,
      source: 'OBSERVED',
      temperatures: { minC: 2, maxC: 8 },
    }));
    const { model } = seasonOf({ crop: 'WINTER_WHEAT', place: plains, span, days });
    expect(model?.reference.includes('Kansas')).toBe(isKansas);
  });

  test('has no sum from 1 January yet while its season ends before', () => {
    const early = seasonOf({ crop: 'WINTER_WHEAT', place: plains, from: '2026-09-20' });
    expect(early).toEqual({ stages: [], warnings: [], isPlanted: true });
  });

  test('has no stages of wheat where open days have no reference years', () => {
    const days: KnownDay[] = [{ date: '2026-10-01', source: 'NORMAL' }];
    const open = seasonOf({ crop: 'WINTER_WHEAT', place: spain, from: '2026-10-01', days });
    expect(open).toEqual({ stages: [], warnings: [], isPlanted: true });
  });

  test('a count from 1 January is no planting that could be doubted', () => {
    const wheat = { crop: 'WINTER_WHEAT', place: plains, from: '2026-01-01', reference: years(() => -9) } as const;
    expect(seasonOf(wheat)).toMatchObject({ isPlanted: true, warnings: [] });
    expect(isDoubted(seasonOf({ ...wheat, from: '2026-10-01' }))).toBe(true);
  });
});
