import type { StoredInsight } from './insightPorts.js';

/** How a representation comes about: made from the record, or stored beside it by the job. */
export type Representation = (() => string) | 'file';

/** The representations of an insight by content type, the default first. */
export function representationsOf({ record }: StoredInsight): Readonly<Record<string, Representation>> {
  return { 'application/json; charset=utf-8': () => JSON.stringify(record) };
}
