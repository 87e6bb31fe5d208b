import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Clock } from '../../shared/kit/clock.js';
import { gatherSeason, type GatheredSeason } from '../../shared/gdd/gather/gatherSeason.js';
import { normalsOf } from '../../shared/gdd/days/normals.js';
import { fillWithNormals, type DaySource } from '../../shared/gdd/days/season.js';
import { addDays, dayNumber, dayOf, latestToday } from '../../shared/kit/validation/calendar.js';
import { dayAtOffset, dayInZone, daysOf, type DaySpan } from '../../shared/gdd/weather/fieldDays.js';
import type { CachedWeatherSource } from '../../shared/gdd/weather/cache/cachedWeatherSource.js';
import { referenceSpan, type ReferenceWeather } from '../../shared/gdd/weather/cache/weatherCache.js';
import { WeatherError, type WeatherAnswer, type WeatherOrigin } from '../../shared/gdd/weather/weatherSource.js';

const zones = Intl.supportedValuesOf('timeZone');
const zone = fc.constantFrom(...zones);
/** From 1990 on: whole seconds, among them those around every change of the clocks. */
const instant = fc.integer({
  min: Date.parse('1990-01-01T00:00:00Z') / 1000,
  max: Date.parse('2036-01-01T00:00:00Z') / 1000,
});
const at = instant.map((seconds) => seconds * 1000);
const latitude = fc.double({ min: -85, max: 85, noNaN: true });
const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const trustedForecastDays = fc.integer({ min: 1, max: 9 });

