import { describe, expect, test } from '@jest/globals';
import { cachedWeatherSource } from '../../../../shared/gdd/weather/cache/cachedWeatherSource.js';
import { tolerantShelf } from '../../../../shared/gdd/weather/cache/shelf.js';
import type { Day } from '../../../../shared/gdd/weather/fieldDays.js';
import { daysOf } from '../../../../shared/gdd/weather/fieldDays.js';
import type { WeatherCache } from '../../../../shared/gdd/weather/cache/weatherCache.js';
import { referenceYears } from '../../../../shared/gdd/weather/cache/weatherCache.js';
import type { GroundPoint, WeatherOrigin, WeatherSource } from '../../../../shared/gdd/weather/weatherSource.js';
import { WeatherError } from '../../../../shared/gdd/weather/weatherSource.js';
import { ManualClock } from '../../../support/manualClock.js';
import type { Weather } from '../fakeProviders.js';
import { memoryCache, plainWeather } from '../fakeProviders.js';

const hour = 3_600_000;
const place: GroundPoint = { latitude: 42.9512, longitude: -87.9049 };
const may = { from: '2026-05-01', to: '2026-05-31' };

const origin: WeatherOrigin = {
  provider: 'test',
  model: 'test',
  gridLatitude: 42.95,
  gridLongitude: -87.9,
  heightOf: 'point',
  dayBoundary: 'civil',
  attribution: 'none',
  licence: 'none',
};

interface World {
  readonly now?: string;
  readonly weather?: Weather;
  readonly cache?: WeatherCache;
  readonly heightOf?: WeatherSource['heightOf'];
}

/** A provider behind the cache, whose calls are written down as words. */
function world({
  now = '2026-06-15T12:00:00Z',
  weather = plainWeather,
  cache = memoryCache(),
  heightOf = 'cell',
}: World = {}) {
  const clock = new ManualClock(now);
  const calls: string[] = [];
  const faults: unknown[] = [];
  const state: { weather: Weather; fault: Error | undefined } = { weather, fault: undefined };
  const answer = async (name: string, days: Day[]) => {
    calls.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    if (state.fault !== undefined) throw state.fault;
    const known = days.flatMap((date) => {
      const temperatures = state.weather(date);
      return temperatures === undefined ? [] : [{ date, ...temperatures }];
    });
    return { days: known, origin, retrievedAt: clock.now().getTime() };
  };
  const source: WeatherSource = {
    provider: 'test',
    heightOf,
    models: { archive: 'era', forecast: 'ifs' },
    archive: (at, span) => answer(`${at.latitude},${at.longitude} ${span.from}..${span.to}`, daysOf(span)),
    forecast: (at) =>
      answer(`${at.latitude},${at.longitude} forecast`, daysOf({ from: '2026-06-01', to: '2026-06-30' })),
  };
  const start = () =>
    cachedWeatherSource(source, { shelf: tolerantShelf(cache, (fault) => faults.push(fault)), clock });
  return { clock, calls, faults, state, start, cache };
}

