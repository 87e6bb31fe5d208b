import { describe, expect, test } from '@jest/globals';
import type { StoredGddParameters } from '../../../shared/gdd/form/gddParameters.js';
import type { GddRecord } from '../../../shared/gdd/form/gddRecord.js';
import { gddChart } from '../../../shared/gdd/chart/gddChart.js';
import { dayTicks, valueScale } from '../../../shared/gdd/chart/scale.js';
import { element, escaped } from '../../../shared/jobs/insight/svg.js';
import { jobWorld } from '../gddJobUnderTest.js';
import { memoryCache, openMeteoAnswers, plainWeather } from '../weather/fakeProviders.js';

const weatherCache = memoryCache();

const recordAsOf = async (now: string, parameters: Partial<StoredGddParameters> = {}): Promise<GddRecord> =>
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

const cases: { why: string; now: string; parameters: Partial<StoredGddParameters> }[] = [
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
  test.each(cases)('$why: well-formed, 800 × 500, every figure a number', async ({ now, parameters }) => {
    const svg = gddChart(await recordAsOf(now, parameters));
    expect(svg).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="800" height="500" viewBox="0 0 800 500"/,
    );
    expect(unbalanced(svg)).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
    expect(svg.length).toBeLessThan(100_000);
  });

  test.each(cases)('$why: nothing is drawn outside', async ({ now, parameters }) => {
    const svg = gddChart(await recordAsOf(now, parameters));
    const outside = [...svg.matchAll(/ (x|y|cx|cy)="(-?[\d.]+)"/g)].filter(([, name, value]) => {
      const limit = name!.endsWith('x') ? 800 : 500;
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
    for (const word of ['forecast day', 'normal day', 'range with forecast error', 'stage expected', 'as of 20 Jul']) {
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

/** One record with everything in it that a picture can show. */
async function fullRecord(): Promise<GddRecord> {
  const record = await recordAsOf('2026-07-20');
  const [first, second, ...others] = record.stages.map((stage) => ({ ...stage }));
  const night = (date: string, severity: 'NEAR' | 'DAMAGE' | 'KILLING') =>
    ({ date, tmin: -1, source: 'OBSERVED', severity }) as const;
  return {
    ...record,
    asOf: '2026-07-21T20:00:00.000Z',
    location: { ...record.location, elevationM: 540 },
    sources: record.sources.map((source) =>
      source.product === 'archive'
        ? { ...source, gridElevationM: 1740, elevationCorrectionC: { tmax: 7.8, tmin: 5.4 } }
        : source,
    ),
    daily: record.daily.map((day, index) => (index === 20 ? { ...day, source: 'INTERPOLATED' } : day)),
    frost: [night('2026-05-05', 'NEAR'), night('2026-05-09', 'DAMAGE'), night('2026-09-20', 'KILLING')],
    stages: [
      first!,
      ...others,
      { ...second!, date: null, basis: null, earliest: null, latest: null, dateIfSurvived: '2026-09-25' },
    ],
    normal: {
      ...record.normal!,
      firstFreeze: { earliest: '09-22', median: '10-05', latest: '10-20' },
      lastFreeze: { earliest: '04-09', median: '04-24', latest: '05-09' },
    },
  };
}

/** What the legend has to say of each mark, and how the mark is drawn. */
const marks: readonly {
  readonly mark: string;
  readonly legend: string;
  readonly drawn: RegExp;
  readonly times: number;
}[] = [
  {
    mark: 'the range with forecast error',
    legend: 'range with forecast error, 8 of 10 seasons',
    drawn: /fill="#e8a374"/g,
    times: 2,
  },
  { mark: 'a bridged day', legend: 'bridged day', drawn: /fill="url\(#dots\)"/g, times: 2 },
  {
    mark: 'a night near frost',
    legend: 'night within 1 °C of frost damage',
    drawn: /fill="#ffffff" stroke="#1d6fb8"/g,
    times: 2,
  },
  { mark: 'frost that damages', legend: 'frost that damages', drawn: /fill="#1d6fb8" stroke="#1d6fb8"/g, times: 2 },
  { mark: 'frost that kills', legend: 'frost that kills', drawn: /fill="#8c1d5b" stroke="#8c1d5b"/g, times: 2 },
  {
    mark: 'the usual first and last freeze',
    legend: 'first, last freeze (0 °C), 8 of 10 years',
    drawn: /stroke="#1d6fb8" stroke-width="2"/g,
    times: 3,
  },
  {
    mark: 'a stage if the crop survived',
    legend: 'stage if the crop survived the frost',
    drawn: /<circle [^>]*stroke="#8c1d5b"/g,
    times: 2,
  },
  { mark: 'a forecast that was kept', legend: 'forecast day of 20 Jul', drawn: /fill="url\(#stripes\)"/g, times: 9 },
];

describe('every mark is drawn and explained', () => {
  test.each(marks)('$mark', async ({ legend, drawn, times }) => {
    const svg = gddChart(await fullRecord());
    expect(svg).toContain(`>${legend}</text>`);
    expect(count(svg, drawn)).toBe(times);
  });

  test.each(marks.filter(({ mark }) => !mark.includes('range')))(
    'not a word of $mark where there is none',
    async ({ legend }) => {
      const { frost: _frost, ...record } = await recordAsOf('2026-07-20');
      const { firstFreeze: _first, lastFreeze: _last, ...normal } = record.normal!;
      expect(gddChart({ ...record, frost: [], normal })).not.toContain(legend);
    },
  );

  test('the days in which eight of ten seasons reach a stage', async () => {
    const record = await recordAsOf('2026-07-01');
    const open = record.stages.filter(({ date, earliest, latest }) => date !== null && earliest !== latest);
    const svg = gddChart(record);
    expect(open.length).toBeGreaterThan(1);
    expect(count(svg, /v6" stroke="#1f2937" stroke-width="1.2"/g)).toBe(open.length + 1);
    expect(svg).toContain('>its day in 8 of 10 seasons</text>');
  });

  test('the height of the field, its cell’s and the correction stand below the total', async () => {
    const svg = gddChart(await fullRecord());
    expect(svg).toContain('field at 540 m, its cell at 1740 m: +7.8 °C by day, +5.4 °C by night · place ±');
    expect(gddChart(await recordAsOf('2026-07-20'))).toContain('limits 10 to 30 °C · field at 203 m · place ±');
  });

  test('no usual freeze is drawn where most winters have none', async () => {
    const record = await fullRecord();
    const rare = { earliest: '05-20', median: null, latest: null };
    const svg = gddChart({ ...record, normal: { ...record.normal!, firstFreeze: rare, lastFreeze: rare } });
    expect(svg).not.toContain('first, last freeze');
  });

  test('no line of the legend is longer than the picture is wide', async () => {
    const svg = gddChart(await fullRecord());
    const lines = [...svg.matchAll(/<g transform="translate\(([\d.]+) (4[\d.]+)\)">.*?<text [^>]*>([^<]*)</g)];
    expect(lines.length).toBeGreaterThan(10);
    for (const [, x, y, label] of lines) {
      expect(Number(x) + 21 + label!.length * 5.6).toBeLessThanOrEqual(800);
      expect(Number(y)).toBeLessThan(490);
    }
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
