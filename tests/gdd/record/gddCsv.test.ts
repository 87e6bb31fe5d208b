import { describe, expect, test } from '@jest/globals';
import { gddCsv } from '../../../shared/gdd/record/gddCsv.js';
import type { Weather } from '../weather/fakeProviders.js';
import { lateBy, openMeteoAnswers, plainWeather } from '../weather/fakeProviders.js';
import { jobWorld } from '../gddJobUnderTest.js';

/** Rows by the names of their columns. */
function linesOf(csv: string): Record<string, string>[] {
  const [header = '', ...lines] = csv.trimEnd().split('\r\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((value, index) => [names[index]!, value])));
}

const { run } = jobWorld({
  answer: (url, { clock }) =>
    openMeteoAnswers({ clock, archive: lateBy(clock, 5, plainWeather), forecast: plainWeather })(url),
});

describe('the daily series as CSV', () => {
  test('has a line for each day, units in the header, CRLF at every end', async () => {
    const record = await run({ temperatureUnit: 'F' });
    const lines = gddCsv(record).split('\r\n');
    expect(lines[0]).toBe(
      'date,tmin_f,tmax_f,gdd_f_days,cumulative_gdd_f_days,source,normal_cumulative_gdd_f_days,' +
        'range_p10_gdd_f_days,range_p90_gdd_f_days,frost,stage,stage_interval,forecast_made_at,field_elevation_m',
    );
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
    expect(lines.every((line) => line.endsWith(',OBSERVED,,,,,,,,203'))).toBe(true);
  });

  test('tells range, frost, stages with their interval, when the forecast was made and the height of the field', async () => {
    const cold = jobWorld({
      answer: (url, { clock }) => {
        const weather: Weather = (date) => (date === '2026-06-01' ? { minC: -0.5, maxC: 15 } : plainWeather(date));
        return openMeteoAnswers({ clock, archive: lateBy(clock, 5, weather), forecast: weather })(url);
      },
    });
    const record = await cold.run();
    const rows = linesOf(gddCsv(record));
    const column = (name: string): string[] => rows.map((row) => row[name]!);
    const opens = record.daily.findIndex(({ date }) => date === record.range.from);
    expect(opens).toBeGreaterThan(100);
    expect(column('range_p10_gdd_c_days').map((text) => (text === '' ? null : Number(text)))).toEqual([
      ...Array<null>(opens).fill(null),
      ...record.range.cumulative!.p10,
    ]);
    expect(column('range_p90_gdd_c_days').at(-1)).toBe(String(record.range.p90));
    expect(rows.filter(({ frost }) => frost !== '').map(({ date, frost }) => [date, frost])).toEqual(
      record.frost.map(({ date, severity }) => [date, severity]),
    );
    expect(record.frost.map(({ date }) => date)).toContain('2026-06-01');
    const reached = record.stages.filter(({ date }) => date !== null);
    expect(column('stage').filter((codes) => codes !== '')).toEqual(reached.map(({ code }) => code));
    const intervals = column('stage_interval').filter((interval) => interval !== '');
    expect(intervals).toEqual(
      reached.map(({ date, earliest, latest }) =>
        earliest === latest ? date : `${earliest ?? '..'}/${latest ?? '..'}`,
      ),
    );
    expect(new Set(rows.map((row) => [row['source'] === 'FORECAST', row['forecast_made_at']].join()))).toEqual(
      new Set(['false,', 'true,2026-08-28T17:00:00.000Z']),
    );
    expect(new Set(column('field_elevation_m'))).toEqual(new Set(['203']));
  });
});