describe('days of the archive', () => {
  test('are asked for at the centre of a cell of 0.01°, so that the answer does not depend on who asked first', async () => {
    const { start, calls } = world();
    const source = start();
    await source.archive!(place, may);
    await source.archive!({ latitude: 42.9488, longitude: -87.8951 }, may);
    expect(calls).toEqual(['42.95,-87.9 2026-05-01..2026-05-31']);
  });

  test('come out of the cache as they went in', async () => {
    const { start } = world();
    const first = await start().archive!(place, may);
    const second = await start().archive!(place, may);
    expect(second).toEqual(first);
    expect(first.days).toEqual(daysOf(may).map((date) => ({ date, ...plainWeather(date) })));
  });

  test('survive a restart without a new call', async () => {
    const { start, calls, clock } = world();
    await start().archive!(place, may);
    await clock.advance(365 * 24 * hour);
    await start().archive!(place, may);
    expect(calls).toHaveLength(1);
  });

  test('are asked for only as far as they are not known', async () => {
    const { start, calls } = world();
    const source = start();
    await source.archive!(place, { from: '2026-04-10', to: '2026-05-10' });
    await source.archive!(place, may);
    expect(calls).toEqual(['42.95,-87.9 2026-04-10..2026-05-10', '42.95,-87.9 2026-05-11..2026-05-31']);
  });

  test('of two years are kept year by year', async () => {
    const { start, cache, calls } = world();
    await start().archive!(place, { from: '2025-12-30', to: '2026-01-02' });
    await start().archive!(place, { from: '2025-12-30', to: '2026-01-02' });
    expect([...(cache as ReturnType<typeof memoryCache>).entries.keys()]).toEqual([
      'v2/test/era/days/42.95_-87.90/2025.json',
      'v2/test/era/days/42.95_-87.90/2026.json',
    ]);
    expect(calls).toHaveLength(1);
  });

  test('that were younger than ten days when they were read expire after six hours', async () => {
    const { start, calls, clock } = world({ now: '2026-05-31T12:00:00Z' });
    const source = start();
    await source.archive!(place, may);
    await clock.advance(5.9 * hour);
    await source.archive!(place, may);
    expect(calls).toHaveLength(1);
    await clock.advance(0.2 * hour);
    await source.archive!(place, may);
    expect(calls.slice(1)).toEqual(['42.95,-87.9 2026-05-22..2026-05-31']);
  });

  test('that their provider calls preliminary expire after a day, however old they are', async () => {
    const { start, calls, clock, state } = world({
      weather: (date) => ({ ...plainWeather(date)!, revision: 'preliminary' }),
    });
    const source = start();
    await source.archive!(place, may);
    await clock.advance(23.9 * hour);
    expect((await source.archive!(place, may)).days[0]).toMatchObject({ revision: 'preliminary' });
    expect(calls).toHaveLength(1);
    state.weather = (date) => ({ ...plainWeather(date)!, revision: 'final' });
    await clock.advance(0.2 * hour);
    await source.archive!(place, may);
    await clock.advance(365 * 24 * hour);
    await source.archive!(place, may);
    expect(calls).toHaveLength(2);
  });

  test('of another height are other days where the provider brings them there', async () => {
    const { start, calls } = world({ heightOf: 'point' });
    await start().archive!({ ...place, elevationM: 203 }, may);
    await start().archive!({ ...place, elevationM: 210 }, may);
    await start().reference!({ ...place, elevationM: 203 });
    await start().reference!({ ...place, elevationM: 210 });
    expect(calls).toHaveLength(3); // the reference years of 200 m serve both
  });

  test('that were missing are asked for again after six hours, however old they are', async () => {
    const { start, calls, clock, state } = world({
      weather: (date) => (date === '2026-05-10' ? undefined : plainWeather(date)),
    });
    const source = start();
    expect((await source.archive!(place, may)).days).toHaveLength(30);
    await clock.advance(6 * hour);
    state.weather = plainWeather;
    expect((await source.archive!(place, may)).days).toHaveLength(31);
    expect(calls.slice(1)).toEqual(['42.95,-87.9 2026-05-10..2026-05-10']);
  });

  test('read earlier are used, with a notice, while the provider is away', async () => {
    const { start, state } = world();
    const source = start();
    await source.archive!(place, { from: '2026-05-01', to: '2026-05-20' });
    state.fault = new WeatherError('unavailable', 'test', 'is away.');
    const answer = await source.archive!(place, may);
    expect(answer.days.at(-1)?.date).toBe('2026-05-20');
    expect(answer.notice).toBe('test is away. Days read from it earlier were used.');
  });

  test('that nobody has read are a fault while the provider is away', async () => {
    const { start, state } = world();
    state.fault = new WeatherError('unavailable', 'test', 'is away.');
    await expect(start().archive!(place, may)).rejects.toBe(state.fault);
  });
});

