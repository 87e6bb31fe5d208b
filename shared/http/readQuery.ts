import { Type, type TSchema } from 'typebox';
import { commonFaults } from '../errors/catalogue.js';
import type { Fault } from '../errors/fault.js';
import { invalidInput } from '../errors/invalidInput.js';
import { ServiceError } from '../errors/serviceError.js';
import { faultsOf } from '../validation/validator.js';
import type { Route } from './route.js';

/** The query parameters of a route, by name. */
export function queryProperties({ query }: Pick<Route, 'query'>): Readonly<Record<string, TSchema>> {
  return query === undefined ? {} : (query as unknown as { readonly properties: Record<string, TSchema> }).properties;
}

/**
 * The declared query parameters, whole numbers and truth values converted; whatever else the query holds is ignored.
 *
 * @throws ServiceError that names every fault, a parameter given twice included: 422 in area C, 400 of an operation on jobs
 */
export function queryOf(
  route: Pick<Route, 'query' | 'errors' | 'queryFault'>,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const properties = queryProperties(route);
  if (route.queryFault !== undefined) refuseUnknown(Object.keys(properties), query, route.queryFault);
  if (route.query === undefined) return {};
  const given = givenValues(properties, query);
  const details = faultsOf(Type.Object({ query: route.query }), { query: given });
  if (details.length === 0) return given;
  if (route.errors === 'enrollments') throw invalidInput(details);
  throw new ServiceError(route.queryFault ?? commonFaults.badRequest, details.map(({ msg }) => `${msg}.`).join(' '));
}

/** Values by name. Given twice, a parameter stays the list it is, which no schema but that of a list takes. */
function givenValues(
  properties: Readonly<Record<string, TSchema>>,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    const values = query.getAll(name);
    if (values.length === 0) return [];
    return [[name, values.length > 1 || isList(schema) ? values : converted(values[0] ?? '', schema)]];
  });
  return Object.fromEntries(given);
}

const isList = (schema: TSchema): boolean => (schema as { readonly type?: string }).type === 'array';

/** A filter that is misspelt must not answer everything. */
function refuseUnknown(known: readonly string[], query: URLSearchParams, fault: Fault): void {
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const text = `The query parameter ${unknown.slice(0, 64)} is unknown; this operation takes ${known.join(', ')}.`;
  throw new ServiceError(fault, text);
}

function converted(text: string, schema: TSchema): unknown {
  const { type } = schema as { readonly type?: string };
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return type === 'integer' && /^-?\d+$/.test(text) ? wholeNumber(text) : text;
}

/** Numbers too large to be told apart are the largest that is: what clamps a large number clamps these as well. */
function wholeNumber(digits: string): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits)));
}
