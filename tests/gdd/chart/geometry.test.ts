import { describe, expect, test } from '@jest/globals';
import { axes } from '../../../shared/gdd/chart/axes.js';
import { bars } from '../../../shared/gdd/chart/bars.js';
import { curve } from '../../../shared/gdd/chart/curve.js';
import { gddChart, layoutOf } from '../../../shared/gdd/chart/gddChart.js';
import { frostMarks } from '../../../shared/gdd/chart/frostMarks.js';
import { stageMarks } from '../../../shared/gdd/chart/stages.js';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { aChartRecord, aStage, cornersOf, elementsOf, may, placeOfText } from './aChartRecord.js';

/** The frames: x from 66 to 776 for both; the curve from 80 down to 308, the bars from 332 down to 412. */
const [left, right] = [66, 776];
const morningOf = (day: number): number => left + ((day - 1) * (right - left)) / 10;
const eveningOf = (day: number): number => morningOf(day + 1);
/** On a scale of 100 °C·day, and of 10 °C·day for a day. */
const sumAt = (sum: number): number => 308 - (sum / 100) * (308 - 80);
const dayAt = (gdd: number): number => 412 - (gdd / 10) * (412 - 332);
const rounded = (value: number): number => Math.round(value * 100) / 100;
const placed = (points: readonly (readonly [number, number])[]): number[][] => points.map((each) => each.map(rounded));

const drawn = (draw: (layout: ReturnType<typeof layoutOf>) => string, changes: Partial<GddRecord> = {}): string =>
  draw(layoutOf(aChartRecord(changes)));
const pathWith = (svg: string, attributes: Record<string, string>): string =>
  elementsOf(svg, 'path').find((each) => Object.entries(attributes).every(([key, value]) => each[key] === value))?.[
    'd'
  ] ?? '';

describe('the bars of a season', () => {
  test('stand one a day between its morning and its evening, 6 pixels apart, as high as their degree-days', () => {
    const rects = elementsOf(drawn(bars), 'rect');
    expect(rects).toHaveLength(10);
    for (const [index, { gdd }] of aChartRecord().daily.entries()) {
      const { x, y, width, height } = rects[index]!;
      expect([Number(x), Number(width)]).toEqual([morningOf(index + 1) + 3, 71 - 6]);
      expect([Number(y), Number(height)]).toEqual([rounded(dayAt(gdd)), rounded(412 - dayAt(gdd))]);
    }
  });

  test('look like what their days rest on; narrower than 2.5 pixels they have no outline', () => {
    const fills = (svg: string) => elementsOf(svg, 'rect').map(({ fill, stroke }) => `${fill} ${stroke}`);
    expect([...new Set(fills(drawn(bars)))]).toEqual([
      '#27548a #27548a',
      'url(#dots) #6d3fa0',
      '#8ab0d9 #5d8bbd',
      'url(#stripes) #b3480f',
      '#ffffff #8b93a1',
    ]);
    const [day] = aChartRecord().daily;
    const season = (days: number) => ({ daily: Array.from({ length: days }, () => day!) });
    // 710 pixels are 2.5 for each of 284 days.
    expect(fills(drawn(bars, season(284)))[0]).toBe('#27548a #27548a');
    const narrow = elementsOf(drawn(bars, season(285)), 'rect')[0]!;
    expect(narrow).toMatchObject({ fill: '#27548a', width: String(rounded((710 / 285) * 0.8)) });
    expect(narrow).not.toHaveProperty('stroke');
  });
});

