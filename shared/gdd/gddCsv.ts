import type { GddRecord } from './gddRecord.js';

/**
 * The daily series of a record as CSV (RFC 4180): a header line, then one line a day, comma and CRLF. Units stand in
 * the names of the columns; temperatures are empty on days that rest on normals.
 */
export function gddCsv({ daily, normal, temperatureUnit }: GddRecord): string {
  const unit = temperatureUnit.toLowerCase();
  const header = [
    'date',
    `tmin_${unit}`,
    `tmax_${unit}`,
    `gdd_${unit}_days`,
    `cumulative_gdd_${unit}_days`,
    'source',
    `normal_cumulative_gdd_${unit}_days`,
  ];
  const rows = daily.map(({ date, tmin, tmax, gdd, cumulative, source }, index) =>
    [date, tmin ?? '', tmax ?? '', gdd, cumulative, source, normal?.cumulative.mean[index] ?? ''].join(','),
  );
  return [header.join(','), ...rows, ''].join('\r\n');
}