/** The offset of a zone by another way than the day: from the name that it has then, `GMT+05:45`. */
function offsetSeconds(now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

const origin = (timezone: string | undefined): WeatherOrigin => ({
  provider: 'any',
  model: 'any',
  gridLatitude: 0,
  gridLongitude: 0,
  heightOf: 'point',
  dayBoundary: timezone === undefined ? 'solar' : 'civil',
  ...(timezone !== undefined && { timezone }),
  attribution: '',
  licence: '',
});

/** A provider that knows every day it is asked for, and whose forecast reaches from 31 days ago to in eight. */
function knowsAll(now: number, timezone: string | undefined, today: string): CachedWeatherSource {
  const answer = ({ from, to }: DaySpan): Promise<WeatherAnswer> =>
    Promise.resolve({
      days: daysOf({ from, to }).map((date) => ({ date, minC: 10, maxC: 20 })),
      origin: origin(timezone),
      retrievedAt: now,
    });
  const source: Partial<CachedWeatherSource> = {
    provider: 'any',
    archive: (_place, span) => answer(span),
    forecast: () => answer({ from: addDays(today, -31), to: addDays(today, 8) }),
  };
  return source as CachedWeatherSource;
}

interface Case {
  readonly now: number;
  readonly timezone: string | undefined;
  readonly today: string;
  readonly place: { readonly latitude: number; readonly longitude: number };
  readonly span: DaySpan;
  readonly trusted: number;
}

const gathered = ({ now, timezone, today, place, span, trusted }: Case): Promise<GatheredSeason> => {
  const clock: Clock = { now: () => new Date(now), sleep: () => Promise.resolve(), every: () => () => undefined };
  const ports = {
    weather: [knowsAll(now, timezone, today)],
    findHeight: () => Promise.reject(new WeatherError('unavailable', 'dem', 'is away.')),
    clock,
    trustedForecastDays: trusted,
    isMeasured: false,
  };
  return gatherSeason(ports)({ place, span, mayUseKeptForecast: false });
};

/** What a day rests on when everything is known: told by its distance from today alone. */
function labelOf(date: string, today: string, trusted: number): DaySource {
  const ahead = dayNumber(date) - dayNumber(today);
  if (ahead >= trusted) return 'NORMAL';
  if (ahead >= 0) return 'FORECAST';
  return ahead >= -5 ? 'PROVISIONAL' : 'OBSERVED';
}

/** A season of up to 400 days around today: into the past, into the future, across new year and leap days. */
const seasonAround = (today: string): fc.Arbitrary<DaySpan> =>
  fc.tuple(fc.integer({ min: -420, max: 365 }), fc.integer({ min: 0, max: 399 })).map(([start, length]) => {
    const from = addDays(today, start);
    return { from, to: addDays(from, length) };
  });

describe('the calendar day of an instant', () => {
  test('is that of the wall clock, in every zone and around every change of clocks', () => {
    fc.assert(
      fc.property(zone, at, (timezone, now) => {
        expect(dayInZone(now, timezone)).toBe(dayAtOffset(now, offsetSeconds(now, timezone)));
      }),
      { numRuns: 800 },
    );
  });

  test('never runs backwards', () => {
    fc.assert(
      fc.property(zone, at, fc.integer({ min: 0, max: 200_000 }), (timezone, now, seconds) => {
        expect(dayInZone(now + seconds * 1000, timezone)! >= dayInZone(now, timezone)!).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  test('is in the future for nobody when it is today anywhere', () => {
    fc.assert(
      fc.property(zone, at, (timezone, now) => {
        const today = dayInZone(now, timezone)!;
        expect(today <= latestToday(new Date(now))).toBe(true);
        expect(addDays(today, 2) >= latestToday(new Date(now))).toBe(true);
      }),
      { numRuns: 600 },
    );
  });

  test.each([
    { why: 'the hour that is left out', now: '2026-03-08T07:59:59Z', timezone: 'America/Chicago', day: '2026-03-08' },
    { why: 'the hour that comes twice', now: '2026-11-01T06:30:00Z', timezone: 'America/Chicago', day: '2026-11-01' },
    { why: 'midnight that is left out', now: '2018-11-04T03:00:00Z', timezone: 'America/Sao_Paulo', day: '2018-11-04' },
    { why: 'the day that Samoa left out', now: '2011-12-30T10:00:00Z', timezone: 'Pacific/Apia', day: '2011-12-31' },
    { why: 'a day ahead at 157° west', now: '2026-06-15T10:00:00Z', timezone: 'Pacific/Kiritimati', day: '2026-06-16' },
    { why: 'a leap day', now: '2028-02-29T12:00:00Z', timezone: 'Australia/Lord_Howe', day: '2028-02-29' },
  ])('$why: $now in $timezone is $day', ({ now, timezone, day }) => {
    expect(dayInZone(Date.parse(now), timezone)).toBe(day);
  });
});

describe('the labels of a season, wherever and whenever', () => {
  const anywhere = fc
    .record({ now: at, timezone: zone, latitude, longitude, trusted: trustedForecastDays })
    .chain(({ now, timezone, latitude: north, longitude: east, trusted }) => {
      const today = dayInZone(now, timezone)!;
      const place = { latitude: north, longitude: east };
      return seasonAround(today).map((span): Case => ({ now, timezone, today, place, span, trusted }));
    });

  test('stand on every day of the span once, in order, and follow from its distance to today at the field', async () => {
    await fc.assert(
      fc.asyncProperty(anywhere, async (one) => {
        const season = await gathered(one);
        // Who is not asked for a forecast tells no zone; such a season lies so far away that a day more is all one.
        if (season.hasForecast) expect(season.today).toBe(one.today);
        const days = fillWithNormals(season.days);
        expect(days.map(({ date }) => date)).toEqual(daysOf(one.span));
        expect(days.map(({ source }) => source)).toEqual(
          daysOf(one.span).map((date) => labelOf(date, one.today, one.trusted)),
        );
      }),
      { numRuns: 120 },
    );
  });

  test('are those of the other hemisphere', async () => {
    await fc.assert(
      fc.asyncProperty(anywhere, async (one) => {
        const opposite = { ...one, place: { ...one.place, latitude: -one.place.latitude } };
        expect((await gathered(opposite)).days).toEqual((await gathered(one)).days);
      }),
      { numRuns: 100 },
    );
  });

  test('follow the sun where no zone is told: the day changes at midnight by the longitude', async () => {
    await fc.assert(
      fc.asyncProperty(at, latitude, longitude, trustedForecastDays, async (now, north, east, trusted) => {
        const today = dayAtOffset(now, (east / 15) * 3600);
        const span = { from: addDays(today, -20), to: addDays(today, 20) };
        const place = { latitude: north, longitude: east };
        const season = await gathered({ now, timezone: undefined, today, place, span, trusted });
        expect(season.today).toBe(today);
        const labels = fillWithNormals(season.days).map(({ source }) => source);
        expect(labels).toEqual(daysOf(span).map((date) => labelOf(date, today, trusted)));
      }),
      { numRuns: 200 },
    );
  });
});

describe('the normals of a season, in any months of any year', () => {
  /** Degree-days above 0 °C of a day of the year, each its own: what 29 February has, no other day has. */
  const valueOf = (date: string): number => 1 + (Number(date.slice(5, 7)) * 31 + Number(date.slice(8, 10))) / 20;
  const limits = { method: 'CLIP', lowerC: 0, upperC: Infinity } as const;
  const first = dayNumber(referenceSpan.from);
  const values = Array.from({ length: dayNumber(referenceSpan.to) - first + 1 }, (_, index) =>
    valueOf(dayOf(first + index)),
  );
  const reference: ReferenceWeather = {
    origin: origin('UTC'),
    retrievedAt: 0,
    from: referenceSpan.from,
    minC: values,
    maxC: values,
  };
  const span = fc
    .tuple(fc.integer({ min: dayNumber('1995-01-01'), max: dayNumber('2035-12-31') }), fc.integer({ min: 0, max: 399 }))
    .map(([start, length]): DaySpan => ({ from: dayOf(start), to: dayOf(start + length) }));

  test('are those of the same day of the year, across new year and leap days; 29 February takes the 28th’s', () => {
    fc.assert(
      fc.property(span, (season) => {
        const { daily } = normalsOf(season, reference, limits)!;
        const expected = daysOf(season).map((date) => valueOf(date.slice(5) === '02-29' ? '2001-02-28' : date));
        expect(daily).toHaveLength(expected.length);
        for (const [index, value] of daily.entries()) expect(value).toBeCloseTo(expected[index]!, 9);
      }),
      { numRuns: 30 },
    );
  });

  test('rest on a reference year less for each new year in the season', () => {
    fc.assert(
      fc.property(span, (season) => {
        const newYears = Number(season.to.slice(0, 4)) - Number(season.from.slice(0, 4));
        expect(normalsOf(season, reference, limits)!.seasons).toHaveLength(30 - newYears);
      }),
      { numRuns: 30 },
    );
  });
});
