/** The whole path, from a weather answer to a sum, on the record of Milwaukee (GHCN-Daily USW00014839, public domain). */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Weather } from './weather/fakeProviders.js';
import { openMeteoAnswers } from './weather/fakeProviders.js';
import { jobWorld } from './gddJobUnderTest.js';

/** 28 June to 7 July 2012 in °F: a hot run. */
const hotRun = {
  from: '2012-06-28',
  tmax: [96.08, 86, 91.94, 84.02, 87.08, 96.98, 102.02, 102.92, 93.92, 86],
  tmin: [77, 68, 71.06, 69.98, 69.08, 73.04, 80.96, 73.04, 75.92, 68],
  gdd: [31.5, 27, 28.53, 27, 27.54, 29.52, 33.48, 29.52, 30.96, 27],
};

describe('a hot run in Milwaukee, corn, °F', () => {
  const celsius = (fahrenheit: number): number => Math.round(((fahrenheit - 32) * 50) / 9) / 10;
  const weather: Weather = (date) => {
    const index = (Date.parse(date) - Date.parse(hotRun.from)) / 86_400_000;
    const [tmin, tmax] = [hotRun.tmin[index], hotRun.tmax[index]];
    return tmin === undefined || tmax === undefined ? undefined : { minC: celsius(tmin), maxC: celsius(tmax) };
  };

  test('the days and the sum are those of the published calculation', async () => {
    const { run } = jobWorld({ answer: (url, { clock }) => openMeteoAnswers({ clock, archive: weather })(url) });
    const record = await run({ gddStartDate: '2012-06-28', gddEndDate: '2012-07-07', temperatureUnit: 'F' });
    expect(record.daily.map((day) => day.gdd)).toEqual(hotRun.gdd);
    expect(record.total).toBeCloseTo(292.05, 9);
    expect(record.daily.map((day) => day.tmax)).toEqual(hotRun.tmax);
    expect(record.coverage).toMatchObject({ observed: 10, normal: 0, longestGap: 0 });
  });
});

const file = new URL('../../../shared/data/gdd/ghcnd_USW00014839_milwaukee_wi.csv', import.meta.url);

(existsSync(file) ? describe : describe.skip)('the Milwaukee record, corn, °F, May to September', () => {
  const rows = new Map<string, { minC: number; maxC: number }>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').slice(1) : []) {
    const [date = '', maxC, minC] = line.split(',');
    rows.set(date, { minC: Number(minC), maxC: Number(maxC) });
  }
  const { run } = jobWorld({
    answer: (url, { clock }) => openMeteoAnswers({ clock, archive: (date) => rows.get(date) })(url),
  });

  test.each([
    { year: 2012, total: 2884.95 },
    { year: 2023, total: 2776.05 },
  ])('$year sums to $total', async ({ year, total }) => {
    const record = await run({
      gddStartDate: `${year}-05-01`,
      gddEndDate: `${year}-09-30`,
      temperatureUnit: 'F',
    });
    expect(record.total).toBeCloseTo(total, 2);
    expect(record.days).toBe(153);
  });

  test('the normals of 1991 to 2020 are 2561 on average', async () => {
    const record = await run({ gddStartDate: '2023-05-01', gddEndDate: '2023-09-30', temperatureUnit: 'F' });
    expect(record.normal?.totalMean).toBeCloseTo(2561, -0.5);
    expect(record.normal?.yearCount).toBe(30);
  });
});
