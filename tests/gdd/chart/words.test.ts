import { describe, expect, test } from '@jest/globals';
import { layoutOf } from '../../../shared/gdd/chart/gddChart.js';
import { legend } from '../../../shared/gdd/chart/legend.js';
import { dayTicks, valueScale } from '../../../shared/gdd/chart/scale.js';
import { forecastInWords, headline, placeLine, subline } from '../../../shared/gdd/chart/words.js';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { aChartRecord, aStage, elementsOf, may } from './aChartRecord.js';

const certain = { p10: 90, p50: 90, p90: 90 } as const;
const departure = (by: number, percent: number | null): NonNullable<GddRecord['normal']> => ({
  ...aChartRecord().normal!,
  departure: by,
  departurePercent: percent,
});
const source = (changes: object): GddRecord['sources'][number] =>
  ({ product: 'archive', provider: 'a provider', ...changes }) as unknown as GddRecord['sources'][number];

describe('the headline', () => {
  test.each([
    { crop: 'SUGAR_BEET', name: 'Sugar beet' },
    { crop: 'WINTER_WHEAT', name: 'Winter wheat' },
    { crop: 'OF_TOMORROW', name: 'OF_TOMORROW' },
  ])('calls $crop $name', ({ crop, name }) => {
    const record = aChartRecord({ crop: crop as GddRecord['crop'] });
    expect(headline(record)).toBe(`${name}: growing degree-days, 2026-05-01 to 2026-05-10`);
  });
});

describe('the sum in a sentence', () => {
  test.each<{ why: string; changes: Partial<GddRecord>; sentence: string }>([
    {
      why: 'with the range of its total',
      changes: { normal: departure(1.234, 1.39) },
      sentence: 'Total 90 °C·day (8 of 10 seasons: 86 to 94) · 1.2 (1.4 %) above normal · as of 2026-05-07',
    },
    {
      why: 'without a range when it is certain',
      changes: { range: certain, normal: departure(-12.6, -12.3) },
      sentence: 'Total 90 °C·day · 13 (12.3 %) below normal · as of 2026-05-07',
    },
    {
      why: 'as normal within a twentieth of a degree-day',
      changes: { range: certain, normal: departure(0.049, 0.1) },
      sentence: 'Total 90 °C·day · as normal · as of 2026-05-07',
    },
    {
      why: 'as normal on the colder side too',
      changes: { range: certain, normal: departure(-0.049, -0.1) },
      sentence: 'Total 90 °C·day · as normal · as of 2026-05-07',
    },
    {
      why: 'no longer as normal at a twentieth',
      changes: { range: certain, normal: departure(0.05, 5) },
      sentence: 'Total 90 °C·day · 0.1 (5.0 %) above normal · as of 2026-05-07',
    },
    {
      why: 'without a share where the normal is nothing',
      changes: { range: certain, normal: departure(4, null), temperatureUnit: 'F' },
      sentence: 'Total 90 °F·day · 4 above normal · as of 2026-05-07',
    },
    {
      why: 'in tenths below ten, in whole ones from ten on',
      changes: { total: 9.96, range: { p10: -0.04, p50: 90, p90: 10 }, normal: departure(0, 0) },
      sentence: 'Total 10 °C·day (8 of 10 seasons: 0 to 10) · as normal · as of 2026-05-07',
    },
    {
      why: 'rounded to whole ones at ten',
      changes: { total: 10.44, range: { p10: 9.94, p50: 90, p90: 10.46 }, normal: departure(0, 0) },
      sentence: 'Total 10 °C·day (8 of 10 seasons: 9.9 to 10) · as normal · as of 2026-05-07',
    },
    {
      why: 'incomplete when it did without something',
      changes: { range: certain, normal: departure(0, 0), incomplete: [] },
      sentence: 'Total 90 °C·day · as normal · as of 2026-05-07 · incomplete',
    },
  ])('is told $why', ({ changes, sentence }) => {
    expect(subline(aChartRecord(changes))).toBe(sentence);
  });

  test('has no departure without normals', () => {
    const { normal: _normal, ...record } = aChartRecord({ range: certain });
    expect(subline(record)).toBe('Total 90 °C·day · as of 2026-05-07');
  });
});

