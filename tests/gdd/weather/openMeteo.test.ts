import { describe, expect, test } from '@jest/globals';
import { openMeteoSource } from '../../../shared/gdd/weather/providers/openMeteoSource.js';
import { ManualClock } from '../../support/manualClock.js';
import type { OpenMeteoBody } from './fakeProviders.js';
import {
  archiveUrl,
  fakeFetch,
  forecastUrl,
  json,
  openMeteoAnswers,
  openMeteoBody,
  plainWeather,
} from './fakeProviders.js';

const clock = new ManualClock('2026-06-15T12:00:00Z');
const place = { latitude: 42.03, longitude: -93.62 };
const span = { from: '2026-05-01', to: '2026-05-03' };

function source(answer: (url: URL) => Response, apiKey?: string) {
  const { fetch, calls } = fakeFetch(answer);
  const options = { fetch, clock, random: () => 0, archiveUrl, forecastUrl, ...(apiKey !== undefined && { apiKey }) };
  return { source: openMeteoSource(options), calls };
}

const queryOf = (url: URL | undefined): Record<string, string> => Object.fromEntries(url?.searchParams ?? []);

describe('Open-Meteo', () => {
  test('the archive is asked for °C by the calendar day at the place', async () => {
    const { source: openMeteo, calls } = source(openMeteoAnswers({ clock, archive: plainWeather }));
    const answer = await openMeteo.archive!(place, span);
    expect(calls[0]?.url.href.split('?')[0]).toBe(archiveUrl);
    expect(queryOf(calls[0]?.url)).toEqual({
      latitude: '42.03',
      longitude: '-93.62',
      start_date: '2026-05-01',
      end_date: '2026-05-03',
      models: 'era5_seamless',
      cell_selection: 'land',
      daily: 'temperature_2m_max,temperature_2m_min',
      timezone: 'auto',
      temperature_unit: 'celsius',
    });
    expect(answer.days.map(({ date }) => date)).toEqual(['2026-05-01', '2026-05-02', '2026-05-03']);
    expect(answer.days[0]).toEqual({ date: '2026-05-01', ...plainWeather('2026-05-01') });
    expect(answer.origin).toMatchObject({
      provider: 'open-meteo',
      model: 'era5_seamless',
      gridElevationM: 203,
      timezone: 'America/Chicago',
      dayBoundary: 'civil',
      licence: 'CC-BY-4.0',
    });
    expect(answer.retrievedAt).toBe(Date.parse('2026-06-15T12:00:00Z'));
  });

  test('the forecast is asked for with the month before it, of one model', async () => {
    const { source: openMeteo, calls } = source(openMeteoAnswers({ clock, archive: plainWeather }));
    const answer = await openMeteo.forecast!(place);
    expect(calls[0]?.url.href.split('?')[0]).toBe(forecastUrl);
    expect(queryOf(calls[0]?.url)).toMatchObject({ past_days: '31', forecast_days: '9', models: 'ecmwf_ifs' });
    expect([answer.days[0]?.date, answer.days.at(-1)?.date]).toEqual(['2026-05-15', '2026-06-23']);
    expect(answer.origin.model).toBe('ecmwf_ifs');
  });

  test('both are asked for at the height of the place, where it is known', async () => {
    const { source: openMeteo, calls } = source(openMeteoAnswers({ clock, archive: plainWeather }));
    await openMeteo.archive!({ ...place, elevationM: 312 }, span);
    await openMeteo.forecast!({ ...place, elevationM: 312 });
    expect(calls.map(({ url }) => url.searchParams.get('elevation'))).toEqual(['312', '312']);
  });

  test('the key of a commercial host goes with every request', async () => {
    const { source: openMeteo, calls } = source(openMeteoAnswers({ clock, archive: plainWeather }), 'secret');
    await openMeteo.archive!(place, span);
    await openMeteo.forecast!(place);
    expect(calls.map(({ url }) => url.searchParams.get('apikey'))).toEqual(['secret', 'secret']);
  });

  test.each([
    { why: 'both null', day: [null, null] },
    { why: 'no minimum', day: [20, null] },
    { why: 'no maximum', day: [null, 10] },
    { why: 'a fill value', day: [-999, -999] },
    { why: 'maximum below minimum', day: [10, 10.1] },
    { why: 'hotter than ever measured', day: [60.1, 20] },
    { why: 'colder than ever measured', day: [-10, -90.1] },
  ])('a day with $why is missing, never zero', async ({ day: [maxC, minC] }) => {
    const body = openMeteoBody(['2026-05-01', '2026-05-02', '2026-05-03'], plainWeather);
    body.daily.temperature_2m_max[1] = maxC!;
    body.daily.temperature_2m_min[1] = minC!;
    const answer = await source(() => json(body)).source.archive!(place, span);
    expect(answer.days.map(({ date }) => date)).toEqual(['2026-05-01', '2026-05-03']);
  });

  const spoilt: { why: string; spoil: (body: OpenMeteoBody) => unknown }[] = [
    {
      why: '°F',
      spoil: (body) => ({ ...body, daily_units: { ...body.daily_units, temperature_2m_min: '°F' } }),
    },
    { why: 'no units', spoil: ({ daily }) => ({ daily }) },
    { why: 'no days', spoil: (body) => ({ ...body, daily: undefined }) },
    { why: 'lists of different length', spoil: (body) => (body.daily.temperature_2m_min.pop(), body) },
    { why: 'days out of order', spoil: (body) => (body.daily.time.reverse(), body) },
    { why: 'a day twice', spoil: (body) => ((body.daily.time[1] = body.daily.time[0]!), body) },
    { why: 'a day that does not exist', spoil: (body) => ((body.daily.time[1] = '2026-02-30'), body) },
    { why: 'text for a temperature', spoil: (body) => ((body.daily.temperature_2m_max[0] = '21' as never), body) },
    { why: 'a list of places', spoil: (body) => [body, body] },
    { why: 'no place', spoil: (body) => ({ ...body, latitude: 'north' }) },
    { why: 'null', spoil: () => null },
  ];

  test.each(spoilt)('an answer with $why is refused as a whole', async ({ spoil }) => {
    const body = openMeteoBody(['2026-05-01', '2026-05-02', '2026-05-03'], plainWeather);
    const { source: openMeteo, calls } = source(() => json(spoil(body)));
    await expect(openMeteo.archive!(place, span)).rejects.toMatchObject({ name: 'WeatherError', kind: 'invalid' });
    expect(calls).toHaveLength(1);
  });
});
