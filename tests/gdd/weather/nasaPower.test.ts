import { describe, expect, test } from '@jest/globals';
import { daysOf } from '../../../shared/gdd/weather/fieldDays.js';
import { nasaPowerSource } from '../../../shared/gdd/weather/providers/nasaPowerSource.js';
import { ManualClock } from '../../support/manualClock.js';
import { fakeFetch, json, plainWeather, powerAnswers, powerBody, powerUrl } from './fakeProviders.js';

const clock = new ManualClock('2026-06-15T12:00:00Z');
const place = { latitude: 42.03, longitude: -93.62 };
const span = { from: '2026-05-01', to: '2026-05-03' };
const days = ['2026-05-01', '2026-05-02', '2026-05-03'];

function source(answer: (url: URL) => Response) {
  const { fetch, calls } = fakeFetch(answer);
  return { source: nasaPowerSource({ fetch, clock, random: () => 0, dailyUrl: powerUrl }), calls };
}

describe('NASA POWER', () => {
  test('is asked for days by local solar time', async () => {
    const { source: power, calls } = source(powerAnswers(plainWeather));
    const answer = await power.archive!(place, span);
    expect(Object.fromEntries(calls[0]!.url.searchParams)).toEqual({
      parameters: 'T2M_MAX,T2M_MIN',
      community: 'AG',
      longitude: '-93.62',
      latitude: '42.03',
      start: '20260501',
      end: '20260503',
      format: 'JSON',
      'time-standard': 'LST',
    });
    expect(answer.days).toEqual(days.map((date) => ({ date, ...plainWeather(date), revision: 'final' })));
    expect(answer.origin).toMatchObject({
      provider: 'nasa-power',
      model: 'MERRA2, POWER',
      gridElevationM: 203,
      heightOf: 'cell',
      dayBoundary: 'solar',
      licence: 'free of charge, acknowledgement asked',
    });
    expect(answer.origin.attribution).toContain('NASA POWER');
  });

  describe('young days, which its quicker model stands in for', () => {
    const march = { from: '2026-03-20', to: '2026-06-10' };
    /** Answers as POWER does in mid-June: its header speaks for all days of an answer. */
    const inJune = (url: URL): Response => {
      const [start = '', end = ''] = ['start', 'end'].map((name) => url.searchParams.get(name) ?? '');
      const body = powerBody(daysOf({ from: dashed(start), to: dashed(end) }), plainWeather);
      const sources = [...(start < '20260501' ? ['MERRA2'] : []), ...(end >= '20260501' ? ['GEOSIT'] : []), 'POWER'];
      return json({ ...body, header: { ...body.header, sources } });
    };
    const dashed = (day: string): string => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');

    test('are asked for apart, so that the older ones can be known for final', async () => {
      const { source: power, calls } = source(inJune);
      const answer = await power.archive!(place, march);
      expect(calls.map(({ url }) => [url.searchParams.get('start'), url.searchParams.get('end')])).toEqual([
        ['20260320', '20260331'],
        ['20260401', '20260610'],
      ]);
      expect(answer.days).toHaveLength(83);
      expect(answer.days.findLast(({ revision }) => revision === 'final')?.date).toBe('2026-03-31');
      expect(answer.days.find(({ revision }) => revision === 'preliminary')?.date).toBe('2026-04-01');
      expect(answer.origin.model).toBe('MERRA2, POWER, GEOSIT');
    });

    test.each([
      { why: 'version 2.5', sources: ['merra2'], revision: 'final' },
      { why: 'version 2.8', sources: ['POWER', 'MERRA2'], revision: 'final' },
      { why: 'the name that NASA itself writes', sources: ['MERRA-2', 'CERES SYN1deg'], revision: 'final' },
      { why: 'the quicker model, version 2.10', sources: ['FLASHFLUX', 'GEOSIT', 'POWER'], revision: 'preliminary' },
      { why: 'both models in lower case', sources: ['merra2', 'geosit', 'power'], revision: 'preliminary' },
      { why: 'both models with a hyphen', sources: ['MERRA-2', 'GEOS-IT'], revision: 'preliminary' },
    ])('are $revision when the header names $sources: $why', async ({ sources, revision }) => {
      const body = powerBody(days, plainWeather);
      const { source: power } = source(() => json({ ...body, header: { ...body.header, sources } }));
      expect((await power.archive!(place, span)).days.map((day) => day.revision)).toEqual(Array(3).fill(revision));
    });

    test('are final in no answer that does not say so', async () => {
      const body = powerBody(days, plainWeather);
      const { source: power } = source(() => json({ ...body, header: { ...body.header, sources: undefined } }));
      expect((await power.archive!(place, span)).days.map(({ revision }) => revision)).toEqual(
        Array(3).fill('preliminary'),
      );
    });
  });

  test('has no forecast', () => {
    expect(source(powerAnswers(plainWeather)).source).not.toHaveProperty('forecast');
  });

  test('the newest days arrive as fill values and are missing', async () => {
    const late = source(powerAnswers((date) => (date > '2026-05-01' ? undefined : plainWeather(date))));
    const answer = await late.source.archive!(place, span);
    expect(answer.days.map(({ date }) => date)).toEqual(['2026-05-01']);
  });

  test('the fill value is the one the header names', async () => {
    const body = powerBody(days, plainWeather);
    body.header.fill_value = -99;
    body.properties.parameter.T2M_MIN['20260502'] = -99;
    body.properties.parameter.T2M_MAX['20260502'] = -99;
    const warm = powerBody(['2026-05-01'], () => ({ minC: 10, maxC: 20 }));
    warm.header.fill_value = 20; // a header that calls 20 °C missing is taken at its word
    expect((await source(() => json(body)).source.archive!(place, span)).days).toHaveLength(2);
    expect((await source(() => json(warm)).source.archive!(place, span)).days).toHaveLength(0);
  });

  test('a height that is a fill value, too, is no height', async () => {
    const { source: power } = source(() => json(powerBody(days, plainWeather, -999)));
    expect((await power.archive!(place, span)).origin).not.toHaveProperty('gridElevationM');
  });

  test('days before 1981 are not asked for', async () => {
    const { source: power, calls } = source(powerAnswers(plainWeather));
    await power.archive!(place, { from: '1980-12-01', to: '1981-01-02' });
    expect(calls[0]?.url.searchParams.get('start')).toBe('19810101');
    await expect(power.archive!(place, { from: '1970-01-01', to: '1970-02-01' })).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(calls).toHaveLength(1);
  });

  test.each([
    { why: 'kelvin', spoil: { parameters: { T2M_MAX: { units: 'K' }, T2M_MIN: { units: 'K' } } } },
    { why: 'days by UTC', spoil: { header: { fill_value: -999, time_standard: 'UTC' } } },
    { why: 'no minima', spoil: { properties: { parameter: { T2M_MAX: { '20260501': 1 } } } } },
    {
      why: 'a day that does not exist',
      spoil: { properties: { parameter: { T2M_MAX: { '20260231': 20 }, T2M_MIN: { '20260231': 10 } } } },
    },
    { why: 'no place', spoil: { geometry: { type: 'Point', coordinates: [] } } },
  ])('an answer with $why is refused as a whole', async ({ spoil }) => {
    const { source: power } = source(() => json({ ...powerBody(days, plainWeather), ...spoil }));
    await expect(power.archive!(place, span)).rejects.toMatchObject({ name: 'WeatherError', kind: 'invalid' });
  });
});
