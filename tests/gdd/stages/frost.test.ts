import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Crop } from '../../../shared/gdd/days/crops.js';
import { cropModels } from '../../../shared/gdd/days/crops.js';
import type { KnownDay } from '../../../shared/gdd/days/season.js';
import { freezeDatesOf } from '../../../shared/gdd/outlook/freezeDates.js';
import type { StartEvent } from '../../../shared/gdd/form/gddParameters.js';
import type { GddStageRecord } from '../../../shared/gdd/form/gddRecord.js';
import { seasonSums } from '../../../shared/gdd/stages/stageDates.js';
import { stagesAndFrost } from '../../../shared/gdd/stages/stagesAndFrost.js';
import type { TemperatureUnit } from '../../../shared/gdd/days/temperature.js';
import { addDays, dayNumber } from '../../../shared/kit/validation/calendar.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import type { Temperatures } from '../../../shared/gdd/weather/weatherSource.js';
import { referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';

const places = {
  north: { latitude: 42.955, longitude: -87.905 },
  south: { latitude: -32.44, longitude: -61.3 },
} as const;
type Hemisphere = keyof typeof places;

/** Half a year later in the south, so that the same season can be told of both. */
const inHemisphere = (hemisphere: Hemisphere, date: string): string =>
  hemisphere === 'north' ? date : addDays(date, 184);

interface Asked {
  readonly crop: Crop;
  readonly hemisphere?: Hemisphere;
  readonly from?: string;
  readonly to?: string;
  /** Lowest temperatures of single nights of the northern season; other days are 8 to 22 °C. */
  readonly nights?: Readonly<Record<string, number>>;
  readonly forecastFrom?: string;
  readonly startEvent?: StartEvent;
  readonly unit?: TemperatureUnit;
  readonly weather?: (date: string) => Temperatures | undefined;
}

function season({ crop, hemisphere = 'north', startEvent = 'PLANTING', unit = 'C', ...asked }: Asked) {
  const { from = '2025-05-01', to = '2025-09-30', nights = {}, forecastFrom = '9999' } = asked;
  const weather = asked.weather ?? ((date: string) => ({ minC: nights[date] ?? 8, maxC: 22 }));
  const days = daysOf({ from, to }).map((northern): KnownDay => {
    const temperatures = weather(northern);
    const date = inHemisphere(hemisphere, northern);
    if (temperatures === undefined) return { date, source: 'NORMAL' };
    return { date, source: northern >= forecastFrom ? 'FORECAST' : 'OBSERVED', temperatures };
  });
  const span = { from: inHemisphere(hemisphere, from), to: inHemisphere(hemisphere, to) };
  const known = { span, days, reference: undefined, isBiasRemoved: false };
  const total = seasonSums(known, cropModels[crop]);
  return stagesAndFrost({ ...known, crop, startEvent, place: places[hemisphere], unit, total });
}

const dateOf = (stages: readonly GddStageRecord[], code: string) => stages.find((stage) => stage.code === code)!.date;

describe.each(['north', 'south'] as const)('a cold night in the %s', (hemisphere) => {
  const at = (date: string): string => inHemisphere(hemisphere, date);

  test.each([
    { crop: 'CORN', minC: 1.1, severity: undefined },
    { crop: 'CORN', minC: 1, severity: 'NEAR', why: 'a hollow is a degree colder than its cell' },
    { crop: 'CORN', minC: 0, severity: 'DAMAGE' },
    { crop: 'CORN', minC: -2.1, severity: 'DAMAGE' },
    { crop: 'CORN', minC: -2.2, severity: 'KILLING', why: '28 °F' },
    { crop: 'SOYBEAN', minC: 0, severity: 'DAMAGE' },
    { crop: 'SOYBEAN', minC: -2.2, severity: 'KILLING' },
    { crop: 'COTTON', minC: -0.1, severity: 'DAMAGE' },
    { crop: 'COTTON', minC: -2.2, severity: 'KILLING' },
    { crop: 'CANOLA', minC: -2.9, severity: undefined },
    { crop: 'CANOLA', minC: -3, severity: 'NEAR' },
    { crop: 'CANOLA', minC: -4, severity: 'KILLING' },
    { crop: 'SUGAR_BEET', minC: -3.9, severity: 'NEAR' },
    { crop: 'SUGAR_BEET', minC: -4, severity: 'KILLING' },
  ] as const)('of $minC °C is $severity to $crop', ({ crop, minC, severity }) => {
    const { frost } = season({ crop, hemisphere, nights: { '2025-06-20': minC } });
    expect(frost).toEqual(
      severity === undefined ? [] : [{ date: at('2025-06-20'), tmin: minC, source: 'OBSERVED', severity }],
    );
  });
});

/** A winter near freezing that warms from March on: wheat joints, boots and heads in turn. */
const winter = (nights: Readonly<Record<string, number>>) => (date: string) => {
  const meanC = date < '2026-03-01' ? 4 : 12;
  return { minC: nights[date] ?? meanC - 4, maxC: meanC + 4 };
};

describe.each(['north', 'south'] as const)('winter wheat in the %s', (hemisphere) => {
  const span = { from: '2025-10-01', to: '2026-08-15' };
  const wheat = (nights: Readonly<Record<string, number>> = {}) =>
    season({ crop: 'WINTER_WHEAT', hemisphere, ...span, weather: winter(nights) });
  const { stages } = wheat();
  const back = (date: string): string => (hemisphere === 'north' ? date : addDays(date, -184));
  const nightAfter = (code: string): string => addDays(back(dateOf(stages, code)!), 1);

  test('goes through jointing, boot, heading and flowering', () => {
    const dates = ['jointing', 'boot', 'heading'].map((code) => dateOf(stages, code));
    expect(dates).not.toContain(null);
    expect(dates).toEqual([...dates].toSorted());
  });

  test('is hardened before it joints: −15 °C in January is no frost to it', () => {
    expect(wheat({ '2026-01-10': -15 }).frost).toEqual([]);
  });

  test.each([
    { after: 'jointing', minC: -3.3, severity: undefined },
    { after: 'jointing', minC: -3.4, severity: 'NEAR' },
    { after: 'jointing', minC: -4.4, severity: 'KILLING' },
    { after: 'boot', minC: -1.3, severity: 'NEAR' },
    { after: 'boot', minC: -2.2, severity: 'KILLING' },
    { after: 'heading', minC: -1.1, severity: 'DAMAGE' },
    { after: 'heading', minC: -2.2, severity: 'KILLING' },
  ])('after $after $minC °C is $severity', ({ after, minC, severity }) => {
    const night = nightAfter(after);
    expect(wheat({ [night]: minC }).frost.map((frost) => [frost.date, frost.severity])).toEqual(
      severity === undefined ? [] : [[inHemisphere(hemisphere, night), severity]],
    );
  });
});

describe('a killing frost', () => {
  test('before the crop is up is listed and ends nothing', () => {
    const { frost, stages, warnings } = season({ crop: 'CORN', nights: { '2025-05-04': -3 } });
    expect(frost).toMatchObject([{ date: '2025-05-04', severity: 'KILLING' }]);
    expect(dateOf(stages, 'VT')).not.toBeNull();
    expect(warnings).toEqual([]);
  });

  test('hits a crop that was up at the start', () => {
    const { stages } = season({ crop: 'CORN', startEvent: 'EMERGENCE', nights: { '2025-05-04': -3 } });
    expect(dateOf(stages, 'VT')).toBeNull();
  });

  test('after emergence ends the stages beyond it, and says when they would have been', () => {
    const without = season({ crop: 'CORN' }).stages;
    const { stages, warnings } = season({ crop: 'CORN', nights: { '2025-07-20': -2.5 } });
    expect(without.map(({ date }) => date !== null && date <= '2025-07-20')).toEqual([
      ...[true, false, false, false, false, false, false],
    ]);
    expect(stages[0]).toEqual(without[0]);
    expect(stages.slice(1).map(({ date, earliest, latest }) => [date, earliest, latest])).toEqual(
      Array(6).fill([null, null, null]),
    );
    const vt = stages.find(({ code }) => code === 'VT')!;
    const expected = dateOf(without, 'VT')!;
    expect(Math.abs(dayNumber(vt.dateIfSurvived!) - dayNumber(expected))).toBeLessThanOrEqual(1); // the cold night itself
    expect(warnings).toEqual([
      'A killing frost of −2.5 °C came on 2025-07-20: it ends the growth stages here; a stage beyond it is reached only if the crop survived.',
    ]);
  });

  test('that is forecast is told as such, in the unit of the job', () => {
    const { warnings } = season({
      crop: 'CORN',
      unit: 'F',
      nights: { '2025-09-28': -3 },
      forecastFrom: '2025-09-25',
    });
    expect(warnings[0]).toMatch(/^A killing frost of 26\.6 °F is forecast for 2025-09-28: /);
  });

  test('of a ripe crop ends nothing and needs no word', () => {
    const weather = (date: string) => ({ minC: date === '2025-09-20' ? -5 : 16, maxC: 30 });
    const { frost, stages, warnings } = season({ crop: 'CORN', weather });
    expect(dateOf(stages, 'R6')! < '2025-09-20').toBe(true);
    expect(frost).toMatchObject([{ severity: 'KILLING' }]);
    expect(warnings).toEqual([]);
  });

  test('that is only near is one sentence, of the coldest night', () => {
    const { warnings } = season({ crop: 'CORN', nights: { '2025-06-10': -1.3, '2025-06-20': -1.9, '2025-06-25': 0 } });
    expect(warnings).toEqual([
      'A night of −1.9 °C came on 2025-06-20: that is within a degree of what kills the crop, and hollows are colder than their grid cell.',
    ]);
  });
});

test('where no crop is likely to stand there is no frost to tell of', () => {
  const reference = referenceOf({
    origin: {} as never,
    retrievedAt: 0,
    days: daysOf(referenceSpan).map((date) => ({ date, minC: -10, maxC: -2 })),
  });
  const span = { from: '2025-01-01', to: '2025-01-31' };
  const days = daysOf(span).map((date): KnownDay => ({
    date,
    source: 'OBSERVED',
    temperatures: { minC: -10, maxC: -2 },
  }));
  const asked = { crop: 'CORN', startEvent: 'PLANTING', place: places.north, span, days, reference } as const;
  const told = stagesAndFrost({ ...asked, total: seasonSums(asked, cropModels.CORN), unit: 'C' });
  expect(told.frost).toEqual([]);
  expect(told.warnings.join(' ')).toContain('no likely planting date');
});

/** Reference years in which it freezes on the nights that a rule says. */
const yearsOf = (isCold: (date: string) => boolean) =>
  referenceOf({
    origin: {} as never,
    retrievedAt: 0,
    days: daysOf(referenceSpan).map((date) => ({ date, minC: isCold(date) ? 0 : 0.1, maxC: 20 })),
  });

describe('the first and the last freeze of the reference years', () => {
  test('are nights at or below 0 °C, first after one summer and last before the next', () => {
    const cold = yearsOf((date) => date.slice(5) >= '10-05' || date.slice(5) <= '04-20');
    expect(freezeDatesOf(cold, 43)).toEqual({
      firstFreeze: { earliest: '10-05', median: '10-05', latest: '10-05' },
      lastFreeze: { earliest: '04-20', median: '04-20', latest: '04-20' },
    });
  });

  test('belong to the winter in the middle of the year in the south', () => {
    const cold = yearsOf((date) => date.slice(5) >= '05-25' && date.slice(5) <= '09-10');
    expect(freezeDatesOf(cold, -32)).toMatchObject({
      firstFreeze: { median: '05-25' },
      lastFreeze: { median: '09-10' },
    });
  });

  test('of a mild place may both lie in one week, and be missing in most years', () => {
    const cold = yearsOf((date) => Number(date.slice(0, 4)) % 4 === 0 && date.slice(5) === '01-08');
    expect(freezeDatesOf(cold, 30)).toEqual({
      firstFreeze: { earliest: '01-08', median: null, latest: null },
      lastFreeze: { earliest: null, median: null, latest: '01-08' },
    });
  });

  test('are not told where nights are missing', () => {
    const unknown = referenceOf({ origin: {} as never, retrievedAt: 0, days: [] });
    expect(freezeDatesOf(unknown, 43)).toBeUndefined();
  });
});

const file = new URL('../../../../shared/data/gdd/ghcnd_USW00014839_milwaukee_wi.csv', import.meta.url);

(existsSync(file) ? describe : describe.skip)('on the record of Milwaukee', () => {
  const rows = new Map<string, Temperatures>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : []) {
    const [date = '', maxC, minC] = line.split(',');
    rows.set(date, { minC: Number(minC), maxC: Number(maxC) });
  }
  const referenceAt = (dateInRecord: (date: string) => string) =>
    referenceOf({
      origin: {} as never,
      retrievedAt: 0,
      days: daysOf(referenceSpan).flatMap((date) => {
        const known = rows.get(dateInRecord(date));
        return known === undefined ? [] : [{ date, ...known }];
      }),
    });

  // Counted by hand over the 29 winters: the 3rd and 4th, the 15th, the 26th and 27th of them in order.
  test('it freezes from 22 October (5 October to 10 November) to 24 April (9 April to 9 May)', () => {
    const found = freezeDatesOf(
      referenceAt((date) => date),
      42.955,
    );
    expect(found?.firstFreeze.median).toBe('10-22');
    expect(found?.lastFreeze.median).toBe('04-24');
    const { firstFreeze, lastFreeze } = found!;
    expect(['10-05', '10-06']).toContain(firstFreeze.earliest);
    expect(['11-08', '11-09', '11-10']).toContain(firstFreeze.latest);
    expect(['04-09', '04-10']).toContain(lastFreeze.earliest);
    expect(['05-04', '05-05', '05-06', '05-07', '05-08', '05-09']).toContain(lastFreeze.latest);
  });

  test('the same record half a year later has the same winters in the south', () => {
    const found = freezeDatesOf(
      referenceAt((date) => addDays(date, 181)),
      -42.955,
    );
    const days = (monthDay: string, start: string) => dayNumber(`2001-${monthDay}`) - dayNumber(`2001-${start}`);
    expect(Math.abs(days(found!.firstFreeze.median!, '02-01') - days('10-22', '08-01'))).toBeLessThanOrEqual(1);
    expect(found!.lastFreeze.median! > '10-20' && found!.lastFreeze.median! < '10-29').toBe(true);
  });

  test('corn of 2012 met its first killing frost on the night the record has it', () => {
    const to = '2012-11-30';
    const { frost } = season({ crop: 'CORN', from: '2012-05-01', to, weather: (date) => rows.get(date) });
    const cold = daysOf({ from: '2012-05-01', to }).filter((date) => rows.get(date)!.minC <= -2.2);
    expect(frost.filter(({ severity }) => severity === 'KILLING').map(({ date }) => date)).toEqual(cold);
    expect(cold.length).toBeGreaterThan(0);
  });
});
