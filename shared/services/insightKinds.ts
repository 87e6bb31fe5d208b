import { gddCsv } from '../gdd/gddCsv.js';
import { isGddRecord } from '../gdd/gddRecord.js';
import { gddPublication } from '../gdd/publishGdd.js';
import { gddChart } from '../gdd/chart/gddChart.js';
import type { Publication, StoredInsight } from '../insights/parts/insight.js';
import type { Representation } from '../insights/readInsight.js';
import type { JsonObject } from '../json.js';
import { COG_TYPE } from '../raster/encodeCog.js';
import { boundaryGeoJson } from '../smartBoundary/boundaryGeoJson.js';
import { boundaryPublication } from '../smartBoundary/boundaryInsight.js';
import { isBoundaryRecord } from '../smartBoundary/boundaryRecord.js';

/** What the data manager got of one of our records; undefined for a record of another kind. */
export function publicationOf(record: JsonObject): Publication | undefined {
  if (isGddRecord(record)) return gddPublication(record);
  return isBoundaryRecord(record) ? boundaryPublication(record) : undefined;
}

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
