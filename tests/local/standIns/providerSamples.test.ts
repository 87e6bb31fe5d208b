import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { startWeather, type Weather } from '../../../infra/local/standIns/weather.js';
import { nasaPowerSource } from '../../../shared/gdd/weather/providers/nasaPowerSource.js';
import { openMeteoSource } from '../../../shared/gdd/weather/providers/openMeteoSource.js';
import { systemClock } from '../../../shared/kit/clock.js';

const SAMPLES = '../shared/data/gdd/providers';
const NOON = new Date('2026-05-20T12:00:00Z');
const PLACE = { latitude: 41.5046, longitude: -92.9819 };
const clock = { ...systemClock, now: () => NOON };

let weather: Weather;
beforeAll(async () => {
  weather = await startWeather({ clock });
});
afterAll(() => weather.close());

/** Every path to a value with the kind of the value; days and list positions are written alike. */
function shapeOf(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [`${path}: ${value === null ? 'number' : typeof value}`];
  const members = Object.entries(value).flatMap(([name, member]) =>
    shapeOf(member, `${path}/${name.replace(/^\d+$/, '#')}`),
  );
  return [...new Set(members)].sort();
}
const sample = (name: string): unknown => JSON.parse(readFileSync(`${SAMPLES}/${name}`, 'utf8'));
const answerOf = async (url: string): Promise<unknown> => (await fetch(url)).json();

(existsSync(SAMPLES) ? describe : describe.skip)('recorded answers of the real providers', () => {
  test("have the members of the stand-in's Open-Meteo answer, but for its source", async () => {
    const query = 'latitude=22.57&longitude=88.36&daily=temperature_2m_max,temperature_2m_min&timezone=auto';
    const { source, ...answer } = (await answerOf(`${weather.forecastUrl}?${query}`)) as Record<string, unknown>;
    expect(source).toBe('synthetic');
    expect(shapeOf(answer)).toEqual(shapeOf(sample('openmeteo_daily_sample_real_2025-05-29_kolkata.json')));
    expect(answer).toMatchObject({
      timezone: 'Asia/Kolkata',
      timezone_abbreviation: 'GMT+5:30',
      utc_offset_seconds: 19_800,
    });
  });

  test("have the members of the stand-in's Open-Meteo refusal", async () => {
    expect(shapeOf(await answerOf(`${weather.archiveUrl}?latitude=1`))).toEqual(
      shapeOf(sample('openmeteo_error.json')),
    );
  });

  test("have the members of the stand-in's NASA POWER answer", async () => {
    const query =
      'parameters=T2M_MAX,T2M_MIN&community=AG&longitude=-93.62&latitude=42.03&start=20260501&end=20260502&format=JSON&time-standard=LST';
    expect(shapeOf(await answerOf(`${weather.powerUrl}?${query}`))).toEqual(
      shapeOf(sample('nasapower_daily_point_envelope.json')),
    );
  });
});

describe('the weather sources of the service', () => {
  const options = { fetch, clock, random: () => 0 };
  test('read observed days and forecast, and disagree as real ones do', async () => {
    const source = openMeteoSource({ ...options, archiveUrl: weather.archiveUrl, forecastUrl: weather.forecastUrl });
    const power = nasaPowerSource({ ...options, dailyUrl: weather.powerUrl });
    const span = { from: '2026-05-01', to: '2026-05-19' };
    const archive = await source.archive!(PLACE, span);
    expect(archive.days).toHaveLength(14);
    const forecast = (await source.forecast!(PLACE)).days;
    expect(forecast).toHaveLength(40);
    const others = [(await power.archive!(PLACE, span)).days, forecast];
    for (const days of others) {
      const gaps = days.flatMap((day) => {
        const known = archive.days.slice(0, 13).find(({ date }) => date === day.date);
        return known === undefined ? [] : [day.maxC - known.maxC];
      });
      expect(gaps.length).toBeGreaterThanOrEqual(12); // of 13: NASA POWER lacks a day
      expect(Math.max(...gaps.map(Math.abs))).toBeGreaterThan(0.1);
      expect(Math.max(...gaps.map(Math.abs))).toBeLessThan(3);
    }
  });
});