describe('the curve of a season', () => {
  const sums = aChartRecord().daily.map(({ cumulative }, index) => [eveningOf(index + 1), sumAt(cumulative)] as const);
  const svg = drawn(curve);

  test('begins with nothing and stands at the evening of each day: whole, then dashed, then dotted', () => {
    const whole = pathWith(svg, { 'stroke-width': '2.5', stroke: '#1f2937' });
    expect(cornersOf(whole)).toEqual(placed([[left, 308], ...sums.slice(0, 6)]));
    expect(cornersOf(pathWith(svg, { 'stroke-dasharray': '6 3' }))).toEqual(placed(sums.slice(5, 8)));
    expect(cornersOf(pathWith(svg, { 'stroke-dasharray': '1 5' }))).toEqual(placed(sums.slice(7)));
  });

  test('lies on the band of the reference years, eight of ten, with their mean', () => {
    const band = pathWith(svg, { fill: '#d5dae1' });
    const line = (each: number) =>
      Array.from({ length: 10 }, (_, index) => [eveningOf(index + 1), sumAt(each * (index + 1))] as const);
    const start = [left, 308] as const;
    expect(cornersOf(band)).toEqual(placed([start, ...line(9.2), ...line(8).toReversed(), start]));
    expect(band.endsWith('Z')).toBe(true);
    expect(cornersOf(pathWith(svg, { stroke: '#7b8494' }))).toEqual(placed([start, ...line(9)]));
  });

  test('opens from the first day that is not certain to where eight of ten seasons end', () => {
    const range = pathWith(svg, { fill: '#e8a374' });
    expect(cornersOf(range)).toEqual(
      placed([
        [morningOf(7), sumAt(54)],
        ...[64, 74, 84, 94].map((sum, index) => [eveningOf(7 + index), sumAt(sum)] as const),
        ...[86, 78, 70, 62].map((sum, index) => [eveningOf(10 - index), sumAt(sum)] as const),
      ]),
    );
    const [low, high] = [sumAt(86).toFixed(2), sumAt(94).toFixed(2)];
    expect(pathWith(svg, { 'stroke-width': '1.5' })).toBe(`M771 ${high}h10M776 ${high}V${low}M771 ${low}h10`);
  });

  test('opens from nothing when no day is certain', () => {
    const cumulative = { p10: Array<number>(10).fill(1), p90: Array<number>(10).fill(2) };
    const open = drawn(curve, { range: { p10: 1, p50: 90, p90: 2, from: may(1), cumulative } });
    // The total alone is 90 now: the scale is another, its zero is not.
    expect(cornersOf(pathWith(open, { fill: '#e8a374' }))[0]).toEqual([left, 308]);
  });

  test('has neither band nor bracket where there are no normals and every day is certain', () => {
    const { normal: _normal, ...record } = aChartRecord({ range: { p10: 90, p50: 90, p90: 90 } });
    const bare = curve(layoutOf(record));
    expect(bare).not.toMatch(/#d5dae1|#7b8494|#e8a374|h10M/);
  });

  test.each([
    { day: 7, why: 'right of its line', offset: 4, anchor: undefined },
    { day: 9, why: 'right of it while there are 90 pixels', offset: 4, anchor: undefined },
    { day: 10, why: 'left of it where there is no room', offset: -4, anchor: 'end' },
  ])('tells the day of the calculation, $day May, $why', ({ day, offset, anchor }) => {
    const told = drawn(curve, { asOfDate: may(day) });
    expect(pathWith(told, { 'stroke-dasharray': '3 3' })).toBe(`M${morningOf(day).toFixed(2)} 80V412`);
    const place = placeOfText(told, `as of ${day} May`);
    expect([place.x, place.y, place.anchor]).toEqual([morningOf(day) + offset, 302, anchor]);
  });

  test.each([may(1), '2026-06-01'])('has no such line at the first day and outside of the season: %s', (asOfDate) => {
    expect(drawn(curve, { asOfDate })).not.toContain('as of');
  });
});

describe('the axes', () => {
  const svg = drawn(axes);
  const labelsAt = (x: number): [string, number][] =>
    [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</g)]
      .filter(([, each]) => Number(each) === x)
      .map(([, , y, label]) => [label!, Number(y)]);

  test('have a line and a label at each tick: of the sums every 20, of the days every 5', () => {
    const lines = elementsOf(svg, 'path').filter(({ stroke }) => stroke === '#e2e5ea');
    const heights = [0, 20, 40, 60, 80, 100].map(sumAt).concat([0, 5, 10].map(dayAt));
    expect(lines.map(({ d }) => d)).toEqual(heights.map((y) => `M66 ${y.toFixed(2)}H776`));
    expect(labelsAt(60)).toEqual([
      ...[0, 20, 40, 60, 80, 100].map((sum) => [String(sum), rounded(sumAt(sum) + 4)]),
      ...[0, 5, 10].map((gdd) => [String(gdd), rounded(dayAt(gdd) + 4)]),
    ]);
    expect(elementsOf(svg, 'path').map(({ d }) => d)).toEqual(
      expect.arrayContaining(['M66 80V308H776', 'M66 332V412H776']),
    );
    expect(svg).toContain('translate(20 194) rotate(-90)" text-anchor="middle">accumulated, °C·day<');
    expect(svg).toContain('translate(20 372) rotate(-90)" text-anchor="middle">daily, °C·day<');
  });

  test('mark every other of ten days at its morning', () => {
    const marks = elementsOf(svg, 'path').filter(({ d }) => d?.endsWith('v5'));
    expect(marks.map(({ d }) => d)).toEqual([1, 3, 5, 7, 9].map((day) => `M${morningOf(day).toFixed(2)} 412v5`));
    for (const [day, label] of [
      [1, '1 May 2026'],
      [3, '3 May'],
      [9, '9 May'],
    ] as const)
      expect(placeOfText(svg, label)).toMatchObject({ x: morningOf(day) + 3, y: 426 });
  });

  test('leave out a label that has no room before the next mark or the end', () => {
    const [day] = aChartRecord().daily;
    const daily = Array.from({ length: 71 }, (_, index) => ({
      ...day!,
      date: new Date(Date.UTC(2026, 3, 29 + index)).toISOString().slice(0, 10),
    }));
    // From 29 April to 8 July: 10 pixels a day; the eight days of July have 80 of them, `Jul` wants 16.5.
    const all = axes(layoutOf(aChartRecord({ gddStartDate: '2026-04-29', daily })));
    expect(all).toContain('>May 2026<');
    expect(all).toContain('>Jul<');
    // To 2 July: the last month has less than two days.
    const short = axes(
      layoutOf(
        aChartRecord({
          gddStartDate: '2026-04-22',
          daily: daily.map((each, index) => ({
            ...each,
            date: new Date(Date.UTC(2026, 3, 22 + index)).toISOString().slice(0, 10),
          })),
        }),
      ),
    );
    expect(short).not.toContain('>Jul<');
    expect(elementsOf(short, 'path').filter(({ d }) => d?.endsWith('v5'))).toHaveLength(3);
  });

  test('shade the days to come from the day of the calculation on, with a word between the frames', () => {
    const shades = (fill: string) =>
      elementsOf(svg, 'rect')
        .filter((each) => each['fill'] === fill)
        .map(({ x, y, width, height }) => [x, y, width, height].map(Number));
    expect(shades('#fdebd9')).toEqual([
      [morningOf(7), 80, 142, 228],
      [morningOf(7), 332, 142, 80],
    ]);
    expect(shades('#f3f4f6')).toEqual([
      [morningOf(9), 80, 142, 228],
      [morningOf(9), 332, 142, 80],
    ]);
    expect(placeOfText(svg, 'forecast')).toEqual({ x: morningOf(8), y: 324, anchor: 'middle' });
    expect(placeOfText(svg, 'normals')).toEqual({ x: morningOf(10), y: 324, anchor: 'middle' });
  });

  test('have no word where its shade is too narrow, and no shade for what has been', () => {
    const [day] = aChartRecord().daily;
    const season = (forecastDays: number, asOfDay: number) =>
      drawn(axes, {
        asOfDate: may(asOfDay),
        daily: Array.from({ length: 31 }, (_, index) => ({
          ...day!,
          date: may(index + 1),
          source: index >= 10 && index < 10 + forecastDays ? 'FORECAST' : 'OBSERVED',
        })),
      });
    // 22.9 pixels a day; `forecast` wants 44.
    expect(season(1, 1)).toContain('#fdebd9');
    expect(season(1, 1)).not.toContain('>forecast<');
    expect(season(2, 1)).toContain('>forecast<');
    expect(season(2, 20)).not.toContain('#fdebd9');
  });
});

