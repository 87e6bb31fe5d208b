import { gddCsv } from '../gdd/gddCsv.js';
import type { GddRecord } from '../gdd/gddRecord.js';
import { gddChart } from './gddChart.js';
import type { StoredInsight } from './insightPorts.js';

/** How a representation comes about: made from the record, or stored beside it by the job. */
export type Representation = (() => string) | 'file';

/** The representations of an insight by content type, the default first. */
export function representationsOf({ job, record }: StoredInsight): Readonly<Record<string, Representation>> {
  const json = { 'application/json; charset=utf-8': () => JSON.stringify(record) };
  if (job.solution !== 'partnerAgPowered.gdd') return json;
  // The solution of the job tells the form of its record; no other code writes one.
  const gdd = record as unknown as GddRecord;
  return { ...json, 'text/csv; charset=utf-8': () => gddCsv(gdd), 'image/svg+xml': () => gddChart(gdd) };
}
