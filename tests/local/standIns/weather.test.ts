import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWeather, type Weather, type WeatherOptions } from '../../../infra/local/standIns/weather.js';
import { daysBetween, formatDay, parseDay } from '../../../infra/local/standIns/weather/calendarDays.js';
import { groundM, VALLEY } from '../../../infra/local/standIns/weather/terrain.js';
import { syntheticWeather } from '../../../infra/local/standIns/weather/syntheticWeather.js';
import type { Place } from '../../../infra/local/standIns/weather/weatherRecord.js';

/** In Iowa it is 07:00 of the same day. */
const NOON = new Date('2026-05-20T12:00:00Z');
const IOWA = { latitude: 41.5046, longitude: -92.9819 };
const MILWAUKEE = '../shared/data/gdd/ghcnd_USW00014839_milwaukee_wi.csv';

interface OpenMeteoAnswer {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation: number;
  readonly timezone: string;
  readonly utc_offset_seconds: number;
  readonly source: string;
  readonly daily_units: Readonly<Record<string, string>>;
  readonly daily: {
    readonly time: readonly string[];
    readonly temperature_2m_max: readonly (number | null)[];
    readonly temperature_2m_min: readonly (number | null)[];
  };
}
interface PowerAnswer {
  readonly geometry: { readonly coordinates: readonly number[] };
  readonly properties: {
    readonly parameter: Readonly<Record<'T2M_MAX' | 'T2M_MIN', Readonly<Record<string, number | null>>>>;
  };
  readonly header: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, { readonly units: string }>>;
}

let weather: Weather | undefined;
const started = async (options: WeatherOptions = {}): Promise<Weather> =>
  (weather = await startWeather({ clock: { now: () => NOON }, ...options }));
afterEach(() => weather?.close());

