import type { CommonFilters, TimeFilter } from './landFilters.js';
import { invalidRequest } from './resourceRules.js';
import { wireInstantOf } from './wireTime.js';

/** Filters as the wire has them, from a query or the body of a search; null means the same as nothing. */
export type WireFilters = Readonly<Record<string, unknown>>;

const MOST_VALUES = 100;

/** The filters that every list takes. @throws ServiceError 400 */
export function commonFiltersOf(wire: WireFilters): CommonFilters {
  return {
    ids: listIn(wire, 'ids'),
    names: textsIn(wire, 'names'),
    statuses: listIn(wire, 'statuses'),
    propertyFilters: textsIn(wire, 'propertyFilters'),
    created: periodIn(wire, 'CreatedDateTime'),
    modified: periodIn(wire, 'LastModifiedDateTime'),
  };
}

/** Values given apart or joined by commas: clients do both. Undefined when there are none. */
export function listIn(wire: WireFilters, name: string): readonly string[] | undefined {
  return fewEnough(
    name,
    valuesIn(wire, name)?.flatMap((value) => value.split(',')),
  );
}

/** Values that may hold commas: each as it is, and its parts. */
export function textsIn(wire: WireFilters, name: string): readonly string[] | undefined {
  const values = valuesIn(wire, name);
  return fewEnough(
    name,
    values?.flatMap((value) => (value.includes(',') ? [value, ...value.split(',')] : [value])),
  );
}

/** @throws ServiceError 400 for a bound that is no time */
export function periodIn(wire: WireFilters, name: string): TimeFilter | undefined {
  const [from, to] = [boundIn(wire, `min${name}`), boundIn(wire, `max${name}`)];
  return from === undefined && to === undefined ? undefined : { from, to };
}

function boundIn(wire: WireFilters, name: string): number | undefined {
  const value = wire[name] ?? undefined;
  if (value === undefined) return undefined;
  // A plus sign of an offset becomes a space where a client does not escape it.
  const at = typeof value === 'string' ? wireInstantOf(value.replace(' ', '+')) : undefined;
  if (at === undefined) throw invalidRequest(`${name} must be a time such as 2026-05-01T00:00:00Z (RFC 3339).`);
  return at;
}

function valuesIn(wire: WireFilters, name: string): readonly string[] | undefined {
  const value = wire[name] ?? undefined;
  return value === undefined ? undefined : [value].flat().map(String);
}

function fewEnough(name: string, values: readonly string[] | undefined): readonly string[] | undefined {
  if (values === undefined || values.length <= MOST_VALUES) return values;
  throw invalidRequest(`${name} has ${values.length} values; at most ${MOST_VALUES} are taken.`);
}
