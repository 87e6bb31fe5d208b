/** Archive days that are parts of a day, and forecasts that are wrong in a lasting way. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { startWeather, type Weather as WeatherStandIn } from '../../infra/local/standIns/weather.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { openMeteoSource } from '../../shared/gdd/weather/providers/openMeteoSource.js';
import { ManualClock } from '../support/manualClock.js';
import type { Weather } from './weather/fakeProviders.js';
import { lateBy, openMeteoAnswers, plainWeather } from './weather/fakeProviders.js';
import type { JobWorldOptions } from './gddJobUnderTest.js';
import { jobWorld } from './gddJobUnderTest.js';

type GddDayRecord = GddRecord['daily'][number];

/** Open-Meteo on 28 August, its archive six days late: 22 August is the newest day. */
const openMeteo =
  (archive: Weather, forecast: Weather = plainWeather): JobWorldOptions['answer'] =>
  (url, { clock }) =>
    openMeteoAnswers({ clock, archive: lateBy(clock, 6, archive), forecast })(url);

/** Plain weather but for one day, of which few hours are left. */
const cut =
  (date: string, { min = 0, max = 0 }): Weather =>
  (day) => {
    const whole = plainWeather(day)!;
    return day === date ? { minC: whole.minC + min, maxC: whole.maxC + max } : whole;
  };

const on = ({ daily }: GddRecord, date: string): GddDayRecord => daily.find((day) => day.date === date)!;
const isPlain = ({ tmin, tmax, date }: GddDayRecord): boolean =>
  tmin === plainWeather(date)!.minC && tmax === plainWeather(date)!.maxC;

describe('a part of a day', () => {
  test('is not taken for the newest day: the forecast interface has the whole of it', async () => {
    const { run } = jobWorld({ answer: openMeteo(cut('2026-08-22', { max: -7 })) });
    const record = await run();
    expect(on(record, '2026-08-22')).toMatchObject({ source: 'PROVISIONAL', tmax: plainWeather('2026-08-22')!.maxC });
    expect(on(record, '2026-08-21').source).toBe('OBSERVED');
  });

  test('that is a single hour is missing, however old: its neighbours tell it', async () => {
    const { run } = jobWorld({ answer: openMeteo(cut('2026-06-10', { max: -12 })) });
    const { source, tmin, tmax } = on(await run(), '2026-06-10');
    expect(source).toBe('INTERPOLATED');
    expect(tmax! - tmin!).toBeCloseTo(12, 1);
  });

  test('that the forecast interface contradicts by more than 8 °C is taken from there', async () => {
    const record = await jobWorld({ answer: openMeteo(cut('2026-08-12', { max: -8.2 })) }).run();
    expect(on(record, '2026-08-12')).toMatchObject({ source: 'PROVISIONAL', tmax: plainWeather('2026-08-12')!.maxC });
    const near = await jobWorld({ answer: openMeteo(cut('2026-08-12', { max: -7.8 })) }).run();
    expect(on(near, '2026-08-12').source).toBe('OBSERVED');
  });

  test('is what it is where days are measured at the field', async () => {
    const ports = { isMeasured: true };
    for (const [date, cutBy] of [
      ['2026-08-22', { max: -7 }],
      ['2026-06-10', { max: -12 }],
      ['2026-08-12', { max: -8.2 }],
    ] as const) {
      const record = await jobWorld({ answer: openMeteo(cut(date, cutBy)), ports }).run();
      expect(on(record, date)).toMatchObject({ source: 'OBSERVED', tmax: cut(date, cutBy)(date)!.maxC });
    }
  });
});

describe('a forecast interface that is too cold by day and too warm by night', () => {
  const biased: Weather = (date) => {
    const { minC, maxC } = plainWeather(date)!;
    return { minC: minC + 0.58, maxC: maxC - 1.16 };
  };
  const { run, calls } = jobWorld({ answer: openMeteo(plainWeather, biased) });

  test('is corrected on every day that is taken from it, by 25/29 of the difference', async () => {
    const record = await run();
    expect(record.sources[0]).toMatchObject({ biasCorrectionC: { tmax: 1, tmin: -0.5, days: 25 } });
    expect(record.sources.filter((source) => source.biasCorrectionC !== undefined)).toHaveLength(1);
    for (const date of ['2026-08-24', '2026-08-28', '2026-09-04']) {
      expect(on(record, date).tmax).toBeCloseTo(plainWeather(date)!.maxC - 0.16, 9);
      expect(on(record, date).tmin).toBeCloseTo(plainWeather(date)!.minC + 0.08, 9);
    }
    expect(isPlain(on(record, '2026-08-21'))).toBe(true);
  });

  test('makes a narrower range once its bias is known', async () => {
    const unknown = await jobWorld({ answer: openMeteo(plainWeather, biased), ports: { isMeasured: true } }).run();
    const known = await run();
    expect(unknown.sources[0]).not.toHaveProperty('biasCorrectionC');
    expect(known.range.p90 - known.range.p10).toBeLessThan(unknown.range.p90 - unknown.range.p10);
  });

  test('is compared on days before the season too, without a request more', async () => {
    const before = calls.length;
    const record = await run({ gddStartDate: '2026-08-25', gddEndDate: '2026-09-10' });
    expect(record.sources[0]).toMatchObject({ biasCorrectionC: { days: 25 } });
    expect(record.days).toBe(17);
    expect(calls).toHaveLength(before);
  });
});

describe('stand-ins that disagree as the real ones do', () => {
  let weather: WeatherStandIn;
  afterEach(() => weather.close());

  test('give a season without a part of a day in it, and a forecast of the archive’s climate', async () => {
    const manual = new ManualClock('2026-08-28T17:00:00Z');
    const clock = { now: () => manual.now(), sleep: () => Promise.resolve(), every: manual.every.bind(manual) };
    weather = await startWeather({ clock });
    const http = { fetch, clock, random: () => 0, timeoutMs: 60_000 };
    const source = openMeteoSource({ ...http, archiveUrl: weather.archiveUrl, forecastUrl: weather.forecastUrl });
    const place = { latitude: 42.95, longitude: -87.9, elevationM: 200 };
    const { run } = jobWorld({
      answer: () => new Response(),
      ports: { weather: [source], clock },
      fieldElevationM: 200,
    });
    const record = await run();
    expect(record.sources[0]!.biasCorrectionC!.days).toBe(25);
    // Three weeks later the archive knows what it was.
    manual.jump(21 * 24 * 3_600_000);
    const { days: later } = await source.archive!(place, { from: '2026-08-20', to: '2026-09-01' });
    const errors = (which: 'tmin' | 'tmax', from: string, to: string): number[] =>
      later
        .filter(({ date }) => date >= from && date <= to)
        .map(({ date, minC, maxC }) => on(record, date)[which]! - (which === 'tmin' ? minC : maxC));
    // Before: 22 August 40 % of a day, or a single hour; the models are 1.0 and 0.7 °C apart.
    for (const which of ['tmin', 'tmax'] as const) {
      for (const error of errors(which, '2026-08-20', '2026-08-27')) expect(Math.abs(error)).toBeLessThan(0.35);
    }
  });
});