describe('what the sum is made with', () => {
  const corrected = (tmax: number, tmin: number) => ({ elevationCorrectionC: { tmax, tmin } });

  test.each<{ why: string; changes: Partial<GddRecord>; line: string }>([
    { why: 'both limits', changes: {}, line: 'limits 10 to 30 °C · field at 203 m' },
    {
      why: 'one limit to a tenth, and what the place may differ by',
      changes: {
        method: { ...aChartRecord().method, lower: 15.56, upper: null },
        uncertainty: { place: 12.4 },
      },
      line: 'base 15.6 °C · field at 203 m · place ±12 °C·day',
    },
    {
      why: 'that the height of the field is not known',
      changes: {
        location: {} as GddRecord['location'],
        sources: [source({ gridElevationM: 900, ...corrected(1, 1) })],
      },
      line: 'limits 10 to 30 °C · height of the field not known',
    },
    {
      why: 'a cell 50 m above the field, with its correction',
      changes: { sources: [source({ gridElevationM: 253, ...corrected(0.33, -0.25) })] },
      line: 'limits 10 to 30 °C · field at 203 m, its cell at 253 m: +0.3 °C by day, −0.3 °C by night',
    },
    {
      why: 'a cell 50 m below it',
      changes: { sources: [source({ gridElevationM: 153, ...corrected(-0.3, 0) })] },
      line: 'limits 10 to 30 °C · field at 203 m, its cell at 153 m: −0.3 °C by day, +0.0 °C by night',
    },
    {
      why: 'no cell of nearly its height',
      changes: { sources: [source({ gridElevationM: 252.9, ...corrected(0.3, 0.2) })] },
      line: 'limits 10 to 30 °C · field at 203 m',
    },
    {
      why: 'no cell whose height or correction is not known',
      changes: { sources: [source({ gridElevationM: 900 })] },
      line: 'limits 10 to 30 °C · field at 203 m',
    },
    {
      why: 'the cell of the archive, whatever was asked first',
      changes: {
        sources: [
          source({ product: 'forecast', gridElevationM: 900, ...corrected(4, 4) }),
          source({ gridElevationM: 1203, ...corrected(6.5, 6) }),
        ],
      },
      line: 'limits 10 to 30 °C · field at 203 m, its cell at 1203 m: +6.5 °C by day, +6.0 °C by night',
    },
    {
      why: 'the first cell where there is no archive',
      changes: { sources: [source({ product: 'forecast', gridElevationM: 900, ...corrected(4, 4) })] },
      line: 'limits 10 to 30 °C · field at 203 m, its cell at 900 m: +4.0 °C by day, +4.0 °C by night',
    },
  ])('names $why', ({ changes, line }) => {
    expect(placeLine(aChartRecord(changes))).toBe(line);
  });
});

describe('a forecast', () => {
  test.each([
    { why: 'of the same day', made: '2026-05-07T05:00:00.000Z', words: 'forecast' },
    { why: 'of a whole day before', made: '2026-05-06T17:00:00.000Z', words: 'forecast' },
    { why: 'older than a day', made: '2026-05-06T16:59:59.000Z', words: 'forecast of 6 May' },
  ])('$why is called "$words"', ({ made, words }) => {
    const sources = [
      source({ retrievedAt: '2026-01-01T00:00:00.000Z' }),
      source({ product: 'forecast', retrievedAt: made }),
    ];
    expect(forecastInWords(aChartRecord({ sources }))).toBe(words);
  });

  test('that is not there is called so too', () => {
    expect(forecastInWords(aChartRecord())).toBe('forecast');
  });
});