describe('jobs of one cell at the same time', () => {
  test('make one call each for archive, forecast and reference years', async () => {
    const { start, calls } = world();
    const source = start();
    const asked = Array.from({ length: 8 }, () =>
      Promise.all([source.archive!(place, may), source.forecast!(place), source.reference!(place)]),
    );
    const answers = await Promise.all(asked);
    expect(calls).toHaveLength(3);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  test('share one failure, and later ones try again', async () => {
    const { start, calls, state } = world();
    const source = start();
    state.fault = new WeatherError('unavailable', 'test', 'is away.');
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => source.archive!(place, may)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(calls).toHaveLength(1);
    state.fault = undefined;
    await expect(source.archive!(place, may)).resolves.toMatchObject({ origin });
  });

  test('one that gives up does not take the others with it', async () => {
    const { start, calls } = world();
    const source = start();
    const lost = new AbortController();
    lost.abort(new Error('lease lost'));
    const [first, second] = await Promise.allSettled([
      source.archive!(place, may, lost.signal),
      source.archive!(place, may),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
    expect(calls).toHaveLength(1);
  });
});

describe('a forecast', () => {
  test('is good for two hours', async () => {
    const { start, calls, clock } = world();
    await start().forecast!(place);
    await clock.advance(1.9 * hour);
    await start().forecast!(place);
    expect(calls).toHaveLength(1);
    await clock.advance(0.2 * hour);
    await start().forecast!(place);
    expect(calls).toHaveLength(2);
  });

  test('read by an instance whose clock is days ahead is not fresh for ever', async () => {
    const { start, calls, clock } = world();
    await start().forecast!(place);
    clock.jump(-72 * hour);
    await start().forecast!(place);
    expect(calls).toHaveLength(2);
  });

  test('is offered only where the provider has one', () => {
    const source: WeatherSource = {
      provider: 'bare',
      heightOf: 'cell',
      models: { archive: 'era' },
      archive: () => Promise.reject(new Error('unused')),
    };
    const cached = cachedWeatherSource(source, {
      shelf: tolerantShelf(memoryCache(), () => undefined),
      clock: new ManualClock(),
    });
    expect(cached).not.toHaveProperty('forecast');
  });
});

describe('reference years', () => {
  test('are asked for once per cell of 0.1°, up to the last complete one', async () => {
    const { start, calls, clock } = world();
    const first = await start().reference!(place);
    await clock.advance(200 * 24 * hour);
    const second = await start().reference!({ latitude: 42.97, longitude: -87.94 });
    expect(calls).toEqual(['43,-87.9 1991-01-01..2025-12-31']);
    expect(second).toEqual(first);
    expect(first.minC).toHaveLength(12_784); // 35 years with 9 leap days
    expect(first.from).toBe(`${referenceYears.first}-01-01`);
  });

  test.each([
    { now: '2026-03-15T12:00:00Z', last: 2024, why: 'December of 2025 may still be replaced' },
    { now: '2026-03-17T12:00:00Z', last: 2025, why: 'every day of 2025 is 75 days old' },
    { now: '2026-12-31T12:00:00Z', last: 2025, why: 'the year is not over' },
  ])('end with $last on $now: $why', async ({ now, last }) => {
    const { start, calls } = world({ now });
    await start().reference!(place);
    expect(calls).toEqual([`43,-87.9 1991-01-01..${last}-12-31`]);
  });

  test('grow by the years that are new, which alone are asked for', async () => {
    const { start, calls, clock, cache } = world();
    await start().reference!(place);
    await clock.advance(2 * 365 * 24 * hour);
    const grown = await start().reference!(place);
    expect(calls.slice(1)).toEqual(['43,-87.9 2026-01-01..2027-12-31']);
    const anew = await world({ now: clock.now().toISOString() }).start().reference!(place);
    expect({ ...grown, retrievedAt: 0 }).toEqual({ ...anew, retrievedAt: 0 });
    await start().reference!(place);
    expect(calls).toHaveLength(2);
    expect((cache as ReturnType<typeof memoryCache>).entries.size).toBe(1);
  });

  test('of before serve while the provider is away', async () => {
    const { start, clock, state, calls } = world();
    const first = await start().reference!(place);
    await clock.advance(365 * 24 * hour);
    state.fault = new WeatherError('unavailable', 'test', 'did not answer.');
    expect(await start().reference!(place)).toEqual(first);
    state.fault = undefined;
    const grown = await start().reference!(place);
    expect(calls.slice(1)).toEqual(Array(2).fill('43,-87.9 2026-01-01..2026-12-31'));
    expect(grown.minC).toHaveLength(12_784 + 365);
  });

  test('with missing days are asked for again after a day', async () => {
    const { start, calls, clock } = world({
      weather: (date) => (date < '2012' ? undefined : plainWeather(date)),
    });
    const reference = await start().reference!(place);
    expect(reference.minC.slice(0, 2)).toEqual([null, null]);
    await clock.advance(23 * hour);
    await start().reference!(place);
    expect(calls).toHaveLength(1);
    await clock.advance(2 * hour);
    await start().reference!(place);
    expect(calls).toHaveLength(2);
  });
});

describe('a cache that is away', () => {
  test('costs calls and no result, and is told', async () => {
    const away = new Error('storage away');
    const { start, calls, faults } = world({
      cache: { get: () => Promise.reject(away), put: () => Promise.reject(away) },
    });
    const source = start();
    expect((await source.archive!(place, may)).days).toHaveLength(31);
    expect((await source.archive!(place, may)).days).toHaveLength(31);
    expect(calls).toHaveLength(2);
    expect(faults).toEqual([away, away, away, away]);
  });
});
