import { csvText, type CsvValue } from '../../kit/csvText.js';
import type { GddRecord } from '../form/gddRecord.js';

/**
 * The daily series of a record as CSV: a header line, then one line a day, with units in the names of the columns.
 * Temperatures are empty on days that rest on normals, the range on days whose running sum is certain. Several stages of a
 * day are separated by `; `. The interval of a stage is `earliest/latest` with `..` for an open end, or its one certain day.
 */
export function gddCsv(record: GddRecord): string {
  const unit = record.temperatureUnit.toLowerCase();
  const header = [
    'date',
    `tmin_${unit}`,
    `tmax_${unit}`,
    `gdd_${unit}_days`,
    `cumulative_gdd_${unit}_days`,
    'source',
    `normal_cumulative_gdd_${unit}_days`,
    `range_p10_gdd_${unit}_days`,
    `range_p90_gdd_${unit}_days`,
    'frost',
    'stage',
    'stage_interval',
    'forecast_made_at',
    'field_elevation_m',
  ];
  return csvText([header, ...rowsOf(record)]);
}

function rowsOf(record: GddRecord): CsvValue[][] {
  const { daily, normal, range, frost, sources, location } = record;
  const opens = daily.findIndex(({ date }) => date === range.from);
  const severities = new Map(frost.map(({ date, severity }) => [date, severity]));
  const forecastMadeAt = sources.find(({ product }) => product === 'forecast')?.retrievedAt;
  return daily.map(({ date, tmin, tmax, gdd, cumulative, source }, index) => [
    ...[date, tmin, tmax, gdd, cumulative, source],
    normal?.cumulative.mean[index],
    range.cumulative?.p10[index - opens],
    range.cumulative?.p90[index - opens],
    severities.get(date),
    ...stagesOn(record, date),
    source === 'FORECAST' ? forecastMadeAt : undefined,
    location.elevationM,
  ]);
}

/** Codes of the stages of a day, and the intervals in which eight of ten seasons reach them. */
function stagesOn({ stages }: GddRecord, day: string): [codes: string, intervals: string] {
  const reached = stages.filter(({ date }) => date === day);
  const intervalOf = ({ earliest, latest }: (typeof stages)[number]): string =>
    earliest === latest ? day : `${earliest ?? '..'}/${latest ?? '..'}`;
  return [reached.map(({ code }) => code).join('; '), reached.map(intervalOf).join('; ')];
}