describe('the scale of the sums', () => {
  const normalsUpTo = (sum: number): NonNullable<GddRecord['normal']> => ({
    ...aChartRecord().normal!,
    cumulative: { mean: [1], p10: [1], p90: [sum / 2, sum] },
  });

  test.each<{ why: string; changes: Partial<GddRecord>; highest: number; room: number }>([
    { why: 'the range of the total', changes: {}, highest: 94, room: 0.06 },
    { why: 'the total itself', changes: { total: 130 }, highest: 130, room: 0.06 },
    { why: 'the normals', changes: { normal: normalsUpTo(140) }, highest: 140, room: 0.06 },
    { why: 'the names of stages', changes: { stages: [aStage(may(3))] }, highest: 94, room: 0.22 },
    { why: 'a stage without a day, which has no name', changes: { stages: [aStage(null)] }, highest: 94, room: 0.06 },
  ])('has room for $why', ({ changes, highest, room }) => {
    expect(layoutOf(aChartRecord(changes)).sums.y(highest)).toBeCloseTo(80 + room * 228, 6);
  });
});

describe('the whole picture', () => {
  const svg = gddChart(aChartRecord());

  test('is told to readers who hear it', () => {
    expect(elementsOf(svg, 'svg')[0]).toMatchObject({ role: 'img', 'aria-labelledby': 'title description' });
    expect(svg).toContain('<title id="title">Corn: growing degree-days, 2026-05-01 to 2026-05-10</title>');
    expect(svg).toContain('<desc id="description">Corn. Total 90 °C·day');
  });

  test('has its three lines above the frame, on white', () => {
    expect(elementsOf(svg, 'rect').find(({ width }) => width === '800')).toEqual({
      ...{ width: '800', height: '500', fill: '#ffffff' },
    });
    const lines = ['Corn: growing', 'Total 90', 'limits 10'].map((words) => {
      const [, x, y] = new RegExp(`<text x="(\\d+)" y="(\\d+)"[^>]*>${words}`).exec(svg)!;
      return [Number(x), Number(y)];
    });
    expect(lines.map(([x]) => x)).toEqual([16, 16, 16]);
    expect(lines.map(([, y]) => y)).toEqual(lines.map(([, y]) => y).toSorted((one, other) => one! - other!));
    expect(lines.at(-1)![1]).toBeLessThan(80);
  });
});