async function get(
  url: string,
  query: Readonly<Record<string, string | number>>,
): Promise<{ status: number; json: unknown }> {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, String(value));
  const response = await fetch(target);
  return { status: response.status, json: await response.json() };
}
const OPEN_METEO = {
  ...IOWA,
  daily: 'temperature_2m_max,temperature_2m_min',
  timezone: 'auto',
  temperature_unit: 'celsius',
};
async function archive(query: Readonly<Record<string, string | number>>): Promise<OpenMeteoAnswer> {
  return (await get((weather ?? (await started())).archiveUrl, { ...OPEN_METEO, ...query })).json as OpenMeteoAnswer;
}
async function forecast(query: Readonly<Record<string, string | number>>): Promise<OpenMeteoAnswer> {
  return (await get((weather ?? (await started())).forecastUrl, { ...OPEN_METEO, ...query })).json as OpenMeteoAnswer;
}
const POWER = { ...IOWA, parameters: 'T2M_MAX,T2M_MIN', community: 'AG', format: 'JSON', 'time-standard': 'LST' };
async function power(query: Readonly<Record<string, string | number>>): Promise<PowerAnswer> {
  return (await get((weather ?? (await started())).powerUrl, { ...POWER, ...query })).json as PowerAnswer;
}
afterEach(() => {
  weather = undefined;
});
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("Open-Meteo's archive", () => {
  test('answers in the documented shape, says that it is synthetic, and names grid cell and local time', async () => {
    const answer = await archive({ start_date: '2026-05-01', end_date: '2026-05-03' });
    expect(answer).toMatchObject({
      latitude: 41.5,
      longitude: -93,
      generationtime_ms: expect.any(Number),
      utc_offset_seconds: -18_000,
      timezone: 'America/Chicago',
      timezone_abbreviation: 'CDT',
      elevation: expect.any(Number),
      source: 'synthetic',
      daily_units: { time: 'iso8601', temperature_2m_max: '°C', temperature_2m_min: '°C' },
    });
    expect(answer.daily.time).toEqual(['2026-05-01', '2026-05-02', '2026-05-03']);
    expect(answer.daily.temperature_2m_max.every((value) => typeof value === 'number')).toBe(true);
  });

  test('takes the newest day for whole when only its first hours have come', async () => {
    const span = { start_date: '2026-05-12', end_date: '2026-05-15' };
    const early = (await archive(span)).daily;
    await weather?.close();
    await started({ clock: { now: () => new Date('2026-06-20T12:00:00Z') } });
    const late = (await archive(span)).daily;
    expect(early.temperature_2m_max.slice(0, 2)).toEqual(late.temperature_2m_max.slice(0, 2));
    expect(late.temperature_2m_max[2]! - early.temperature_2m_max[2]!).toBeGreaterThan(3);
  });

  test('knows other models, and takes another one from 2017 on when none is named', async () => {
    const span = { start_date: '2020-07-01', end_date: '2020-07-01' };
    const ofModel = async (models?: string): Promise<number> =>
      (await archive({ ...span, ...(models !== undefined && { models }) })).daily.temperature_2m_max[0]!;
    expect((await ofModel('era5_seamless')) - (await ofModel())).toBeCloseTo(1, 1);
    expect(await ofModel('ecmwf_ifs')).toBe(await ofModel());
    const { archiveUrl } = weather!;
    expect(await get(archiveUrl, { ...OPEN_METEO, ...span, models: 'magic' })).toMatchObject({ status: 400 });
  });

  test('has no day of the last five and none to come: they are null', async () => {
    const { time, temperature_2m_max: maxima } = (await archive({ start_date: '2026-05-12', end_date: '2026-05-22' }))
      .daily;
    expect(time.filter((_, index) => maxima[index] !== null)).toEqual(['2026-05-12', '2026-05-13', '2026-05-14']);
  });

  test('gives the height that was asked for, colder by 6.5 °C per kilometre', async () => {
    const low = await archive({ start_date: '2026-05-01', end_date: '2026-05-01', elevation: 0 });
    const high = await archive({ start_date: '2026-05-01', end_date: '2026-05-01', elevation: 1000 });
    expect([low.elevation, high.elevation]).toEqual([0, 1000]);
    expect(low.daily.temperature_2m_max[0]! - high.daily.temperature_2m_max[0]!).toBeCloseTo(6.5, 6);
  });

  test('answers in °F when asked to', async () => {
    const span = { start_date: '2026-05-01', end_date: '2026-05-01' };
    const celsius = (await archive(span)).daily.temperature_2m_max[0]!;
    const answer = await archive({ ...span, temperature_unit: 'fahrenheit' });
    expect(answer.daily_units['temperature_2m_max']).toBe('°F');
    expect(answer.daily.temperature_2m_max[0]).toBeCloseTo(celsius * 1.8 + 32, 1);
  });

  test.each([
    { why: 'no such day', query: { start_date: '2026-02-30', end_date: '2026-05-01' } },
    { why: 'no end', query: { start_date: '2026-05-01' } },
    { why: 'an end before the start', query: { start_date: '2026-05-02', end_date: '2026-05-01' } },
    { why: 'a start before 1940', query: { start_date: '1939-12-31', end_date: '1940-01-01' } },
    { why: 'a latitude off the globe', query: { start_date: '2026-05-01', end_date: '2026-05-01', latitude: 91 } },
    { why: 'an unknown variable', query: { start_date: '2026-05-01', end_date: '2026-05-01', daily: 'tmax' } },
    { why: 'an unknown unit', query: { start_date: '2026-05-01', end_date: '2026-05-01', temperature_unit: 'kelvin' } },
    { why: 'an unknown zone', query: { start_date: '2026-05-01', end_date: '2026-05-01', timezone: 'Mars/Olympus' } },
  ])('refuses $why with 400 and a reason', async ({ query }) => {
    const { archiveUrl } = await started();
    const answer = await get(archiveUrl, { ...OPEN_METEO, ...query });
    expect(answer).toEqual({ status: 400, json: { error: true, reason: expect.any(String) } });
  });

  test('wants the time zone to be named', async () => {
    const { archiveUrl } = await started();
    const { timezone: _timezone, ...query } = OPEN_METEO;
    expect(await get(archiveUrl, { ...query, start_date: '2026-05-01', end_date: '2026-05-01' })).toMatchObject({
      status: 400,
    });
  });
});

