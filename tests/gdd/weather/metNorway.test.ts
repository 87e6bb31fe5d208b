/** MET Norway's adapter against its stand-in, which holds callers to the terms as the real one does. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { startWeather, type Weather } from '../../../infra/local/standIns/weather.js';
import { groundM } from '../../../infra/local/standIns/weather/terrain.js';
import { ServiceError } from '../../../shared/kit/errors/serviceError.js';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import { cachedWeatherSource } from '../../../shared/gdd/weather/cache/cachedWeatherSource.js';
import { metNorwaySource } from '../../../shared/gdd/weather/providers/metNorwaySource.js';
import { metNorwayTurn } from '../../../shared/gdd/weather/providers/metNorwayTurn.js';
import { tolerantShelf } from '../../../shared/gdd/weather/cache/shelf.js';
import { ManualClock } from '../../support/manualClock.js';
import { fakeFetch, json, memoryCache } from './fakeProviders.js';

const hour = 3_600_000;
const place = { latitude: 41.5, longitude: -92.98, elevationM: 290 };

let weather: Weather | undefined;
afterEach(() => weather?.close());

interface World {
  readonly now?: string;
  readonly contact?: string;
}

async function world({ now = '2026-05-20T12:10:00Z', contact = 'farm@example.org' }: World = {}) {
  const clock = new ManualClock(now);
  const standIn = (weather = await startWeather({ clock }));
  const deprecations: string[] = [];
  const source = metNorwaySource({
    fetch,
    clock: { now: () => clock.now(), sleep: () => Promise.resolve(), every: clock.every.bind(clock) },
    random: () => 0,
    url: standIn.metNorwayUrl,
    contact,
    version: '1.2.3',
    awaitTurn: () => Promise.resolve(),
    onDeprecated: () => deprecations.push('told'),
  });
  const cache = memoryCache();
  const cached = cachedWeatherSource(source, { shelf: tolerantShelf(cache, () => undefined), clock });
  const statuses = () => standIn.script.requests().map(({ status }) => status);
  return { clock, standIn, source, cached, cache, statuses, deprecations };
}

describe('MET Norway', () => {
  test('is asked for a place of two decimals at its height, and answers with whole days of the sun', async () => {
    const { source, standIn } = await world();
    const answer = await source.forecast!(place);
    expect(standIn.script.requests()[0]!.path).toBe(
      '/weatherapi/locationforecast/2.0/complete?lat=41.50&lon=-92.98&altitude=290',
    );
    expect(answer.days[0]!.date).toBe('2026-05-21'); // the day that is running is not whole
    expect(answer.days.length).toBeGreaterThanOrEqual(7);
    expect(answer.origin).toMatchObject({
      provider: 'met-norway',
      gridElevationM: 290,
      heightOf: 'point',
      dayBoundary: 'solar',
      attribution: 'Based on data from MET Norway (CC BY 4.0)',
    });
    expect(Math.abs(groundM(place) - 290)).toBeLessThan(100);
  });

  test('is told who asks: without a contact it refuses, and is not asked again for an hour', async () => {
    const { source, statuses, clock } = await world({ contact: '' });
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'denied' });
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'denied' });
    expect(statuses()).toEqual([403]);
    clock.jump(61 * 60_000);
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'denied' });
    expect(statuses()).toEqual([403, 403]);
  });

  test('that says 429 is not tried again before its time', async () => {
    const { source, standIn, statuses, clock } = await world();
    standIn.script.add({ kind: 'status', status: 429, retryAfter: '3' });
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'throttled' });
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'throttled' });
    expect(statuses()).toEqual([429]);
    clock.jump(11 * 60_000);
    await expect(source.forecast!(place)).resolves.toMatchObject({ origin: { provider: 'met-norway' } });
  });

  test('that is away is tried three times', async () => {
    const { source, standIn, statuses } = await world();
    standIn.script.add({ kind: 'status', status: 503, times: 2 });
    await source.forecast!(place);
    expect(statuses()).toEqual([503, 503, 200]);
  });

  test('may send elsewhere within its host, not to another one', async () => {
    const { source, standIn, statuses } = await world();
    const location = `${new URL(standIn.metNorwayUrl).pathname}?lat=41.50&lon=-92.98&altitude=290&moved=1`;
    standIn.script.add({ kind: 'status', status: 301, headers: { location } });
    await source.forecast!(place);
    expect(statuses()).toEqual([301, 200]);
    standIn.script.add({ kind: 'status', status: 301, headers: { location: 'http://127.0.0.2:9/' } });
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'refused' });
  });

  test.each([
    { why: 'kelvin', meta: { units: { air_temperature: 'kelvin' } }, timeseries: [] },
    { why: 'no units', meta: {}, timeseries: [] },
    { why: 'a step that is no instant', meta: undefined, timeseries: ['noon'] },
  ])('an answer with $why is refused as a whole', async ({ meta, timeseries }) => {
    const celsius = { air_temperature: 'celsius', air_temperature_max: 'celsius', air_temperature_min: 'celsius' };
    const steps = timeseries.map((time) => ({ time, data: { instant: { details: { air_temperature: 1 } } } }));
    const { fetch: answers } = fakeFetch(() =>
      json({
        geometry: { coordinates: [0, 0, 0] },
        properties: { meta: meta ?? { units: celsius }, timeseries: steps },
      }),
    );
    const source = metNorwaySource({
      fetch: answers,
      clock: new ManualClock(),
      random: () => 0,
      url: 'https://met.example/complete',
      contact: 'a@b.c',
      version: '1',
      awaitTurn: () => Promise.resolve(),
      onDeprecated: () => undefined,
    });
    await expect(source.forecast!(place)).rejects.toMatchObject({ name: 'WeatherError', kind: 'invalid' });
  });

  test('that calls its interface deprecated is heard and believed', async () => {
    const told: string[] = [];
    const { fetch: answers } = fakeFetch(() => json({}, { status: 203 }));
    const source = metNorwaySource({
      fetch: answers,
      clock: new ManualClock(),
      random: () => 0,
      url: 'https://met.example/complete',
      contact: 'a@b.c',
      version: '1',
      awaitTurn: () => Promise.resolve(),
      onDeprecated: () => told.push('deprecated'),
    });
    await expect(source.forecast!(place)).rejects.toMatchObject({ kind: 'invalid' });
    expect(told).toEqual(['deprecated']);
  });
});

describe('its forecasts behind the cache', () => {
  test('are asked for again with the mark of the last one; 304 keeps it', async () => {
    const { cached, clock, statuses, standIn } = await world({ now: '2026-05-20T12:00:00Z' });
    const first = await cached.forecast!(place);
    await clock.advance(1.9 * hour);
    expect(await cached.forecast!(place)).toEqual(first);
    expect(statuses()).toEqual([200]);
    standIn.script.add({ kind: 'status', status: 304 });
    await clock.advance(0.2 * hour);
    const renewed = await cached.forecast!(place);
    expect(renewed.days).toEqual(first.days);
    expect(renewed.retrievedAt - first.retrievedAt).toBeCloseTo(2.1 * hour, -3);
    expect(statuses()).toEqual([200, 304]);
  });

  test('fill the day that is running and those the archive does not have yet', async () => {
    const { cached, clock } = await world({ now: '2026-05-20T06:20:00Z' });
    await cached.forecast!(place);
    for (let step = 0; step < 6; step += 1) {
      await clock.advance(12 * hour);
      await cached.forecast!(place);
    }
    const { days } = await cached.forecast!(place); // 23 May, 06:20 UTC: a new day began by the sun at 06:12
    expect(days[0]!.date).toBe('2026-05-20'); // whole from its first hour on
    expect(days.map(({ date }) => date).slice(1, 4)).toEqual(['2026-05-21', '2026-05-22', '2026-05-23']);
  });
});

describe('the turn of a request', () => {
  const clock = { now: () => new Date(0), sleep: () => Promise.resolve() };

  test('is waited for while other instances have taken all of this second', async () => {
    let calls = 0;
    const limit = () => {
      calls += 1;
      if (calls < 3) throw new ServiceError(commonFaults.tooManyRequests, 'wait', { retryAfterSeconds: 1 });
      return Promise.resolve();
    };
    await metNorwayTurn({ limit, clock: clock as never })();
    expect(calls).toBe(3);
  });

  test.each([
    { why: 'never comes', fault: commonFaults.tooManyRequests },
    { why: 'can’t be told because storage is away', fault: commonFaults.unavailable },
  ])('that $why is a fault that may pass', async ({ fault }) => {
    const limit = () => Promise.reject(new ServiceError(fault, 'no'));
    await expect(metNorwayTurn({ limit, clock: clock as never })()).rejects.toMatchObject({
      name: 'WeatherError',
      kind: 'unavailable',
    });
  });
});
