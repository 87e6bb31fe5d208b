import { Type, type TSchema } from 'typebox';
import { invalidInput } from '../errors/invalidInput.js';
import { faultsOf } from '../validation/validator.js';
import type { Route } from './route.js';

/** The query parameters of a route, by name. */
export function queryProperties({ query }: Pick<Route, 'query'>): Readonly<Record<string, TSchema>> {
  return query === undefined ? {} : (query as unknown as { readonly properties: Record<string, TSchema> }).properties;
}

/**
 * The declared query parameters, whole numbers converted; whatever else the query holds is ignored.
 *
 * @throws ServiceError 422 that names every fault, a parameter given twice included
 */
export function queryOf(route: Pick<Route, 'query'>, query: URLSearchParams): Readonly<Record<string, unknown>> {
  if (route.query === undefined) return {};
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(queryProperties(route))) {
    const values = query.getAll(name);
    // Given twice, the parameter stays the list it is, which no schema takes.
    if (values.length > 0) given[name] = values.length > 1 ? values : converted(values[0] ?? '', schema);
  }
  const details = faultsOf(Type.Object({ query: route.query }), { query: given });
  if (details.length === 0) return given;
  throw invalidInput(details);
}

function converted(text: string, schema: TSchema): unknown {
  const isNumber = (schema as { readonly type?: string }).type === 'integer' && /^-?\d{1,9}$/.test(text);
  return isNumber ? Number(text) : text;
}
