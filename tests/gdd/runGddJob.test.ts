import { describe, expect, test } from '@jest/globals';
import { DataManagerError, type DataManager } from '../../shared/jobs/dataManager/dataManager.js';
import { gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../shared/kit/errors/serviceError.js';
import { isGddRecord, type GddRecord } from '../../shared/gdd/form/gddRecord.js';
import type { Job } from '../../shared/jobs/job.js';
import { runGddJob } from '../../shared/gdd/runGddJob.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { WeatherError } from '../../shared/gdd/weather/weatherSource.js';
import type { Weather } from './weather/fakeProviders.js';
import { lateBy, openMeteoAnswers, plainWeather, powerAnswers } from './weather/fakeProviders.js';
import type { JobWorld, JobWorldOptions } from './gddJobUnderTest.js';
import {
  aJob,
  dataManagerWith,
  fieldId,
  insightId,
  jobWorld,
  partyId,
  refusedBefore,
  squareField,
} from './gddJobUnderTest.js';

type Answer = JobWorldOptions['answer'];

/** Open-Meteo as it is: the archive five days late, a forecast that knows everything. */
const openMeteo: Answer = (url, { clock }) =>
  openMeteoAnswers({ clock, archive: lateBy(clock, 5, plainWeather), forecast: plainWeather })(url);

const without =
  (...missing: string[]): Weather =>
  (date) =>
    missing.includes(date) ? undefined : plainWeather(date);

const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: code, headers });

/** Open-Meteo answers with a status, NASA POWER as given. */
const openMeteoDown =
  (weather: Weather): Answer =>
  (url) =>
    url.host.startsWith('power') ? powerAnswers(weather)(url) : status(503);

const failureOf = async (work: Promise<unknown>): Promise<JobFailure> => {
  const outcome: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(outcome instanceof JobFailure)) throw new Error(`expected a JobFailure, got ${String(outcome)}`);
  return outcome;
};

/** One look at a job as its row stands. */
async function look({ ports }: JobWorld, job: Job): Promise<GddRecord> {
  const outcome = await runGddJob(ports)(job, insightId, new AbortController().signal);
  if (outcome.kind !== 'done' || !isGddRecord(outcome.insight.record)) throw new Error('no GDD record');
  return outcome.insight.record;
}

const sumOf = (record: GddRecord, ...sources: string[]): number =>
  record.daily.filter(({ source }) => sources.includes(source)).reduce((sum, { gdd }) => sum + gdd, 0);

