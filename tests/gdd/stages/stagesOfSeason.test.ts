import { describe, expect, test } from '@jest/globals';
import type { Crop } from '../../../shared/gdd/days/crops.js';
import type { KnownDay } from '../../../shared/gdd/days/season.js';
import type { StartEvent } from '../../../shared/gdd/form/gddParameters.js';
import { stagesOfSeason } from '../../../shared/gdd/stages/stagesOfSeason.js';
import { dayNumber } from '../../../shared/kit/validation/calendar.js';
import type { DaySpan } from '../../../shared/gdd/weather/fieldDays.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import { referenceOf, referenceSpan } from '../../../shared/gdd/weather/cache/weatherCache.js';

const kansas = { latitude: 38.5, longitude: -98.5 };
const pampa = { latitude: -32.44, longitude: -61.3 };

/** A year as it is in Kansas: 0 °C in January, 24 in July; in the south half a year later. */
const meanC = (date: string, isSouth: boolean): number =>
  12 - 12 * Math.cos((2 * Math.PI * (dayNumber(date) - 15 + (isSouth ? 182.6 : 0))) / 365.25);

interface Asked {
  readonly crop: Crop;
  readonly span: DaySpan;
  readonly startEvent?: StartEvent;
  readonly place?: typeof kansas;
  readonly normalFrom?: string;
}

function stages({ crop, span, startEvent = 'PLANTING', place = kansas, normalFrom = '9999' }: Asked) {
  const isSouth = place.latitude < 0;
  const day = (date: string) => ({ minC: meanC(date, isSouth) - 6, maxC: meanC(date, isSouth) + 6 });
  const days = daysOf(span).map((date): KnownDay =>
    date >= normalFrom ? { date, source: 'NORMAL' } : { date, source: 'OBSERVED', temperatures: day(date) },
  );
  const reference = referenceOf({
    origin: {} as never,
    retrievedAt: 0,
    days: daysOf(referenceSpan).map((date) => ({ date, ...day(date) })),
  });
  return stagesOfSeason({ crop, startEvent, place, span, days, reference, isBiasRemoved: false, unit: 'F' });
}

const season = { from: '2025-05-01', to: '2025-10-31' };
const dateOf = (result: ReturnType<typeof stages>, code: string): string | null | undefined =>
  result.stages.find((stage) => stage.code === code)?.date;

describe('what the first day is to the crop', () => {
  test('planting is taken for it; emergence brings corn 115 °F·day forward', () => {
    const planted = stages({ crop: 'CORN', span: season });
    const emerged = stages({ crop: 'CORN', span: season, startEvent: 'EMERGENCE' });
    expect(emerged.stages[0]).toMatchObject({ code: 'V8', threshold: 485 });
    expect(dayNumber(dateOf(planted, 'VT')!) - dayNumber(dateOf(emerged, 'VT')!)).toBeGreaterThanOrEqual(4);
    expect(emerged.model?.caution).toContain('counted from emergence');
  });

  test('emergence of cotton has the thresholds as they were published', () => {
    const { stages: list } = stages({ crop: 'COTTON', span: season, startEvent: 'EMERGENCE' });
    expect(list[0]).toMatchObject({ code: 'branch', threshold: 300, thresholdUpTo: 340 });
  });

  test.each([
    { crop: 'SOYBEAN', startEvent: 'EMERGENCE', text: 'published from planting only' },
    { crop: 'WINTER_WHEAT', startEvent: 'GREEN_UP', text: 'none are published from GREEN_UP' },
    { crop: 'CORN', startEvent: 'OTHER', text: 'none are published from OTHER' },
  ] as const)('$startEvent of $crop has no stages, and says why', ({ crop, startEvent, text }) => {
    const { stages: list, warnings } = stages({ crop, span: season, startEvent });
    expect(list).toEqual([]);
    expect(warnings.join(' ')).toContain(text);
  });

  test('corn planted on 1 January is doubted, on 1 May it is not', () => {
    const winter = stages({ crop: 'CORN', span: { from: '2025-01-01', to: '2025-10-31' } });
    expect(winter.stages).toEqual([]);
    expect(winter.warnings[0]).toContain('2025-01-01 is no likely planting date here');
    expect(stages({ crop: 'CORN', span: season }).warnings).toEqual([]);
  });
});

describe('winter wheat', () => {
  test('on the plains, sown in autumn or counted from 1 January, has the sums of Kansas', () => {
    const sown = stages({ crop: 'WINTER_WHEAT', span: { from: '2024-10-01', to: '2025-07-31' } });
    const counted = stages({ crop: 'WINTER_WHEAT', span: { from: '2025-01-01', to: '2025-07-31' } });
    expect(sown.model?.reference).toContain('Kansas');
    expect(sown.stages).toEqual(counted.stages);
  });

  test('elsewhere has the model with cold need and day length', () => {
    const span = { from: '2024-10-01', to: '2025-08-31' };
    const spain = stages({ crop: 'WINTER_WHEAT', span, place: { latitude: 41.6, longitude: -4.7 } });
    expect(spain.model?.reference).toContain('WOFOST');
    expect(dateOf(spain, 'anthesis')! > '2025-05-01' && dateOf(spain, 'anthesis')! < '2025-07-01').toBe(true);
    expect(spain.warnings).toEqual([]);
  });

  test('in the south flowers in its own spring: never counted from 1 January', () => {
    const result = stages({ crop: 'WINTER_WHEAT', span: { from: '2025-06-01', to: '2026-02-28' }, place: pampa });
    expect(dateOf(result, 'anthesis')! > '2025-10-01' && dateOf(result, 'anthesis')! < '2025-12-31').toBe(true);
    expect(dateOf(result, 'mature')! < '2026-01-31').toBe(true);
  });

  test('sown in spring lacks its cold, and says so', () => {
    const result = stages({ crop: 'WINTER_WHEAT', span: { from: '2025-05-01', to: '2025-10-15' } });
    expect(dateOf(result, 'anthesis')).toBeNull();
    expect(result.warnings).toEqual(['Winter wheat has not had the cold it needs to head by gddEndDate.']);
  });

  test('whose days to come rest on normals has a range of dates', () => {
    const span = { from: '2024-10-01', to: '2025-08-31' };
    const place = { latitude: 52, longitude: 11 };
    const whole = stages({ crop: 'WINTER_WHEAT', span, place });
    const open = stages({ crop: 'WINTER_WHEAT', span, place, normalFrom: '2025-04-01' });
    expect(open.stages.map(({ basis }) => basis)).toEqual(['OBSERVED', ...Array<string>(5).fill('NORMAL')]);
    const shift = dayNumber(dateOf(open, 'anthesis')!) - dayNumber(dateOf(whole, 'anthesis')!);
    expect(Math.abs(shift)).toBeLessThanOrEqual(1);
  });
});
