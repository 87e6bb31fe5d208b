/** The sources that production has without a key, against stand-ins that disagree as the real ones do. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { startWeather, type Weather } from '../../infra/local/standIns/weather.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { runGddJob } from '../../shared/gdd/runGddJob.js';
import { metNorwaySource } from '../../shared/gdd/weather/providers/metNorwaySource.js';
import { nasaPowerSource } from '../../shared/gdd/weather/providers/nasaPowerSource.js';
import { terrainSource } from '../../shared/gdd/weather/terrain/terrainSource.js';
import { ManualClock } from '../support/manualClock.js';
import { memoryCache } from './weather/fakeProviders.js';
import { aJob, dataManagerWith, insightId, squareField, refusedBefore } from './gddJobUnderTest.js';

let weather: Weather;
afterEach(() => weather.close());

async function world(now = '2026-08-28T17:00:00Z') {
  const manual = new ManualClock(now);
  const clock = { now: () => manual.now(), sleep: () => Promise.resolve(), every: manual.every.bind(manual) };
  weather = await startWeather({ clock });
  const http = { fetch, clock, random: () => 0, timeoutMs: 60_000 };
  const work = runGddJob({
    dataManagerFor: () => Promise.resolve(dataManagerWith(squareField)),
    weather: [
      nasaPowerSource({ ...http, dailyUrl: weather.powerUrl }),
      metNorwaySource({
        ...http,
        url: weather.metNorwayUrl,
        contact: 'farm@example.org',
        version: '1',
        awaitTurn: () => Promise.resolve(),
        onDeprecated: () => undefined,
      }),
    ],
    terrain: terrainSource({ url: weather.terrainUrl, clock }),
    weatherCache: memoryCache(),
    clock,
  });
  const run = async (refusals = 0): Promise<GddRecord> => {
    const job = { ...aJob(), ...(refusals === 0 ? {} : refusedBefore(refusals)) };
    const outcome = await work(job, insightId, new AbortController().signal);
    if (outcome.kind !== 'done') throw new Error('a GDD job never waits');
    return outcome.insight.record as GddRecord;
  };
  return { manual, run };
}

const labels = (record: GddRecord, from: string, to: string): string[] =>
  record.daily.filter(({ date }) => date >= from && date <= to).map(({ source }) => source);

describe('the chain without a key', () => {
  test('has a forecast, and makes at most eight requests where nothing is known', async () => {
    const { run } = await world();
    const record = await run();
    expect(weather.script.requests().length).toBeLessThanOrEqual(8);
    expect(record.coverage.forecast).toBeGreaterThanOrEqual(7);
    expect(record.sources.map(({ product, provider }) => `${product} ${provider}`)).toEqual([
      'forecast met-norway',
      'archive nasa-power',
      'reference nasa-power',
      'height copernicus-dem',
    ]);
    expect(record.sources[0]!.attribution).toBe('Based on data from MET Norway (CC BY 4.0)');
  });

  test('knows the bias of its forecast once its log has seven days that NASA POWER has too', async () => {
    // Two weeks in which NASA POWER leaves out no day: with one that is missing the log is a day short for a week.
    const { manual, run } = await world('2026-08-14T17:00:00Z');
    const days: (number | undefined)[] = [];
    for (let day = 0; day <= 11; day += 1) {
      days.push((await run()).sources[0]!.biasCorrectionC?.days);
      manual.jump(24 * 3_600_000);
    }
    expect(days.slice(0, 10).every((known) => known === undefined)).toBe(true);
    expect(days.at(-1)).toBeGreaterThanOrEqual(7);
    // Against NASA's young days, MET Norway is 0.4 °C too warm by day and 0.9 too cold by night; 7/11 of it are believed.
    const { tmax, tmin } = (await run()).sources[0]!.biasCorrectionC!;
    expect(tmin).toBeGreaterThan(0.1);
    expect(tmax).toBeLessThan(0);
  });

  test('asks nobody when it is run again at once', async () => {
    const { run } = await world();
    await run();
    const asked = weather.script.requests().length;
    await run();
    expect(weather.script.requests()).toHaveLength(asked);
  });

  test('keeps its forecast for three days when MET Norway is away, and says of when it is', async () => {
    const { manual, run } = await world();
    await run();
    weather.script.add({ kind: 'status', status: 503, path: 'locationforecast', times: 1000 });
    manual.jump(26 * 3_600_000);
    const next = await run(2);
    expect(labels(next, '2026-08-29', '2026-09-04')).toEqual(Array(7).fill('FORECAST'));
    expect(next.warnings).toContain('No newer forecast could be had; that of 2026-08-28T17:00Z was used.');
    manual.jump(60 * 3_600_000);
    const later = await run(2);
    expect(later.coverage.forecast).toBe(0);
  });
});