describe('a season from the past into the future', () => {
  const { run, insight } = jobWorld({ answer: openMeteo });

  test('is made of observed, provisional, forecast and normal days that add up to the total', async () => {
    const record = await run();
    expect(record.asOfDate).toBe('2026-08-28');
    expect(record.coverage).toEqual({
      observed: 114, // 1 May to 22 August
      provisional: 5,
      forecast: 8,
      normal: 26, // 5 to 30 September
      interpolated: 0,
      longestGap: 0,
    });
    const parts = record.observedTotal + record.provisionalTotal + record.forecastTotal + record.normalTotal;
    expect(Math.abs(parts - record.total)).toBeLessThan(0.025); // five figures rounded to 0.005 each
    expect(Math.abs(sumOf(record, 'OBSERVED') - record.observedTotal)).toBeLessThan(0.005 * 115);
    expect(record.daily).toHaveLength(153);
    expect(record.daily.at(-1)).toMatchObject({ tmin: null, tmax: null, source: 'NORMAL', cumulative: record.total });
  });

  test('tells how far it is from normal and where it may end', async () => {
    const record = await run();
    expect(record.normal).toMatchObject({ years: [1991, 2020], yearCount: 30 });
    expect(record.normal!.departure).toBeCloseTo(record.total - record.normal!.totalMean, 1);
    expect(record.normal!.p10).toBeLessThan(record.normal!.p90);
    expect(record.range.p10).toBeLessThan(record.range.p90);
    // Eight days of forecast and 26 of normals, whose years hardly differ here: 1.2816 × 8.5 on each side.
    expect(record.range.p90 - record.range.p10).toBeGreaterThan(15);
    expect(record.range.p90 - record.range.p10).toBeLessThan(30);
    expect(record.range.from).toBe('2026-08-28');
    expect(record.range.cumulative?.p90.at(-1)).toBe(record.range.p90);
    expect(record.range.p50).toBeCloseTo(record.total, -1);
    expect(record.normal!.cumulative.p10).toHaveLength(153);
    expect(record.warnings).toEqual([]);
  });

  test('names its place, sources, method and citations', async () => {
    const record = await run();
    expect(Object.keys(record)[0]).toBe('insightId');
    expect(record).toMatchObject({
      insightId,
      kind: 'GDD',
      modelVersion: 'gdd-crops/1',
      jobId: 'spring-corn',
      partyId,
      resourceType: 'FIELD',
      resourceId: fieldId,
      crop: 'CORN',
      asOf: '2026-08-28T17:00:00.000Z',
      method: { name: 'CLIP', lower: 10, upper: 30 },
      location: {
        latitude: 42.955,
        longitude: -87.905,
        elevationM: 203,
        timezone: 'America/Chicago',
        how: 'boundary-centroid',
      },
    });
    expect(record.sources.map(({ product, provider }) => `${product} ${provider}`)).toEqual([
      'forecast open-meteo',
      'archive open-meteo',
      'reference open-meteo',
      'height copernicus-dem',
    ]);
    expect(record.citations.join(' ')).toContain('10.1016/S0168-1923(97)00027-0');
  });

  test('in °F has 1.8 times the sums, and limits and temperatures in °F', async () => {
    const [celsius, fahrenheit] = [await run(), await run({ temperatureUnit: 'F' })];
    expect(fahrenheit.total / 1.8).toBeCloseTo(celsius.total, 2);
    expect(fahrenheit.normal!.totalMean / 1.8).toBeCloseTo(celsius.normal!.totalMean, 2);
    expect(fahrenheit.method).toMatchObject({ lower: 50, upper: 86 });
    expect(fahrenheit.daily[0]!.tmax).toBeCloseTo(celsius.daily[0]!.tmax! * 1.8 + 32, 2);
    expect(fahrenheit.stages.map(({ date }) => date)).toEqual(celsius.stages.map(({ date }) => date));
  });

  test('is told to the data manager: measurements with unit, and the record as attachment', async () => {
    const { record, publication, files } = await insight({ temperatureUnit: 'F' });
    const { total, observedTotal, provisionalTotal, forecastTotal, normalTotal } = record as unknown as GddRecord;
    expect(publication.key).toEqual({
      partyId,
      modelId: 'partnerAgPowered.gdd',
      resourceType: 'Field',
      resourceId: fieldId,
      insightId,
    });
    expect(publication.insight.measurements).toMatchObject({
      gdd: { unit: 'F', value: total },
      gddObserved: { unit: 'F', value: observedTotal },
      gddProvisional: { unit: 'F', value: provisionalTotal },
      gddForecast: { unit: 'F', value: forecastTotal },
      gddNormal: { unit: 'F', value: normalTotal },
    });
    expect([publication.insight.from, publication.insight.to].map((date) => date.toISOString())).toEqual([
      '2026-05-01T00:00:00.000Z',
      '2026-09-30T23:59:59.000Z',
    ]);
    expect(publication.attachments).toHaveLength(1);
    expect(publication.attachments[0]).toMatchObject({ name: 'gdd.json', contentType: 'application/json' });
    expect(JSON.parse(Buffer.from(publication.attachments[0]!.data).toString('utf8'))).toEqual(record);
    expect(files).toEqual([]);
    const properties = Object.entries(publication.insight.properties ?? {});
    expect(properties.length).toBeLessThanOrEqual(25);
    for (const [, value] of properties) expect(String(value).length).toBeLessThanOrEqual(150);
  });

  test('repeated at the same instant is the same insight, byte for byte', async () => {
    expect(JSON.stringify(await insight())).toBe(JSON.stringify(await insight()));
  });
});