describe("Open-Meteo's forecast", () => {
  test('reaches from past_days ago to forecast_days from today on', async () => {
    const { time, temperature_2m_min: minima } = (await forecast({ past_days: 14, forecast_days: 16 })).daily;
    expect([time[0], time.at(-1), time.length]).toEqual(['2026-05-06', '2026-06-04', 30]);
    expect(minima).not.toContain(null);
  });

  test('is of seven days from today on unless told otherwise', async () => {
    const { time } = (await forecast({})).daily;
    expect([time[0], time.length]).toEqual(['2026-05-20', 7]);
  });

  test('begins with the day that it is at the place, not in Greenwich', async () => {
    await started({ clock: { now: () => new Date('2026-05-20T02:00:00Z') } });
    expect((await forecast({})).daily.time[0]).toBe('2026-05-19');
    expect((await forecast({ longitude: 17.4, latitude: 59.9 })).daily.time[0]).toBe('2026-05-20');
  });

  test('differs from the archive by the bias of its model, and ahead by an error that grows', async () => {
    const later = { now: () => new Date('2026-07-01T12:00:00Z') };
    const ahead: number[][] = Array.from({ length: 8 }, () => []);
    const behind: number[] = [];
    for (let day = 20; day < 29; day += 1) {
      const issued = new Date(`2026-05-${day}T12:00:00Z`);
      await started({ clock: { now: () => issued } });
      const expected = (await forecast({ models: 'ecmwf_ifs', past_days: 14, forecast_days: 8 })).daily;
      await weather?.close();
      await started({ clock: later });
      const known = (
        await archive({ models: 'era5_seamless', start_date: expected.time[0]!, end_date: expected.time.at(-1)! })
      ).daily;
      await weather?.close();
      const errors = expected.temperature_2m_max.map((value, index) => value! - known.temperature_2m_max[index]!);
      behind.push(...errors.slice(0, 14));
      for (const [lead, error] of errors.slice(14).entries()) ahead[lead]?.push(error);
    }
    const bias = mean(behind);
    const spread = (values: readonly number[]): number => Math.sqrt(mean(values.map((value) => (value - bias) ** 2)));
    expect(bias).toBeCloseTo(-1, 1);
    expect(spread(behind)).toBeLessThan(0.1);
    expect(spread(ahead[0]!)).toBeGreaterThan(0.2);
    expect(spread(ahead[7]!)).toBeGreaterThan(2 * spread(ahead[0]!));
  });

  test('changes its model within the forecast when none is named, so that a bias of the past says little', async () => {
    const [own, one] = [
      await forecast({ forecast_days: 7 }),
      await forecast({ forecast_days: 7, models: 'ecmwf_ifs' }),
    ];
    const gaps = own.daily.temperature_2m_max.map((value, index) => value! - one.daily.temperature_2m_max[index]!);
    expect(gaps[3]! - gaps[2]!).toBeGreaterThan(1);
  });

  test('takes dates within its reach instead of counts', async () => {
    expect((await forecast({ start_date: '2026-05-19', end_date: '2026-06-04' })).daily.time).toHaveLength(17);
  });

  test.each([
    { why: '17 days ahead', query: { forecast_days: 17 } },
    { why: '93 days back', query: { past_days: 93 } },
    { why: 'an end out of reach', query: { start_date: '2026-05-20', end_date: '2026-06-05' } },
    { why: 'dates and counts together', query: { start_date: '2026-05-20', end_date: '2026-05-21', forecast_days: 3 } },
  ])('refuses $why', async ({ query }) => {
    const { forecastUrl } = await started();
    expect(await get(forecastUrl, { ...OPEN_METEO, ...query })).toMatchObject({ status: 400, json: { error: true } });
  });
});

