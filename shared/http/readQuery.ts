import { Type, type TSchema } from 'typebox';
import { commonFaults } from '../kit/errors/catalogue.js';
import { invalidInput } from '../kit/errors/invalidInput.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import type { FaultDetail } from '../kit/errors/fault.js';
import { faultsOf, MAX_FAULTS } from '../kit/validation/validator.js';
import type { Route } from './route.js';

/** The query parameters of a route, by name. */
export function queryProperties({ query }: Pick<Route, 'query'>): Readonly<Record<string, TSchema>> {
  return query === undefined ? {} : (query as unknown as { readonly properties: Record<string, TSchema> }).properties;
}

/**
 * The declared query parameters, numbers and truth values converted. Whatever else the query holds is refused, but
 * ignored by operations that declare none, and by those for nobody in particular.
 *
 * @throws ServiceError that names every fault, a parameter given twice included: 422 in area C, 400 of an operation on jobs
 */
export function queryOf(
  route: Pick<Route, 'caller' | 'query' | 'errors' | 'queryFault'>,
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  if (route.query === undefined) return {};
  const properties = queryProperties(route);
  const unknown = route.caller === 'nobody' ? [] : unknownIn(query, Object.keys(properties));
  const given = givenValues(properties, query);
  const details = [...unknown, ...faultsOf(Type.Object({ query: route.query }), { query: given })];
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
function unknownIn(query: URLSearchParams, known: readonly string[]): FaultDetail[] {
  const takes = known.length === 0 ? 'none' : known.join(', ');
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name)).slice(0, MAX_FAULTS);
  return unknown
    .map((name) => name.slice(0, 64))
    .map((name) => ({
      loc: ['query', name],
      msg: `The query parameter ${name} is unknown; this operation takes ${takes}`,
      type: 'unknown',
    }));
}

function converted(text: string, schema: TSchema): unknown {
  const { type } = schema as { readonly type?: string };
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return type === 'integer' && /^-?\d+$/.test(text) ? wholeNumber(text) : text;
}

/** Numbers too large to be told apart are the largest that is: what clamps a large number clamps these as well. */
function wholeNumber(digits: string): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits)));
}
