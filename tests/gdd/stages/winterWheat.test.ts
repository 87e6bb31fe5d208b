import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { photoperiodHours } from '../../../shared/gdd/days/dayLength.js';
import { winterWheatStages } from '../../../shared/gdd/stages/winterWheat.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';

describe('the length of the day, from first light to last', () => {
  test.each([
    { latitude: 42.955, hours: 16.07 },
    { latitude: 52, hours: 17.7 },
    { latitude: 0, hours: 12.58 },
  ])('is $hours hours at $latitude° on 21 June', ({ latitude, hours }) => {
    expect(photoperiodHours(latitude, 172)).toBeCloseTo(hours, 2);
  });

  test('is 24 hours and none beyond the polar circles', () => {
    expect([photoperiodHours(80, 172), photoperiodHours(-80, 172)]).toEqual([24, 0]);
  });
});

describe('winter wheat', () => {
  const year = daysOf({ from: '2025-10-01', to: '2026-09-30' });

  test('without cold is held back however warm it is', () => {
    expect(
      winterWheatStages(
        year.map((date) => ({ date, meanC: 22 })),
        45,
      ),
    ).toEqual({ emergence: 6, isColdMet: false });
  });

  test('does not come up while it freezes', () => {
    const frozen = year.map((date) => ({ date, meanC: -1 }));
    expect(winterWheatStages(frozen, 45)).toEqual({ isColdMet: false });
  });

  test('emerges after 120 °C·day: twelve days of 10 °C', () => {
    expect(
      winterWheatStages(
        year.slice(0, 30).map((date) => ({ date, meanC: 10 })),
        45,
      ),
    ).toEqual({
      emergence: 12,
      isColdMet: false,
    });
  });

  test('flowers and ripens once its need of cold is met', () => {
    const days = year.map((date) => ({ date, meanC: date < '2026-03-01' ? 4 : 15 }));
    const { emergence, anthesis, maturity } = winterWheatStages(days, 45);
    expect(emergence).toBe(30);
    expect(year[anthesis!]! > '2026-04-20' && year[anthesis!]! < '2026-06-10').toBe(true);
    expect(maturity! - anthesis!).toBe(65); // 64 days of 15 make 950, told the morning after
  });
});

describe('the cold that winter wheat needs', () => {
  /** At the pole it is dark from the equinox on for half a year: the plant lives and does not develop. */
  const sown = '2026-04-02';
  const isMetAfter = (meanC: number, coldDays: number): boolean => {
    // It comes up after twelve days of 10 °C.
    const means = [...Array<number>(12).fill(10), ...Array<number>(coldDays).fill(meanC)];
    const days = means.map((mean, index) => ({ date: addDays(sown, index), meanC: mean }));
    return winterWheatStages(days, -90).isColdMet;
  };

  test.each([
    { meanC: 3, days: 70, why: '3 to 10 °C are worth a day' },
    { meanC: 6, days: 70, why: 'in between too' },
    { meanC: 10, days: 70, why: 'up to 10 °C' },
    { meanC: -0.5, days: 140, why: 'half way down to −4 °C half a day' },
    { meanC: 13.5, days: 140, why: 'half way up to 17 °C too' },
  ])('is met by $days days of $meanC °C: $why', ({ meanC, days }) => {
    expect([isMetAfter(meanC, days - 1), isMetAfter(meanC, days)]).toEqual([false, true]);
  });

  test.each([-20, -8, -6, -4, 17, 18.5, 25])('is never met by days of %d °C', (meanC) => {
    expect(isMetAfter(meanC, 150)).toBe(false);
  });

  test('holds development back until 14 days are met, and in parts until 70 are', () => {
    // In the light of the northern pole: the cold days themselves are worth nothing at 0 °C but 4/7 of a cold day each.
    const developed = (coldDays: number) => {
      const dark = Array.from({ length: 12 + coldDays }, (_, index) => (index < 12 ? 10 : 0));
      const means = [...dark, ...Array<number>(120).fill(25)];
      const first = addDays('2026-04-01', -dark.length);
      const days = means.map((meanC, index) => ({ date: addDays(first, index), meanC }));
      const { jointing } = winterWheatStages(days, 90);
      return jointing === undefined ? undefined : jointing - dark.length + 1;
    };
    // 24 days are 13.7 of cold: nothing yet. All of it, 123 days: 0.42 of 1000 °C·day by 25 a day are 17 days.
    expect(developed(24)).toBeUndefined();
    expect(developed(123)).toBe(17);
    // 73.5 days are 42, half of the way from 14 to 70: half the pace, until 0.3 is reached on the 24th day.
    expect(developed(74)).toBe(29);
  });
});