describe('a season that is past', () => {
  const { normal: _normal, ...past } = aChartRecord({
    asOfDate: '2026-06-01',
    range: { p10: 90, p50: 90, p90: 90 },
    daily: aChartRecord().daily.map((day) => ({ ...day, source: 'OBSERVED' as const })),
  });
  const layout = layoutOf(past);
  const wordsOf = (svg: string): string[] => svg.split(/<[^>]*>/).filter((words) => words !== '');

  test('says nothing but what stands at its axes', () => {
    expect(wordsOf(axes(layout))).toEqual([
      ...['0', '20', '40', '60', '80', 'accumulated, °C·day', '0', '5', '10', 'daily, °C·day'],
      ...['1 May 2026', '3 May', '5 May', '7 May', '9 May'],
    ]);
    for (const draw of [bars, curve, frostMarks, stageMarks]) expect(wordsOf(draw(layout))).toEqual([]);
  });

  test('has one whole curve and nothing beside it', () => {
    expect(elementsOf(curve(layout), 'path')).toHaveLength(1);
    expect(elementsOf(axes(layout), 'rect')).toEqual([]);
  });
});

describe('the marks of frost', () => {
  const night = (day: number, severity: 'NEAR' | 'DAMAGE' | 'KILLING') =>
    ({ date: may(day), tmin: -1, source: 'OBSERVED', severity }) as const;
  const freeze = (earliest: string | null, median: string | null, latest: string | null) => ({
    earliest,
    median,
    latest,
  });
  const withFreeze = (firstFreeze: ReturnType<typeof freeze>): Partial<GddRecord> => ({
    normal: { ...aChartRecord().normal!, firstFreeze },
  });

  test('stand above the middle of their days, the worst drawn last', () => {
    const svg = drawn(frostMarks, { frost: [night(4, 'KILLING'), night(2, 'NEAR'), night(3, 'DAMAGE')] });
    expect(elementsOf(svg, 'path').map(({ transform, fill }) => `${transform} ${fill}`)).toEqual([
      `translate(${(morningOf(2) + 35.5).toFixed(2)} 341) #ffffff`,
      `translate(${(morningOf(3) + 35.5).toFixed(2)} 341) #1d6fb8`,
      `translate(${(morningOf(4) + 35.5).toFixed(2)} 341) #8c1d5b`,
    ]);
  });

  test.each([
    { why: 'within the season', dates: ['05-02', '05-04', '05-07'], from: 2, to: 7, median: 4 },
    { why: 'that begins before it', dates: ['04-20', '05-01', '05-03'], from: 1, to: 3, median: 1 },
    { why: 'that begins before it, as its median', dates: ['04-20', '04-28', '05-03'], from: 1, to: 3, median: null },
    { why: 'that ends after it', dates: ['05-08', '05-20', '05-30'], from: 8, to: 10, median: null },
    { why: 'without a latest day', dates: ['05-08', '05-09', null], from: 8, to: 10, median: 9 },
    { why: 'of one day', dates: ['05-05', '05-05', '05-05'], from: 5, to: 5, median: 5 },
    { why: 'that ends on its first day', dates: ['04-20', '04-28', '05-01'], from: 1, to: 1, median: null },
  ])('tell when it usually freezes: a span $why', ({ dates: [earliest, median, latest], from, to, median: tick }) => {
    const svg = drawn(frostMarks, withFreeze(freeze(earliest!, median!, latest!)));
    const line = `M${morningOf(from).toFixed(2)} 341H${eveningOf(to).toFixed(2)}`;
    const mark = tick === null ? '' : `M${(morningOf(tick) + 35.5).toFixed(2)} 336v10`;
    expect(elementsOf(svg, 'path').map(({ d }) => d)).toEqual([`${line}${mark}`]);
  });

  test.each([
    { why: 'that lie before and after the season', dates: ['04-20', '04-22', '04-25'] },
    { why: 'that most winters do not have', dates: ['05-03', null, null] },
  ])('tell nothing of freezes $why', ({ dates: [earliest, median, latest] }) => {
    expect(elementsOf(drawn(frostMarks, withFreeze(freeze(earliest!, median!, latest!))), 'path')).toEqual([]);
  });

  test('have room above the bars: 26 % instead of 5', () => {
    const room = (changes: Partial<GddRecord>) => layoutOf(aChartRecord(changes)).days.y(9.5) - 332;
    expect(room({})).toBeCloseTo(0.05 * 80, 6);
    expect(room({ frost: [night(2, 'NEAR')] })).toBeCloseTo(0.26 * 80, 6);
    expect(room(withFreeze(freeze('05-02', '05-04', '05-07')))).toBeCloseTo(0.26 * 80, 6);
  });
});

