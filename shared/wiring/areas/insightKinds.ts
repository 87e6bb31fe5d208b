import { gddCsv } from '../../gdd/record/gddCsv.js';
import { isGddRecord } from '../../gdd/form/gddRecord.js';
import { gddPublication } from '../../gdd/record/publishGdd.js';
import { gddChart } from '../../gdd/chart/gddChart.js';
import type { Publication, StoredInsight } from '../../jobs/insight/jobInsight.js';
import type { Representation } from '../../jobs/insight/readInsight.js';
import type { JsonObject } from '../../kit/json/json.js';
import { COG_TYPE } from '../../raster/write/encodeCog.js';
import { boundaryGeoJson } from '../../boundary/record/boundaryGeoJson.js';
import { boundaryPublication } from '../../boundary/record/boundaryInsight.js';
import { isBoundaryRecord } from '../../boundary/record/boundaryRecord.js';

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