describe('the legend', () => {
  const entriesOf = (changes: Partial<GddRecord>): string[] =>
    [...legend(layoutOf(aChartRecord(changes))).matchAll(/<text [^>]*>([^<]*)</g)].map(([, label]) => label!);

  test('names the days by what they rest on, then normals and range, in one order', () => {
    expect(entriesOf({})).toEqual([
      ...['observed day', 'bridged day', 'provisional day', 'forecast day', 'normal day'],
      ...['1991–2020: mean, 8 of 10 years', 'range with forecast error, 8 of 10 seasons'],
    ]);
  });

  test('names what is there of frost and stages, and nothing else', () => {
    const plain = { range: certain, daily: aChartRecord().daily.slice(0, 2) };
    const night = { date: may(2), tmin: 0, source: 'OBSERVED', severity: 'NEAR' } as const;
    expect(entriesOf({ ...plain, frost: [night] }).slice(2)).toEqual(['night within 1 °C of frost damage']);
    expect(entriesOf({ ...plain, stages: [aStage(may(2))] }).slice(2)).toEqual(['stage reached']);
    const expected = aStage(may(2), { basis: 'NORMAL', latest: may(9) });
    expect(entriesOf({ ...plain, stages: [expected] }).slice(2)).toEqual([
      'stage expected',
      'its day in 8 of 10 seasons',
    ]);
    const survived = aStage(null, { dateIfSurvived: may(2), earliest: may(1) });
    expect(entriesOf({ ...plain, stages: [survived] }).slice(2)).toEqual(['stage if the crop survived the frost']);
    expect(entriesOf({ ...plain, stages: [aStage('2026-07-01'), aStage(null)] }).slice(2)).toEqual([]);
  });

  test('goes on in the next line, 17 pixels below, where the next entry would leave the picture', () => {
    const places = elementsOf(legend(layoutOf(aChartRecord())), 'g').flatMap(({ transform = '' }) => {
      const [, x, y] = /translate\(([\d.]+) ([\d.]+)\)/.exec(transform) ?? [];
      return x === undefined ? [] : [[Number(x), Number(y)] as const];
    });
    // A symbol takes 21 pixels, a letter 5.6, the gap between two entries 16; a line ends at 788.
    const widths = entriesOf({}).map((label) => 21 + 5.6 * label.length);
    const expected: (readonly [number, number])[] = [];
    let [x, y] = [66, 437];
    for (const width of widths) {
      if (x + width > 788) [x, y] = [66, y + 17];
      expected.push([x, y]);
      x += width + 16;
    }
    expect(places.map(([, row]) => row)).toEqual(expected.map(([, row]) => row));
    for (const [index, [column]] of places.entries()) expect(column).toBeCloseTo(expected[index]![0], 0);
    expect(new Set(places.map(([, row]) => row)).size).toBe(2);
  });
});

describe('a scale', () => {
  test.each([
    { highest: 9.4, ticks: [0, 5, 10], why: 'a third of ten is between 2 and 5' },
    { highest: 94, ticks: [0, 50, 100], why: 'a third of a hundred is between 20 and 50' },
    { highest: 5.64, ticks: [0, 2, 4, 6], why: 'a third of six is 2' },
    { highest: 2.82, ticks: [0, 1, 2, 3], why: 'a third of three is 1' },
  ])('for $highest and three steps is marked at $ticks: $why', ({ highest, ticks }) => {
    const frame = { left: 0, right: 1, top: 0, bottom: 1 };
    expect(valueScale(highest, frame, { headroom: 0.06, ticks: 3 }).ticks).toEqual(ticks);
  });

  test.each([
    { days: 8, marks: 8, why: 'up to eight days have a mark each' },
    { days: 9, marks: 5, why: 'nine have one for every other' },
    { days: 14, marks: 7, why: 'fourteen too' },
    { days: 15, marks: 3, why: 'fifteen have one a week' },
    { days: 70, marks: 10, why: 'ten weeks have one a week' },
    { days: 71, marks: 2, why: 'more are marked by month' },
  ])('of $days days from 2 May has $marks marks: $why', ({ days, marks }) => {
    expect(dayTicks('2026-05-02', days)).toHaveLength(marks);
  });
});
