import { describe, expect, test } from '@jest/globals';
import type { GddParameters } from '../../shared/gdd/gddParameters.js';
import type { GddRecord } from '../../shared/gdd/gddRecord.js';
import { gddChart } from '../../shared/gdd/chart/gddChart.js';
import { dayTicks, valueScale } from '../../shared/gdd/chart/scale.js';
import { element, escaped } from '../../shared/insights/svg.js';
import { jobWorld } from './gddJobUnderTest.js';
import { memoryCache, openMeteoAnswers, plainWeather } from '../weather/fakeProviders.js';

const weatherCache = memoryCache();

const recordAsOf = async (now: string, parameters: Partial<GddParameters> = {}): Promise<GddRecord> =>
  jobWorld({
    now: `${now}T17:00:00Z`,
    answer: (url, { clock }) => openMeteoAnswers({ clock, archive: plainWeather })(url),
    ports: { weatherCache },
  }).run(parameters);

const count = (svg: string, pattern: RegExp): number => svg.match(pattern)?.length ?? 0;

/** Names of elements that are opened but not closed, or closed but not open. */
function unbalanced(svg: string): string[] {
  const open: string[] = [];
  for (const [, isEnd, name, isEmpty] of svg.matchAll(/<(\/?)([a-zA-Z]+)[^<>]*?(\/?)>/g)) {
    if (isEnd === '/' && open.pop() !== name) return [`</${String(name)}>`];
    if (isEnd === '' && isEmpty === '') open.push(name!);
  }
  return open;
}

const cases: { why: string; now: string; parameters: Partial<GddParameters> }[] = [
  { why: 'in the past', now: '2026-08-18', parameters: { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' } },
  { why: 'around today', now: '2026-07-20', parameters: {} },
  { why: 'in the future', now: '2026-03-20', parameters: { crop: 'SOYBEAN' } },
  { why: 'of one day', now: '2026-08-18', parameters: { gddStartDate: '2026-08-18', gddEndDate: '2026-08-18' } },
  { why: 'of five days', now: '2026-08-18', parameters: { gddStartDate: '2026-08-15', gddEndDate: '2026-08-19' } },
  {
    why: 'of 400 days',
    now: '2026-06-18',
    parameters: { gddStartDate: '2025-09-15', gddEndDate: '2026-10-19', crop: 'WINTER_WHEAT' },
  },
  { why: 'in °F', now: '2026-07-20', parameters: { crop: 'COTTON', temperatureUnit: 'F' } },
  {
    why: 'without any degree-day',
    now: '2026-08-18',
    parameters: { gddStartDate: '2026-01-01', gddEndDate: '2026-01-31', crop: 'COTTON' },
  },
];

describe('the picture of a season', () => {
  test.each(cases)('$why: well-formed, 800 × 450, every figure a number', async ({ now, parameters }) => {
    const svg = gddChart(await recordAsOf(now, parameters));
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="800" height="450" viewBox="0 0 800 450"/,
    );
    expect(unbalanced(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
    expect(svg.length).toBeLessThan(100_000);
  });

  test.each(cases)('$why: nothing is drawn outside', async ({ now, parameters }) => {
    const svg = gddChart(await recordAsOf(now, parameters));
    const outside = [...svg.matchAll(/ (x|y|cx|cy)="(-?[\d.]+)"/g)].filter(([, name, value]) => {
      const limit = name!.endsWith('x') ? 800 : 450;
      return Number(value) < 0 || Number(value) > limit;
    });
    expect(outside).toEqual([]);
  });

  test('says what it shows: crop, days, total, unit, departure, limits and date', async () => {
    const record = await recordAsOf('2026-07-20', { temperatureUnit: 'F' });
    const svg = gddChart(record);
    expect(svg).toContain('Corn: growing degree-days, 2026-05-01 to 2026-09-30');
    expect(svg).toContain(`Total ${Math.round(record.total)} °F·day`);
    expect(svg).toContain('limits 50 to 86 °F');
    expect(svg).toContain('as of 2026-07-20');
    expect(svg).toContain('accumulated, °F·day');
    expect(svg).toContain('daily, °F·day');
  });

  test('has one bar a day and a dot for each stage reached', async () => {
    const record = await recordAsOf('2026-08-18', { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' });
    const svg = gddChart(record);
    const reached = record.stages.filter(({ date }) => date !== null).length;
    expect(count(svg, /<rect [^>]*fill="#27548a" stroke="#27548a"/g)).toBe(153 + 1); // and one in the legend
    expect(reached).toBeGreaterThan(2);
    expect(count(svg, /<circle [^>]*r="3.5"/g)).toBe(reached + 1);
  });

  test('explains only what it shows', async () => {
    const past = gddChart(await recordAsOf('2026-08-18', { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' }));
    const around = gddChart(await recordAsOf('2026-07-20'));
    for (const word of ['forecast day', 'normal day', 'range of the total', 'as of 20 Jul']) {
      expect([word, past.includes(word), around.includes(word)]).toEqual([word, false, true]);
    }
  });

  test('does without normals', async () => {
    const { normal: _normal, ...record } = await recordAsOf('2026-08-18', {
      gddStartDate: '2025-05-01',
      gddEndDate: '2025-09-30',
    });
    const svg = gddChart(record);
    expect(svg).not.toContain('1991');
    expect(unbalanced(svg)).toEqual([]);
  });
});

describe('the value scale', () => {
  const frame = { left: 0, right: 100, top: 0, bottom: 200 };
  test.each([
    { highest: 1455, ticks: [0, 500, 1000, 1500] },
    { highest: 18, ticks: [0, 5, 10, 15] },
    { highest: 63, ticks: [0, 20, 40, 60] },
    { highest: 0, ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
  ])('up to $highest has ticks at $ticks', ({ highest, ticks }) => {
    expect(valueScale(highest, frame, { headroom: 0.06, ticks: 6 }).ticks).toEqual(ticks);
  });

  test('puts zero at the bottom and leaves the headroom above the highest', () => {
    const { y } = valueScale(80, frame, { headroom: 0.2, ticks: 5 });
    expect([y(0), y(80)]).toEqual([200, 40]);
  });
});

describe('the time axis', () => {
  test.each([
    { first: '2026-08-15', days: 3, labels: ['15 Aug 2026', '16 Aug', '17 Aug'] },
    { first: '2026-05-20', days: 22, labels: ['20 May 2026', '27 May', '3 Jun', '10 Jun'] },
    { first: '2025-11-15', days: 90, labels: ['Dec 2025', 'Jan 2026', 'Feb'] },
    { first: '2025-11-01', days: 91, labels: ['Nov 2025', 'Dec', 'Jan 2026'] },
  ])('of $days days from $first is marked $labels', ({ first, days, labels }) => {
    expect(dayTicks(first, days).map(({ label }) => label)).toEqual(labels);
  });
});

describe('markup', () => {
  test('holds no foreign markup', () => {
    expect(escaped('a < b & "c" > d')).toBe('a &lt; b &amp; &quot;c&quot; &gt; d');
    expect(element('text', { x: 1 / 3, fill: 'a"b', stroke: undefined }, 'in')).toBe(
      '<text x="0.33" fill="a&quot;b">in</text>',
    );
  });
});
