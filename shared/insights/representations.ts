import { gddCsv } from '../gdd/gddCsv.js';
import { isGddRecord } from '../gdd/gddRecord.js';
import { gddChart } from '../gdd/chart/gddChart.js';
import { COG_TYPE } from '../raster/encodeCog.js';
import { boundaryGeoJson } from '../smartBoundary/boundaryGeoJson.js';
import { isBoundaryRecord } from '../smartBoundary/boundaryRecord.js';
import type { StoredInsight } from './parts/insight.js';

/** How a representation is made: from the record, or as a file that the job has stored. */
export type Representation = (() => string) | 'file';

/** The representations of an insight by content type, the default first. */
export function representationsOf({ record }: StoredInsight): Readonly<Record<string, Representation>> {
  const json = { 'application/json; charset=utf-8': () => JSON.stringify(record) };
  if (isBoundaryRecord(record)) {
    const picture = record.picture === undefined ? {} : { [COG_TYPE]: 'file' as const };
    return { ...json, 'application/geo+json': () => boundaryGeoJson(record), 'image/svg+xml': 'file', ...picture };
  }
  if (!isGddRecord(record)) return json;
  return { ...json, 'text/csv; charset=utf-8': () => gddCsv(record), 'image/svg+xml': () => gddChart(record) };
}