describe("NASA POWER's daily point", () => {
  test('answers in the documented shape and says that it is synthetic', async () => {
    const answer = await power({ start: '20260501', end: '20260502' });
    expect(answer).toMatchObject({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [IOWA.longitude, IOWA.latitude, expect.any(Number)] },
      header: {
        fill_value: -999,
        time_standard: 'LST',
        start: '20260501',
        end: '20260502',
        sources: ['synthetic', 'geosit', 'power'],
      },
      messages: [],
      parameters: { T2M_MAX: { units: 'C' }, T2M_MIN: { units: 'C' } },
    });
    expect(Object.keys(answer.properties.parameter.T2M_MAX)).toEqual(['20260501', '20260502']);
  });

  test('fills the days of the trailing gap', async () => {
    const { T2M_MAX } = (await power({ start: '20260515', end: '20260522' })).properties.parameter;
    const filled = Object.keys(T2M_MAX).filter((day) => T2M_MAX[day] === -999);
    expect(filled).toEqual([18, 19, 20, 21, 22].map((day) => `202605${day}`));
  });

  test('lacks a day of the quicker model now and then, and another one is null', async () => {
    const { T2M_MAX } = (await power({ start: '20260401', end: '20260517' })).properties.parameter;
    expect(T2M_MAX).not.toHaveProperty('20260517');
    expect(Object.keys(T2M_MAX).filter((day) => T2M_MAX[day] === null)).not.toEqual([]);
  });

  test('has warmer nights and cooler days than Open-Meteo, at the mean height of a cell of 50 km', async () => {
    const one = await archive({ start_date: '2026-03-01', end_date: '2026-03-31', models: 'era5_seamless' });
    const other = await power({ start: '20260301', end: '20260331' });
    const gap = (of: 'T2M_MIN' | 'T2M_MAX', known: readonly (number | null)[]): number =>
      mean(Object.values(other.properties.parameter[of]).map((value, index) => value! - known[index]!));
    expect(gap('T2M_MIN', one.daily.temperature_2m_min)).toBeGreaterThan(0.5);
    expect(gap('T2M_MAX', one.daily.temperature_2m_max)).toBeLessThan(-0.2);
    const valley = await power({ start: '20260301', end: '20260301', ...VALLEY });
    expect(valley.geometry.coordinates[2]! - groundM(VALLEY)).toBeGreaterThan(500);
  });

  test('names the models of a whole answer in lower case: MERRA-2 up to two months ago, GEOS-IT after', async () => {
    const sources = async (start: string, end: string): Promise<unknown> =>
      (await power({ start, end })).header['sources'];
    expect(await sources('20260301', '20260331')).toEqual(['synthetic', 'merra2', 'power']);
    expect(await sources('20260301', '20260401')).toEqual(['synthetic', 'merra2', 'geosit', 'power']);
    expect(await sources('20260401', '20260510')).toEqual(['synthetic', 'geosit', 'power']);
  });

  test.each([
    { why: 'an unknown parameter', query: { parameters: 'T2M' } },
    { why: 'text instead of JSON', query: { format: 'CSV' } },
    { why: 'an unknown community', query: { community: 'XX' } },
    { why: 'a start before 1981', query: { start: '19801231' } },
    { why: 'a date with hyphens', query: { start: '2026-05-01' } },
    { why: 'a longitude off the globe', query: { longitude: 181 } },
  ])('refuses $why with 422', async ({ query }) => {
    const { powerUrl } = await started();
    const answer = await get(powerUrl, { ...POWER, start: '20260501', end: '20260502', ...query });
    expect(answer).toMatchObject({ status: 422, json: { messages: [expect.any(String)] } });
  });
});

