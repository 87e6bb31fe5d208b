/** A field on a valley floor, through the real sources and the stand-ins, whose weather is known at every height. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startWeather, type Weather } from '../../infra/local/standIns/weather.js';
import { daysBetween, parseDay } from '../../infra/local/standIns/weather/calendarDays.js';
import { syntheticWeather } from '../../infra/local/standIns/weather/syntheticWeather.js';
import { groundM, VALLEY } from '../../infra/local/standIns/weather/terrain.js';
import { systemClock } from '../../shared/kit/clock.js';
import { cropModels } from '../../shared/gdd/days/crops.js';
import { degreeDaysOf, limitsOf } from '../../shared/gdd/days/degreeDays.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { runGddJob, type GddJobPorts } from '../../shared/gdd/runGddJob.js';
import { nasaPowerSource } from '../../shared/gdd/weather/providers/nasaPowerSource.js';
import { openMeteoSource } from '../../shared/gdd/weather/providers/openMeteoSource.js';
import { terrainSource } from '../../shared/gdd/weather/terrain/terrainSource.js';
import { WeatherError } from '../../shared/gdd/weather/weatherSource.js';
import { memoryCache } from './weather/fakeProviders.js';
import { aJob, dataManagerWith, insightId, squareField, type FieldOfTest } from './gddJobUnderTest.js';

const clock = { ...systemClock, now: () => new Date('2026-11-20T12:00:00Z') };
const season = { gddStartDate: '2026-05-01', gddEndDate: '2026-09-30' };

const around = ({ longitude, latitude }: typeof VALLEY): FieldOfTest => {
  const ring = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ].map(([east = 0, north = 0]): [number, number] => [longitude + east * 0.001, latitude + north * 0.001]);
  return { ...squareField, geometry: { type: 'Polygon', coordinates: [ring] } };
};

let weather: Weather;
beforeAll(async () => {
  weather = await startWeather({ clock });
});
afterAll(() => weather.close());

function portsWith(weatherSources: GddJobPorts['weather'], ports: Partial<GddJobPorts> = {}): GddJobPorts {
  return {
    dataManagerFor: () => Promise.resolve(dataManagerWith(around(VALLEY))),
    weather: weatherSources,
    terrain: terrainSource({ url: weather.terrainUrl, clock }),
    weatherCache: memoryCache(),
    clock,
    ...ports,
  };
}

async function recordOf(ports: GddJobPorts): Promise<GddRecord> {
  const outcome = await runGddJob(ports)(aJob(season), insightId, new AbortController().signal);
  if (outcome.kind !== 'done') throw new Error('a GDD job never waits');
  return outcome.insight.record as GddRecord;
}

const http = { fetch, clock, random: () => 0, timeoutMs: 60_000 };
const power = () => nasaPowerSource({ ...http, dailyUrl: weather.powerUrl });
const openMeteo = () => openMeteoSource({ ...http, archiveUrl: weather.archiveUrl, forecastUrl: weather.forecastUrl });

/** The sum of the weather itself, at a height. */
function truth(heightM: number): number {
  const days = daysBetween(parseDay(season.gddStartDate)!, parseDay(season.gddEndDate)!);
  const limits = limitsOf(cropModels.CORN);
  return syntheticWeather
    .days(VALLEY, days, heightM)
    .reduce((sum, { minC, maxC }) => sum + degreeDaysOf({ minC: minC!, maxC: maxC! }, limits), 0);
}

describe('corn on a valley floor', () => {
  test('of NASA POWER is short by hundreds of °C·day without the height, and right with it', async () => {
    const away = { heightAt: () => Promise.reject(new WeatherError('unavailable', 'copernicus-dem', 'is away.')) };
    const without = await recordOf(portsWith([power()], { terrain: away }));
    const withHeight = await recordOf(portsWith([power()]));
    const cellM = withHeight.sources.find(({ product }) => product === 'archive')!.gridElevationM!;
    const expected = truth(groundM(VALLEY));
    // What is left is the model's own bias: +0.2 °C on the mean is worth some 25 °C·day.
    expect(truth(cellM)).toBeLessThan(expected - 500);
    expect(Math.abs(without.total - truth(cellM))).toBeLessThan(45);
    expect(Math.abs(withHeight.total - expected)).toBeLessThan(45);
    expect(withHeight.normal!.totalMean - without.normal!.totalMean).toBeGreaterThan(400);
    expect(withHeight.warnings.join(' ')).toMatch(
      /The field lies \d+ m below the grid cell of nasa-power; .* \+\d\.\d °C/,
    );
  });

  test('of Open-Meteo is right, season and normals of one model', async () => {
    const record = await recordOf(portsWith([openMeteo()]));
    expect(Math.abs(record.total - truth(groundM(VALLEY)))).toBeLessThan(100);
    expect(new Set(record.sources.filter(({ product }) => product !== 'height').map(({ model }) => model))).toEqual(
      new Set(['era5_seamless']),
    );
    expect(record.location.elevationM).toBeCloseTo(groundM(VALLEY), -1);
  });
});