describe('seasons elsewhere in time', () => {
  test('in the past rest on observed days alone and ask for no forecast', async () => {
    const { run, calls } = jobWorld({ answer: openMeteo });
    const record = await run({ gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' });
    expect(record.coverage).toMatchObject({ observed: 153, normal: 0 });
    expect(record.range).toEqual({ p10: record.total, p50: record.total, p90: record.total });
    expect(calls.map(({ url }) => url.pathname)).toEqual(['/v1/archive', '/v1/archive']);
  });

  test('in the future may begin with a forecast', async () => {
    const { run } = jobWorld({ answer: openMeteo });
    const record = await run({ gddStartDate: '2026-09-01', gddEndDate: '2026-10-31' });
    expect(record.coverage).toMatchObject({ observed: 0, provisional: 0, forecast: 4, normal: 57 });
  });

  test('far in the future rest on normals alone', async () => {
    const { run, calls } = jobWorld({ answer: openMeteo });
    const record = await run({ gddStartDate: '2027-05-01', gddEndDate: '2027-09-30' });
    expect(record.coverage).toMatchObject({ observed: 0, forecast: 0, normal: 153 });
    // The last thirty complete years are those of 1996 to 2025; their middle lies 16.5 years before the season.
    expect(record.rest!.shift).toBeCloseTo((record.rest!.trendPerDecade / 10) * 16.5, 1);
    expect(record.normal!.years).toEqual([1991, 2020]);
    expect(record.total).toBe(record.normalTotal);
    expect(calls).toHaveLength(1);
  });

  test('may have one day', async () => {
    const { run } = jobWorld({ answer: openMeteo });
    const record = await run({ gddStartDate: '2026-07-01', gddEndDate: '2026-07-01' });
    expect(record.days).toBe(1);
    expect(record.total).toBe(record.daily[0]!.gdd);
  });

  test('are additive: two halves make the whole', async () => {
    const { run } = jobWorld({ answer: openMeteo });
    const [whole, first, second] = [
      await run({ gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' }),
      await run({ gddStartDate: '2025-05-01', gddEndDate: '2025-07-15' }),
      await run({ gddStartDate: '2025-07-16', gddEndDate: '2025-09-30' }),
    ];
    expect(first.total + second.total).toBeCloseTo(whole.total, 1);
  });

  test('of every crop and unit are calculated', async () => {
    const { run } = jobWorld({ answer: openMeteo });
    for (const crop of ['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'] as const) {
      const record = await run({ crop, temperatureUnit: 'F' });
      expect(record.total).toBeGreaterThan(0);
      expect(record.stages.length).toBeGreaterThan(0);
    }
  });
});

describe('a May watched day by day from 20 April to 10 June', () => {
  test('each day turns FORECAST → PROVISIONAL → OBSERVED exactly once and is never counted twice', async () => {
    const { run, clock } = jobWorld({ now: '2026-04-20T17:00:00Z', answer: openMeteo });
    const seen = new Map<string, string[]>();
    for (let day = 0; day <= 51; day += 1) {
      const record = await run({ gddStartDate: '2026-05-01', gddEndDate: '2026-05-31' });
      for (const { date, source } of record.daily) {
        const labels = seen.get(date) ?? [];
        if (labels.at(-1) !== source) seen.set(date, [...labels, source]);
      }
      clock.jump(24 * 3_600_000);
    }
    for (const date of [...seen.keys()]) {
      const wanted = ['FORECAST', 'PROVISIONAL', 'OBSERVED'];
      // Days that lie beyond the forecast at first begin as NORMAL.
      if (date > addDays('2026-04-20', 9)) wanted.unshift('NORMAL');
      expect([date, seen.get(date)]).toEqual([date, wanted]);
    }
  });
});

describe('missing days', () => {
  const past = { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' };
  const archiveOf =
    (weather: Weather): Answer =>
    (url, { clock }) =>
      openMeteoAnswers({ clock, archive: weather })(url);

  test('up to three in a row are interpolated and counted as observed', async () => {
    const { run } = jobWorld({ answer: archiveOf(without('2025-06-10', '2025-06-11', '2025-06-12')) });
    const record = await run(past);
    expect(record.coverage).toMatchObject({ observed: 153, interpolated: 3, longestGap: 3, normal: 0 });
    expect(record.observedTotal).toBe(record.total);
    const days = record.daily.filter(({ source }) => source === 'INTERPOLATED').map(({ date }) => date);
    expect(days).toEqual(['2025-06-10', '2025-06-11', '2025-06-12']);
  });

  const gap = ['2025-06-10', '2025-06-11', '2025-06-12', '2025-06-13', '2025-06-14'];

  test('longer gaps are asked for at the next provider, those days alone', async () => {
    const { run, calls } = jobWorld({
      providers: ['open-meteo', 'nasa-power'],
      answer: (url, { clock }) =>
        url.host.startsWith('power')
          ? powerAnswers(plainWeather)(url)
          : openMeteoAnswers({ clock, archive: without(...gap) })(url),
    });
    const record = await run(past);
    expect(record.coverage).toMatchObject({ observed: 153, interpolated: 0, normal: 0, longestGap: 0 });
    const power = calls.find(({ url }) => url.host.startsWith('power'))!.url.searchParams;
    expect([power.get('start'), power.get('end')]).toEqual(['20250610', '20250614']);
    expect(record.warnings).toEqual([
      'Days of nasa-power end at solar midnight, up to two hours from that of the clock.',
    ]);
  });

  test('days between two gaps stay those of the first provider', async () => {
    const second = ['2025-07-10', '2025-07-11', '2025-07-12', '2025-07-13'];
    const { run } = jobWorld({
      providers: ['open-meteo', 'nasa-power'],
      answer: (url, { clock }) =>
        url.host.startsWith('power')
          ? powerAnswers(() => ({ minC: 1, maxC: 2 }))(url)
          : openMeteoAnswers({ clock, archive: without(...gap, ...second) })(url),
    });
    const record = await run(past);
    const foreign = record.daily.filter(({ tmin, tmax }) => tmin === 1 && tmax === 2).map(({ date }) => date);
    expect(foreign).toEqual([...gap, ...second]);
  });

  test('an archive that is later than usual is bridged by the forecast interface', async () => {
    const { run } = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({ clock, archive: lateBy(clock, 12, plainWeather), forecast: plainWeather })(url),
    });
    const record = await run({ gddStartDate: '2026-06-01', gddEndDate: '2026-08-20' }); // ended eight days ago
    expect(record.coverage).toMatchObject({ observed: 77, provisional: 4, normal: 0 });
  });

  test('the next provider’s temperatures are brought to the height of the field', async () => {
    const { run } = jobWorld({
      providers: ['open-meteo', 'nasa-power'],
      answer: (url, { clock }) =>
        url.host.startsWith('power')
          ? powerAnswers(() => ({ minC: 10, maxC: 20 }), 1203)(url) // a kilometre above the field
          : openMeteoAnswers({ clock, archive: without(...gap) })(url),
    });
    const record = await run(past);
    expect(record.daily.find(({ date }) => date === gap[0])).toMatchObject({ tmin: 14.5, tmax: 26.5 });
    expect(record.sources.find(({ provider }) => provider === 'nasa-power')).toMatchObject({
      elevationCorrectionC: { tmax: 6.5, tmin: 4.5 },
      gridElevationM: 1203,
      dayBoundary: 'solar',
    });
    expect(record.warnings.join(' ')).toContain(
      'The field lies 1000 m below the grid cell of nasa-power; its temperatures were corrected by +6.5 °C by day and +4.5 °C by night (±6 °C·day).',
    );
  });

  test('gaps that nobody can fill or bridge rest on normals, with a warning that names the days', async () => {
    const wide = [...gap, '2025-06-15', '2025-06-16', '2025-06-17'];
    const { run } = jobWorld({ answer: archiveOf(without(...wide)) });
    const record = await run(past);
    expect(record.coverage).toMatchObject({ observed: 145, normal: 8, longestGap: 8 });
    expect(record.daily.filter(({ source }) => source === 'NORMAL').every(({ gdd }) => gdd > 0)).toBe(true);
    expect(record.warnings).toEqual(['No provider knows 2025-06-10 to 2025-06-17; normals stand in for these days.']);
    expect(record.range.p10).toBeLessThan(record.range.p90);
  });

  test('more than 10 % end the attempt, retryable, naming days and provider', async () => {
    const { run } = jobWorld({
      answer: archiveOf((date) => (date.startsWith('2025-06') ? undefined : plainWeather(date))),
    });
    const failure = await failureOf(run(past));
    expect(failure.fault).toBe(gddJobFaults.weatherIncomplete);
    expect(failure.fault.retryable).toBe(true);
    expect(failure.message).toBe(
      'No usable temperatures for 30 of 153 past days (2025-06-01 to 2025-06-30) at open-meteo; ' +
        'at most 10 % may be missing. Create the job again later, or with a shorter period.',
    );
  });

  test('whole days of null and maxima below minima are missing, not cold', async () => {
    const broken: Weather = (date) => (date.endsWith('-15') ? { minC: 30, maxC: -30 } : plainWeather(date));
    const { run } = jobWorld({ answer: archiveOf(broken) });
    expect((await run(past)).coverage.interpolated).toBe(5);
  });

  test('a season that begins beyond every forecast is all normals, without a word of a missing forecast', async () => {
    const { run } = jobWorld({ answer: archiveOf(plainWeather) });
    const record = await run({ gddStartDate: '2027-05-01', gddEndDate: '2027-05-31' });
    expect(record.coverage.normal).toBe(31);
    expect(record.warnings).toEqual([]);
  });
});

describe('the height of the field', () => {
  const power =
    (cellM: number): Answer =>
    (url) =>
      powerAnswers(plainWeather, cellM)(url);
  const past = { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' };
  const total = async (cellM: number, fieldElevationM: number): Promise<number> =>
    (await jobWorld({ providers: ['nasa-power'], answer: power(cellM), fieldElevationM }).run(past)).total;

  test('counts from the first metre: there is no difference too small', async () => {
    const level = await total(203, 203);
    expect(await total(293, 203)).toBeGreaterThan(level + 50);
    expect((await total(303, 203)) - (await total(301, 203))).toBeLessThan(3);
  });

  test('goes with the question to Open-Meteo, rounded to 100 m for the reference years', async () => {
    const { run, calls } = jobWorld({ answer: openMeteo, fieldElevationM: 261 });
    await run();
    expect(calls.map(({ url }) => url.searchParams.get('elevation'))).toEqual(['261', '261', '300']);
    expect(calls.map(({ url }) => url.searchParams.get('models'))).toEqual([
      'ecmwf_ifs',
      'era5_seamless',
      'era5_seamless',
    ]);
  });

  test('that can’t be read costs a warning and no job; the next job asks again', async () => {
    let asked = 0;
    const terrain = {
      heightAt: () => {
        asked += 1;
        return Promise.reject(new WeatherError('unavailable', 'copernicus-dem', 'could not be read.'));
      },
    };
    const { run } = jobWorld({ providers: ['nasa-power'], answer: power(1203), ports: { terrain } });
    const record = await run(past);
    expect(record.location.elevationM).toBeUndefined();
    expect(record.warnings).toContain(
      'The height of the field is not known for the moment; temperatures are those of the height of their grid cell.',
    );
    await run(past);
    expect(asked).toBe(2);
  });

  test('at sea is 0 m, with a doubt', async () => {
    const terrain = { heightAt: () => Promise.resolve(undefined) };
    const { run } = jobWorld({ providers: ['nasa-power'], answer: power(40), ports: { terrain } });
    const record = await run(past);
    expect(record.location.elevationM).toBe(0);
    expect(record.warnings).toContain(
      'The terrain model has no land at this place; the field is taken to lie at sea level.',
    );
  });
});

describe('providers that fail', () => {
  test('Open-Meteo down from the start: two tries wait, the third makes do with NASA POWER and says so', async () => {
    const weather: Weather = (date) => (date > '2026-08-23' ? undefined : plainWeather(date));
    const world = jobWorld({ providers: ['open-meteo', 'nasa-power'], answer: openMeteoDown(weather) });
    for (const refusals of [0, 1]) {
      const failure = await failureOf(look(world, { ...aJob(), ...refusedBefore(refusals) }));
      expect(failure.fault).toBe(gddJobFaults.weatherUnavailable);
    }
    const record = await look(world, { ...aJob(), ...refusedBefore(2) });
    expect(record.incomplete).toEqual([{ reason: 'forecast', from: '2026-08-24', to: '2026-09-04' }]);
    expect(record.coverage).toMatchObject({ observed: 114, provisional: 1, forecast: 0, normal: 38 });
    expect(record.location.timezone).toBeUndefined();
    expect(record.warnings).toContain('No forecast was available; normals are used from 2026-08-28 on.');
    expect(record.warnings[0]).toBe(
      'open-meteo answered with HTTP status 503. The result was made without this answer.',
    );
  });

  test.each([
    { what: 'a season ahead without a forecast', season: {}, told: 1 },
    {
      what: 'a season in the past, which needs none',
      season: { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' },
      told: 0,
    },
  ])('the operators are told of $what: $told', async ({ season, told }) => {
    const tellings: number[] = [];
    const ports = { onNoForecast: (faults: readonly unknown[]) => tellings.push(faults.length) };
    const weather: Weather = (date) => (date > '2026-08-24' ? undefined : plainWeather(date));
    const answer = (url: URL) => powerAnswers(weather)(url);
    await jobWorld({ providers: ['nasa-power'], answer, ports }).run(season);
    expect(tellings).toHaveLength(told);
  });

  test('Open-Meteo down and a season in the past: NASA POWER serves it at once', async () => {
    const { run } = jobWorld({ providers: ['open-meteo', 'nasa-power'], answer: openMeteoDown(plainWeather) });
    const record = await run({ gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' });
    expect(record.coverage.observed).toBe(153);
    expect(record.sources.map(({ provider }) => provider)).toEqual(['nasa-power', 'nasa-power', 'copernicus-dem']);
  });

  test('NASA POWER alone serves a season into the future: its last days and all to come rest on normals', async () => {
    const weather: Weather = (date) => (date > '2026-08-24' ? undefined : plainWeather(date));
    const { run } = jobWorld({ providers: ['nasa-power'], answer: (url) => powerAnswers(weather)(url) });
    const record = await run();
    expect(record.coverage).toMatchObject({ observed: 114, provisional: 2, normal: 37 });
    expect(record.warnings.join(' ')).toContain('No provider knows 2026-08-25 to 2026-08-27');
  });

  test.each([
    { why: '500', answer: () => status(500) },
    {
      why: 'a hang',
      answer: () =>
        new Promise<Response>((_, reject) =>
          setTimeout(() => {
            reject(new Error('late'));
          }, 60),
        ),
    },
    { why: 'garbage', answer: () => new Response('<html>busy</html>') },
    { why: 'wrong units', answer: () => new Response(JSON.stringify({ daily_units: { temperature_2m_max: '°F' } })) },
  ])('$why from the only provider: the attempt ends, retryable, and nothing is written', async ({ answer }) => {
    const { run } = jobWorld({ answer });
    const failure = await failureOf(run());
    expect(failure.fault).toBe(gddJobFaults.weatherUnavailable);
    expect(failure.message).toMatch(/^open-meteo .*Create the job again later\.$/);
    expect(failure.message.match(/open-meteo/g)).toHaveLength(1); // the same fault twice is told once
  });

  test('429 with Retry-After: the job waits as long as asked', async () => {
    const { run, calls } = jobWorld({ answer: () => status(429, { 'retry-after': '900' }) });
    const failure = await failureOf(run());
    expect(failure.retryAfterSeconds).toBe(900);
    expect(calls).toHaveLength(2); // forecast and archive once each, no repetition before the time
  });

  const withoutForecast: Answer = (url, world) =>
    url.pathname.endsWith('forecast') ? status(500) : openMeteo(url, world);

  test('a forecast that fails alone gets three tries; then normals take its place, and the result says so', async () => {
    const world = jobWorld({ answer: withoutForecast });
    for (const refusals of [0, 1]) {
      const failure = await failureOf(look(world, { ...aJob(), ...refusedBefore(refusals) }));
      expect(failure.fault.dependency).toBe('the weather services');
    }
    const { incomplete } = await look(world, { ...aJob(), ...refusedBefore(2) });
    expect(incomplete).toMatchObject([{ reason: 'forecast', to: '2026-09-04' }]);
  });

  test('refusals of another dependency are no tries of the forecast', async () => {
    const world = jobWorld({ answer: withoutForecast });
    const { outage } = refusedBefore(40);
    const job = { ...aJob(), outage: { ...outage!, dependency: 'the data manager' } };
    expect((await failureOf(look(world, job))).fault).toBe(gddJobFaults.weatherUnavailable);
  });

  test('a forecast that is back at the second try makes the result that an outage never was', async () => {
    let isAway = true;
    const world = jobWorld({ answer: (url, around) => (isAway ? withoutForecast : openMeteo)(url, around) });
    await failureOf(world.run());
    isAway = false;
    const record = await look(world, { ...aJob(), ...refusedBefore(1) });
    expect(record).toEqual(await jobWorld({ answer: openMeteo }).run());
    expect(record.incomplete).toBeUndefined();
  });

  test('no source of a forecast at all is no outage: the first try succeeds, and the result is whole', async () => {
    const weather: Weather = (date) => (date > '2026-08-24' ? undefined : plainWeather(date));
    const { run } = jobWorld({ providers: ['nasa-power'], answer: (url) => powerAnswers(weather)(url) });
    expect((await run()).incomplete).toBeUndefined();
  });

  test('a forecast that is kept is used at the third try, not before: a newer one is better', async () => {
    let isAway = false;
    const world = jobWorld({ answer: (url, around) => (isAway ? withoutForecast : openMeteo)(url, around) });
    await world.run();
    isAway = true;
    world.clock.jump(20 * 3_600_000);
    await failureOf(look(world, { ...aJob(), ...refusedBefore(1) }));
    const record = await look(world, { ...aJob(), ...refusedBefore(2) });
    expect(record.warnings.join(' ')).toContain('No newer forecast could be had');
    expect(record.coverage.forecast).toBeGreaterThan(0);
  });

  describe('an archive that is away while some of its days are known', () => {
    /** A season of which the archive has told all but ten days of July; it is away from then on. */
    async function withoutTenDays() {
      let isAway = false;
      const world = jobWorld({
        answer: (url, around) => (isAway && url.pathname.endsWith('archive') ? status(503) : openMeteo(url, around)),
      });
      await world.run({ gddStartDate: '2026-01-01', gddEndDate: '2026-06-30' });
      isAway = true;
      return { world, job: aJob({ gddStartDate: '2026-01-01', gddEndDate: '2026-07-10' }) };
    }

    test('is waited for: not one day of it becomes a normal because of a short outage', async () => {
      const { world, job } = await withoutTenDays();
      for (const refusals of [0, 1, 2, 60]) {
        const failure = await failureOf(look(world, { ...job, ...refusedBefore(refusals) }));
        expect(failure.fault).toBe(gddJobFaults.weatherUnavailable);
      }
    });

    test('is done without at the last try of all, and the result says so', async () => {
      const { world, job } = await withoutTenDays();
      const record = await look(world, { ...job, ...refusedBefore(60, { isOver: true }) });
      expect(record.incomplete).toEqual([{ reason: 'archive', from: '2026-07-01', to: '2026-07-10' }]);
      expect(record.coverage.normal).toBe(10);
      expect(record.warnings.join(' ')).toContain('Days read from it earlier were used.');
    });
  });

  test('normals that fail alone are waited for; a season in the past does without at the last try of all', async () => {
    const world = jobWorld({
      answer: (url, { clock }) =>
        url.searchParams.get('start_date')?.startsWith('1991') === true ? status(500) : openMeteo(url, { clock }),
    });
    const past = aJob({ gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' });
    for (const refusals of [0, 2, 60]) {
      const failure = await failureOf(look(world, { ...past, ...refusedBefore(refusals) }));
      expect(failure.fault).toBe(gddJobFaults.weatherUnavailable);
    }
    const record = await look(world, { ...past, ...refusedBefore(60, { isOver: true }) });
    expect(record.coverage.observed).toBe(153);
    expect(record.incomplete).toEqual([{ reason: 'normals', from: '2025-05-01', to: '2025-09-30' }]);
  });

  test('a season that nobody answers for is not made of known normals alone', async () => {
    let isAway = false;
    const world = jobWorld({ answer: (url, { clock }) => (isAway ? status(503) : openMeteo(url, { clock })) });
    await world.run();
    isAway = true;
    world.clock.jump(96 * 3_600_000); // the forecast of the first run is too old by now
    const soon = { ...aJob({ gddStartDate: '2026-09-01', gddEndDate: '2026-09-30' }), ...refusedBefore(60) };
    const failure = await failureOf(look(world, soon));
    expect(failure.fault).toBe(gddJobFaults.weatherUnavailable);
  });

  test('no reference years anywhere: a season in the past succeeds with a warning', async () => {
    const { run } = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({ clock, archive: (date) => (date < '2021' ? undefined : plainWeather(date)) })(url),
    });
    const record = await run({ gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' });
    expect(record.normal).toBeUndefined();
    expect(record.warnings).toEqual(['No provider has reference years for this season, so it can’t be compared.']);
  });

  test('no reference years and a season beyond the forecast: FAILED for good, naming the days', async () => {
    const { run } = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({ clock, archive: (date) => (date < '2021' ? undefined : plainWeather(date)) })(url),
    });
    const failure = await failureOf(run());
    expect(failure.fault).toBe(gddJobFaults.weatherOutOfReach);
    expect(failure.message).toContain('2026-09-05 to 2026-09-30');
  });

  test('few reference years make normals with a warning', async () => {
    const { run } = jobWorld({
      answer: (url, { clock }) =>
        openMeteoAnswers({ clock, archive: (date) => (date < '2015' ? undefined : plainWeather(date)) })(url),
    });
    expect((await run()).warnings).toEqual(['Normals rest on 6 reference years only.']);
  });
});

describe('the field', () => {
  const world = (dataManager: DataManager) =>
    jobWorld({ answer: openMeteo, ports: { dataManagerFor: () => Promise.resolve(dataManager) } });

  test('is read with the ids as they were written', async () => {
    const [party, field] = [partyId.toUpperCase(), fieldId.toUpperCase()];
    const dataManager = dataManagerWith({ ...squareField, partyId: party, id: field });
    const { run } = world(dataManager);
    await expect(run({ partyId: party, resourceId: field })).resolves.toMatchObject({
      partyId: party,
      resourceId: field,
    });
    expect(dataManager.reads).toEqual([`${party}/${field}`]);
  });

  test.each([
    { why: 'no geometry', field: { id: fieldId, partyId } },
    { why: 'a point', field: { ...squareField, geometry: { type: 'Point' as const, coordinates: [1, 2] as const } } },
    { why: 'no area', field: { ...squareField, geometry: { type: 'MultiPolygon' as const, coordinates: [] } } },
  ])('with $why has no place', async ({ field }) => {
    const failure = await failureOf(world(dataManagerWith(field)).run());
    expect(failure.fault).toBe(gddJobFaults.fieldWithoutGeometry);
    expect(failure.message).toContain('Store a geometry with the field');
  });

  test.each([
    { kind: 'unavailable', fault: gddJobFaults.dataManagerUnavailable },
    { kind: 'not_found', fault: gddJobFaults.fieldNotFound },
    { kind: 'bad_request', fault: gddJobFaults.fieldNotFound },
  ] as const)('behind a data manager that says $kind ends with $fault.code', async ({ kind, fault }) => {
    const error = new DataManagerError(kind, 'no', kind === 'unavailable' ? { retryAfterSeconds: 30 } : {});
    const failure = await failureOf(world(dataManagerWith(error)).run());
    expect(failure.fault).toBe(fault);
    expect(failure.cause).toBe(error);
    expect(failure.retryAfterSeconds).toBe(kind === 'unavailable' ? 30 : undefined);
  });

  test('behind a data manager that reads nothing because of a conflict is a fault of ours', async () => {
    const error = new DataManagerError('conflict', 'no');
    await expect(world(dataManagerWith(error)).run()).rejects.toBe(error);
  });
});

describe('parameters that create would not have stored', () => {
  test.each([
    { crop: 'RICE' },
    { temperatureUnit: 'K' },
    { partyId: 7 },
    { gddStartDate: '2026-02-30' },
    { gddStartDate: '2026-10-01' },
  ])('%p are a fault of ours', async (parameters) => {
    const { run } = jobWorld({ answer: openMeteo });
    await expect(run(parameters as never)).rejects.toThrow('The stored');
  });
});

describe('an attempt that has lost its job', () => {
  test('stops', async () => {
    const { ports } = jobWorld({ answer: openMeteo });
    const lost = new AbortController();
    lost.abort(new Error('cancelled'));
    await expect(runGddJob(ports)(aJob(), insightId, lost.signal)).rejects.toThrow('cancelled');
  });
});