describe('winter wheat in full light with its cold need met', () => {
  const grown = (meanC: number) => {
    const cold = Array.from({ length: 140 }, (_, index) => (index < 12 ? 10 : 0));
    const means = [...cold, ...Array<number>(150).fill(meanC)];
    const first = addDays('2026-04-01', -cold.length);
    const days = means.map((mean, index) => ({ date: addDays(first, index), meanC: mean }));
    const { emergence: _emergence, isColdMet, ...stages } = winterWheatStages(days, 90);
    const after = Object.entries(stages).map(([name, index]) => [name, index - cold.length + 1] as const);
    return { ...Object.fromEntries(after), isColdMet };
  };

  test('joints at 0.42 of 1000 °C·day, boots at 0.64, heads at 0.76, flowers at all and ripens 950 later', () => {
    // 26 a day: 16.2, 24.6, 29.2 and 38.5 days; 36.5 more, told the morning after.
    expect(grown(26)).toEqual({ jointing: 17, boot: 25, heading: 30, anthesis: 39, maturity: 77, isColdMet: true });
  });

  test('gains nothing from heat beyond 30 °C', () => {
    // 30 a day: 14, 21.3, 25.3, 33.3 days; 31.7 more.
    expect(grown(41)).toEqual(grown(30));
    expect(grown(30)).toMatchObject({ boot: 22, heading: 26, anthesis: 34, maturity: 67 });
  });

  test('stands still at and below 0 °C', () => {
    expect(grown(-3)).toEqual({ isColdMet: true });
  });
});

describe('the length of the day', () => {
  test.each([
    { hours: 'less than eight', latitude: 60, sown: '2025-11-20', days: 60 },
    { hours: 'none', latitude: 90, sown: '2025-11-20', days: 60 },
  ])('lets wheat stand still at $hours hours', ({ latitude, sown, days }) => {
    const warm = Array.from({ length: days }, (_, index) => ({ date: addDays(sown, index), meanC: 25 }));
    expect(winterWheatStages(warm, latitude)).toEqual({ emergence: 5, isColdMet: false });
  });

  test('mirrors from hemisphere to hemisphere half a year later', () => {
    for (const dayOfYear of [10, 80, 172, 300]) {
      const later = photoperiodHours(-35, dayOfYear + 182.5);
      expect(photoperiodHours(35, dayOfYear)).toBeCloseTo(later, 9);
    }
  });
});

const FOLDER = new URL('../../../../shared/data/gdd/', import.meta.url);

function meansOf(name: string): Map<string, number> {
  const file = new URL(name, FOLDER);
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1);
  return new Map(
    lines.map((line) => {
      const [date = '', maxC, minC] = line.split(',');
      return [date, (Number(maxC) + Number(minC)) / 2];
    }),
  );
}

(existsSync(FOLDER) ? describe : describe.skip)('winter wheat on recorded weather', () => {
  const milwaukee = meansOf('ghcnd_USW00014839_milwaukee_wi.csv');
  const shorter = meansOf('nasapower_AUSH_shorter_al.csv');
  /** The same record half a year later and south of the equator. */
  const southern = new Map([...shorter].map(([date, meanC]) => [addDays(date, 184), meanC]));

  function stages(record: ReadonlyMap<string, number>, sown: string, latitude: number): (string | undefined)[] {
    const days = daysOf({ from: sown, to: addDays(sown, 399) }).flatMap((date) => {
      const meanC = record.get(date);
      return meanC === undefined ? [] : [{ date, meanC }];
    });
    const { emergence, anthesis, maturity } = winterWheatStages(days, latitude);
    return [emergence, anthesis, maturity].map((index) => (index === undefined ? undefined : days[index]!.date));
  }

  test.each([
    { sown: '2005-09-25', expected: ['2005-10-03', '2006-06-10', '2006-07-26'] },
    { sown: '2010-09-25', expected: ['2010-10-05', '2011-06-20', '2011-08-01'] },
    { sown: '2015-09-25', expected: ['2015-10-03', '2016-06-10', '2016-07-24'] },
  ])('in Milwaukee, sown $sown: emergence, anthesis and maturity on $expected', ({ sown, expected }) => {
    expect(stages(milwaukee, sown, 42.955)).toEqual(expected);
  });

  test.each([
    { sown: '2005-11-01', anthesis: '2006-04-25' },
    { sown: '2010-11-01', anthesis: '2011-04-26' },
    { sown: '2015-11-01', anthesis: '2016-04-28' },
  ])(
    'in Alabama, sown $sown: anthesis on $anthesis, three weeks after the date of Kansas’ sums',
    ({ sown, anthesis }) => {
      expect(stages(shorter, sown, 32.443)[1]).toBe(anthesis);
    },
  );

  test('in the south, sown on 1 June: in November, and harvested before Christmas', () => {
    expect(stages(southern, '2010-06-01', -32.44)).toEqual(['2010-06-17', '2010-11-09', '2010-12-18']);
    expect(stages(southern, '2010-07-15', -32.44)[1]).toBe('2010-11-19');
  });

  test('sown in spring in Milwaukee does not head that summer', () => {
    expect(stages(milwaukee, '2010-04-15', 42.955)[1] ?? '9999').not.toMatch(/^2010-0/);
  });
});
