import { describe, expect, test } from '@jest/globals';
import { gddCsv } from '../../shared/gdd/gddCsv.js';
import { lateBy, openMeteoAnswers, plainWeather } from '../weather/fakeProviders.js';
import { jobWorld } from './gddJobUnderTest.js';

const { run } = jobWorld({
  answer: (url, { clock }) =>
    openMeteoAnswers({ clock, archive: lateBy(clock, 5, plainWeather), forecast: plainWeather })(url),
});

describe('the daily series as CSV', () => {
  test('has a line for each day, units in the header, CRLF at every end', async () => {
    const record = await run({ temperatureUnit: 'F' });
    const lines = gddCsv(record).split('\r\n');
    expect(lines[0]).toBe('date,tmin_f,tmax_f,gdd_f_days,cumulative_gdd_f_days,source,normal_cumulative_gdd_f_days');
    expect(lines).toHaveLength(record.daily.length + 2);
    expect(lines.at(-1)).toBe('');
  });

  test('gives back the record’s figures', async () => {
    const record = await run();
    const rows = gddCsv(record)
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(','));
    for (const [index, [date, tmin, tmax, gdd, cumulative, source, normal]] of rows.entries()) {
      const day = record.daily[index]!;
      expect({ date, gdd: Number(gdd), cumulative: Number(cumulative), source }).toEqual({
        date: day.date,
        gdd: day.gdd,
        cumulative: day.cumulative,
        source: day.source,
      });
      expect(tmin).toBe(day.tmin === null ? '' : String(day.tmin));
      expect(tmax).toBe(day.tmax === null ? '' : String(day.tmax));
      expect(Number(normal)).toBe(record.normal!.cumulative.mean[index]);
    }
  });

  test('leaves the normals empty where there are none', async () => {
    const { normal: _normal, ...record } = await run({ gddStartDate: '2025-07-01', gddEndDate: '2025-07-02' });
    const lines = gddCsv(record).trim().split('\r\n').slice(1);
    expect(lines.every((line) => line.endsWith(',OBSERVED,'))).toBe(true);
  });
});