describe('the marks of growth stages', () => {
  /** With stages a fifth of the height stays free for their names: the scale ends at 94 / 0.78. */
  const sumWithStages = (sum: number): number => 308 - (sum / (94 / 0.78)) * 228;
  const stagesOf = (...stages: readonly ReturnType<typeof aStage>[]): string => drawn(stageMarks, { stages });
  const noonOf = (day: number): number => morningOf(day) + 35.5;

  test('are dots where the curve is at noon, full when reached, hollow while expected', () => {
    const svg = stagesOf(
      aStage(may(5)),
      aStage(may(8), { code: 'VT', name: 'tasseling', basis: 'FORECAST' }),
      aStage(may(10), { code: 'R3', name: 'milk', basis: 'NORMAL' }),
    );
    // At noon half of the day's degree-days have come.
    expect(elementsOf(svg, 'circle').map(({ cx, cy, fill }) => [Number(cx), Number(cy), fill])).toEqual([
      [noonOf(5), rounded(sumWithStages(44.5 - 9.5 / 2)), '#1f2937'],
      [noonOf(8), rounded(sumWithStages(72 - 4.5)), '#ffffff'],
      [noonOf(10), rounded(sumWithStages(90 - 4.5)), '#ffffff'],
    ]);
  });

  test('stand at the day that frost prevented, in its colour, and nowhere when the season does not have their day', () => {
    const survived = stagesOf(aStage(null, { dateIfSurvived: may(6) }), aStage(null), aStage('2026-06-01'));
    expect(elementsOf(survived, 'circle')).toHaveLength(1);
    expect(elementsOf(survived, 'circle')[0]).toMatchObject({ cx: String(noonOf(6)), stroke: '#8c1d5b' });
    expect(survived).toContain('fill="#8c1d5b" paint-order');
  });

  test('have their name above, with a line down to the dot', () => {
    const svg = stagesOf(aStage(may(5)));
    expect(placeOfText(svg, 'V8 8 leaves')).toEqual({ x: noonOf(5), y: 90, anchor: 'middle' });
    const y = sumWithStages(44.5 - 9.5 / 2);
    expect(pathWith(svg, { stroke: '#6b7280' })).toBe(`M${noonOf(5).toFixed(2)} 94V${(y - 4).toFixed(2)}`);
  });

  test('are called by their code alone when it has more than three letters', () => {
    const svg = stagesOf(
      aStage(may(2), { code: 'boot', name: 'in the boot' }),
      aStage(may(8), { code: 'V13', name: '13 leaves' }),
    );
    expect(svg).toContain('>boot</text>');
    expect(svg).toContain('>V13 13 leaves</text>');
  });

  test('have names that do not run into each other: up to four rows, then none; each within the frame', () => {
    const svg = stagesOf(...[5, 5, 5, 5, 5].map((day) => aStage(may(day))));
    const names = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*>V8 8 leaves</g)].map(([, , y]) => Number(y));
    expect(names).toEqual([90, 103, 116, 129]);
    // Who has no name has no line to it.
    expect(elementsOf(svg, 'path').filter(({ stroke }) => stroke === '#6b7280')).toHaveLength(4);
    expect(svg).not.toContain('fill="#8c1d5b"');
    // Eleven characters of 6 pixels: half is 33.
    expect(placeOfText(stagesOf(aStage(may(1))), 'V8 8 leaves').x).toBe(Math.max(noonOf(1), left + 33));
    const long = aStage(may(10), { code: 'cover 50–70 % of it', name: '' });
    expect(placeOfText(stagesOf(long), long.code).x).toBe(right - (long.code.length * 6) / 2);
    expect(placeOfText(stagesOf({ ...long, date: may(1) }), long.code).x).toBe(left + (long.code.length * 6) / 2);
  });

  test('share a row when four pixels lie between their names', () => {
    // Names of 66 pixels; days of 71 leave five between them.
    const rows = (first: number, second: number) => {
      const svg = stagesOf(aStage(may(first)), aStage(may(second)));
      return [...svg.matchAll(/ y="([\d.]+)"[^>]*>V8 8 leaves</g)].map(([, y]) => Number(y));
    };
    expect(rows(4, 5)).toEqual([90, 90]);
    const longer = stagesOf(aStage(may(4), { name: '8 leaves.' }), aStage(may(5), { name: '8 leaves,' }));
    // 72 pixels each: they would overlap by one.
    expect(placeOfText(longer, 'V8 8 leaves,').y).toBe(103);
  });

  test.each([
    { why: 'with ends', earliest: may(7), latest: may(9), from: 7, to: 9, caps: 2 },
    { why: 'open where it may be after the season', earliest: may(7), latest: null, from: 7, to: null, caps: 1 },
    { why: 'from the day itself when none is earlier', earliest: null, latest: may(9), from: 8, to: 9, caps: 2 },
  ])('have a line over the days of eight in ten seasons, $why', ({ earliest, latest, from, to, caps }) => {
    const svg = stagesOf(aStage(may(8), { basis: 'NORMAL', earliest, latest }));
    const y = sumWithStages(72 - 4.5);
    const [start, end] = [noonOf(from), to === null ? right : noonOf(to)];
    const d = pathWith(svg, { 'stroke-width': '1.2' });
    expect(d.startsWith(`M${start.toFixed(2)} ${y.toFixed(2)}H${end.toFixed(2)}M`)).toBe(true);
    expect(d).toContain(`M${start.toFixed(2)} ${(y - 3).toFixed(2)}v6`);
    expect(d.match(/v6/g)).toHaveLength(caps);
  });

  test('have no such line when their day is certain, or frost prevented it', () => {
    expect(stagesOf(aStage(may(8)))).not.toContain('v6');
    expect(stagesOf(aStage(null, { dateIfSurvived: may(6), earliest: may(5), latest: may(7) }))).not.toContain('v6');
  });
});
