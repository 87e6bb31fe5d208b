import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { photoperiodHours } from '../../shared/gdd/dayLength.js';
import { winterWheatStages } from '../../shared/gdd/winterWheat.js';
import { addDays } from '../../shared/validation/calendar.js';
import { daysOf } from '../../shared/weather/calendar.js';

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

const FOLDER = new URL('../../../shared/data/gdd/', import.meta.url);

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
