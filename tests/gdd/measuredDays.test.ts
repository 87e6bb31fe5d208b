/** WEATHER_CSV: days measured at the field, through the stand-in that serves them and the sources that read it. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { startWeather } from '../../infra/local/standIns/weather.js';
import type { StoredGddParameters } from '../../shared/gdd/form/gddParameters.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { openMeteoSource } from '../../shared/gdd/weather/providers/openMeteoSource.js';
import { terrainSource } from '../../shared/gdd/weather/terrain/terrainSource.js';
import { ManualClock } from '../support/manualClock.js';
import { jobWorld } from './gddJobUnderTest.js';

const folder = mkdtempSync(join(tmpdir(), 'days-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A job of a service whose weather is a file. */
async function runWith(csvFile: string, parameters: Partial<StoredGddParameters>) {
  const manual = new ManualClock('2026-08-28T17:00:00Z');
  const clock = { now: () => manual.now(), sleep: () => Promise.resolve(), every: manual.every.bind(manual) };
  const weather = await startWeather({ csvFile, clock });
  const http = { fetch, clock, random: () => 0, timeoutMs: 60_000 };
  const source = openMeteoSource({ ...http, archiveUrl: weather.archiveUrl, forecastUrl: weather.forecastUrl });
  const ports = {
    weather: [source],
    terrain: terrainSource({ url: weather.terrainUrl, clock }),
    clock,
    isMeasured: true,
  };
  return await jobWorld({ answer: () => new Response(), ports })
    .run(parameters)
    .finally(() => weather.close());
}

describe('a file of days', () => {
  test('is taken as it is: even days, jumps and the newest day; a hole of five days is no bridge', async () => {
    const csvFile = join(folder, 'days.csv');
    const rows = Array.from({ length: 119 }, (_, index) => {
      const date = addDays('2026-05-01', index);
      if (date >= '2026-06-01' && date <= '2026-06-05') return `${date},,`;
      // Every tenth day has one temperature alone, every eleventh is 15 °C warmer than its neighbours.
      if (index % 10 === 0) return `${date},20,20`;
      return index % 11 === 0 ? `${date},37.5,25` : `${date},22.5,10`;
    });
    writeFileSync(csvFile, ['date,tmax_c,tmin_c', ...rows].join('\n'));
    const record = await runWith(csvFile, { gddStartDate: '2026-05-01', gddEndDate: '2026-08-27' }).catch(
      (error: unknown) => error,
    );
    // Without reference years nothing stands in for the hole.
    expect(String(record)).toContain('Neither weather nor normals are known for 2026-06-01 to 2026-06-05');
    const whole = await runWith(csvFile, { gddStartDate: '2026-06-06', gddEndDate: '2026-08-27' });
    const told = whole.daily.map(({ date, tmax, tmin }) => `${date},${tmax},${tmin}`);
    expect(told).toEqual(rows.slice(36));
    expect(whole.coverage).toMatchObject({ observed: 78, provisional: 5, interpolated: 0, normal: 0 });
    expect(whole.sources[0]).not.toHaveProperty('biasCorrectionC');
  });

  const milwaukee = new URL('../../../shared/data/gdd/ghcnd_USW00014839_milwaukee_wi.csv', import.meta.url);
  (existsSync(milwaukee) ? test.each : test.skip.each)([
    { year: 2012, total: 2884.95 },
    { year: 2023, total: 2776.05 },
  ])('of Milwaukee sums to $total °F·day in $year', async ({ year, total }) => {
    const season = { gddStartDate: `${year}-05-01`, gddEndDate: `${year}-09-30`, temperatureUnit: 'F' } as const;
    expect((await runWith(fileURLToPath(milwaukee), season)).total).toBeCloseTo(total, 2);
  });
});
