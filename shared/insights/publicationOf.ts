import { isGddRecord } from '../gdd/gddRecord.js';
import { gddPublication } from '../gdd/publishGdd.js';
import type { JsonObject } from '../json.js';
import { boundaryPublication } from '../smartBoundary/boundaryInsight.js';
import { isBoundaryRecord } from '../smartBoundary/boundaryRecord.js';
import type { Publication } from './insight.js';

/** What the data manager is told of a stored record; undefined for a record of no kind of ours. */
export function publicationOf(record: JsonObject): Publication | undefined {
  if (isGddRecord(record)) return gddPublication(record);
  return isBoundaryRecord(record) ? boundaryPublication(record) : undefined;
}