describe('synthetic weather', () => {
  const place: fc.Arbitrary<Place> = fc.record({
    latitude: fc.double({ min: -65, max: 65, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });
  const year = (at: Place, of: string): readonly { maxC: number; minC: number }[] =>
    syntheticWeather.days(at, daysBetween(parseDay(`${of}-01-01`)!, parseDay(`${of}-12-31`)!)) as never;

  test('of a day is the same whichever span is asked for', () => {
    fc.assert(
      fc.property(
        place,
        fc.integer({ min: -10_000, max: 25_000 }),
        fc.integer({ min: 0, max: 60 }),
        (at, day, before) => {
          const alone = syntheticWeather.days(at, [day]);
          expect(syntheticWeather.days(at, daysBetween(day - before, day)).at(-1)).toEqual(alone[0]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('is anywhere on the globe within −60 to 55 °C, with the maximum above the minimum', () => {
    fc.assert(
      fc.property(place, (at) => {
        for (const { maxC, minC } of year(at, '2024')) {
          expect(maxC).toBeGreaterThan(minC);
          expect(minC).toBeGreaterThan(-60);
          expect(maxC).toBeLessThan(55);
        }
      }),
      { numRuns: 10 },
    );
  });

  test.each([
    { where: 'Iowa', at: IOWA, warm: '07', cold: '01' },
    { where: 'Uppland', at: { latitude: 59.88, longitude: 17.45 }, warm: '07', cold: '01' },
    { where: 'the Pampa', at: { latitude: -34, longitude: -61 }, warm: '01', cold: '07' },
  ])('in $where has its summer in month $warm', ({ at, warm, cold }) => {
    const days = daysBetween(parseDay('1991-01-01')!, parseDay('2020-12-31')!);
    const values = syntheticWeather.days(at, days);
    const month = (name: string): number =>
      mean(values.filter((_, index) => formatDay(days[index]!).slice(5, 7) === name).map(({ maxC }) => maxC!));
    expect(month(warm) - month(cold)).toBeGreaterThan(10);
  });

  test('swings more in the middle of a continent than at its coast', () => {
    const swing = (at: Place): number => {
      const days = year(at, '2023').map(({ maxC, minC }) => (maxC + minC) / 2);
      return mean(days.slice(172, 233)) - mean([...days.slice(0, 40), ...days.slice(-20)]);
    };
    expect(swing({ latitude: 49.6, longitude: -98.3 })).toBeGreaterThan(swing({ latitude: 49.6, longitude: -5 }) + 10);
  });

  test('carries over from one day to the next: anomalies correlate by 0.6 to 0.9', () => {
    const days = year(IOWA, '2023').map(({ maxC, minC }) => (maxC + minC) / 2);
    const smooth = days.map((_, index) => mean(days.slice(Math.max(0, index - 30), index + 31)));
    const anomalies = days.map((value, index) => value - smooth[index]!);
    const products = anomalies.slice(1).map((value, index) => value * anomalies[index]!);
    const correlation = mean(products) / mean(anomalies.map((value) => value * value));
    expect(correlation).toBeGreaterThan(0.6);
    expect(correlation).toBeLessThan(0.9);
  });

  test('differs from year to year and from region to region', () => {
    expect(year(IOWA, '2022')).not.toEqual(year(IOWA, '2023'));
    expect(year(IOWA, '2023')).not.toEqual(year({ latitude: 52, longitude: 11 }, '2023'));
  });
});

describe('a file of real days', () => {
  const directory = mkdtempSync(join(tmpdir(), 'weather-'));
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });
  const fileOf = (...lines: readonly string[]): string => {
    const file = join(directory, 'days.csv');
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  };
  const HEADER = 'date,tmax_c,tmin_c';

  test('is served unchanged for every place by every provider; days it lacks are missing', async () => {
    await started({ csvFile: fileOf(HEADER, '2026-05-01,21.45,-0.5', '2026-05-03,22,', '2026-05-19,30.1,20') });
    const span = { start_date: '2026-05-01', end_date: '2026-05-04' };
    const answer = await archive({ ...span, elevation: 123 });
    expect(answer).toMatchObject({ elevation: 123, source: 'csv' });
    expect(answer.daily.temperature_2m_max).toEqual([21.45, null, 22, null]);
    expect(answer.daily.temperature_2m_min).toEqual([-0.5, null, null, null]);
    expect((await archive({ ...span, latitude: -30, longitude: 20 })).daily).toEqual(answer.daily);
    const { T2M_MIN } = (await power({ start: '20260501', end: '20260503' })).properties.parameter;
    expect(T2M_MIN).toEqual({ '20260501': -0.5, '20260502': -999, '20260503': -999 });
  });

  test('counts as measured up to its last day, however young', async () => {
    await started({ csvFile: fileOf(HEADER, '2026-05-19,30.1,20', '2026-08-01,31,21') });
    expect((await archive({ start_date: '2026-05-19', end_date: '2026-05-19' })).daily.temperature_2m_max).toEqual([
      30.1,
    ]);
    expect((await archive({ start_date: '2026-08-01', end_date: '2026-08-01' })).daily.temperature_2m_max).toEqual([
      31,
    ]);
    const { time, temperature_2m_max: maxima } = (await forecast({ past_days: 1, forecast_days: 2 })).daily;
    expect([time, maxima]).toEqual([
      ['2026-05-19', '2026-05-20', '2026-05-21'],
      [30.1, null, null],
    ]);
  });

  test.each([
    {
      why: 'another header',
      lines: ['date,tmax,tmin', '2026-05-01,1,0'],
      text: 'first line must be date,tmax_c,tmin_c',
    },
    { why: 'a day that does not exist', lines: [HEADER, '2026-02-30,1,0'], text: 'line 2' },
    { why: 'a day that is there twice', lines: [HEADER, '2026-05-01,1,0', '2026-05-01,1,0'], text: 'line 3' },
    { why: 'a word for a number', lines: [HEADER, '2026-05-01,hot,0'], text: 'line 2' },
    { why: 'a missing column', lines: [HEADER, '2026-05-01,1'], text: 'line 2' },
    { why: 'a column too many', lines: [HEADER, '2026-05-01,1,0,F'], text: 'line 2' },
  ])('with $why stops the start with a text that says where', async ({ lines, text }) => {
    await expect(startWeather({ csvFile: fileOf(...lines) })).rejects.toThrow(text);
  });

  test('that is not there stops the start with its name', async () => {
    await expect(startWeather({ csvFile: join(directory, 'none.csv') })).rejects.toThrow(/none\.csv cannot be read/);
  });

  (existsSync(MILWAUKEE) ? test : test.skip)('of Milwaukee comes back day by day as it was written', async () => {
    await started({ csvFile: MILWAUKEE });
    const { daily } = await archive({ start_date: '2012-06-28', end_date: '2012-07-07' });
    // Published corn degree-days of these ten days: 292.05 °F·day (50/86 °F, both temperatures limited).
    const limited = (valueC: number): number => Math.max(50, Math.min(86, valueC * 1.8 + 32));
    const gdd = daily.time.map(
      (_, index) => (limited(daily.temperature_2m_max[index]!) + limited(daily.temperature_2m_min[index]!)) / 2 - 50,
    );
    expect(gdd.reduce((sum, value) => sum + value, 0)).toBeCloseTo(292.05, 2);
  });
});

describe('scripted faults', () => {
  test('strike the next matching calls, over HTTP as by code, and the log shows what came', async () => {
    const { url, archiveUrl, script } = await started();
    const fault = {
      kind: 'status',
      path: '/v1/archive',
      times: 2,
      status: 429,
      retryAfter: '3',
      body: '{"error":true}',
    };
    await fetch(`${url}/.control/faults`, { method: 'POST', body: JSON.stringify(fault) });
    const query = { ...OPEN_METEO, start_date: '2026-05-01', end_date: '2026-05-01' };
    expect((await forecast({})).source).toBe('synthetic');
    expect([(await get(archiveUrl, query)).status, (await get(archiveUrl, query)).status]).toEqual([429, 429]);
    expect((await get(archiveUrl, query)).status).toBe(200);
    const log = (await (await fetch(`${url}/.control/requests`)).json()) as { status: number }[];
    expect(log.map(({ status }) => status)).toEqual([200, 429, 429, 200]);
    await fetch(`${url}/.control/reset`, { method: 'POST' });
    expect(script.requests()).toEqual([]);
  });
});
