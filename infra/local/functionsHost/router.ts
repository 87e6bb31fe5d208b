import { compileRoute, type RouteMatcher } from './routeTemplate.js';
import type { Binding } from './rpc.js';

/** A function with an HTTP trigger. */
export interface HttpFunction {
  readonly name: string;
  readonly trigger: Binding;
}

/** The function that answers a request, and the values of its route parameters as the template spells them. */
export interface RouteMatch<F extends HttpFunction> {
  readonly function: F;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the function for a method and a decoded path; undefined is the host's empty 404. */
export type Router<F extends HttpFunction> = (method: string, path: string) => RouteMatch<F> | undefined;

/** Is told which function is not served, and why; the host serves the others all the same. */
export type InError = (name: string, why: string) => void;

interface Route<F> {
  readonly function: F;
  readonly template: string;
  readonly methods: ReadonlySet<string> | undefined;
  readonly match: RouteMatcher;
}

/** Compared by code unit, as .NET's ordinal order does; not by language. */
const ordinal = (left: string, right: string): number => (left < right ? -1 : Number(left > right));

function routeOf<F extends HttpFunction>(prefix: string, entry: F): Route<F> {
  const { route, methods } = entry.trigger;
  const own = typeof route === 'string' && route !== '' ? route : entry.name;
  const template = prefix === '' ? own : `${prefix}/${own}`;
  if (/^\/?(admin|runtime)/i.test(template)) {
    throw new Error(`The route "${template}" of ${entry.name} begins with a segment the host keeps for itself.`);
  }
  const listed = Array.isArray(methods) ? methods.map((method) => String(method).toUpperCase()) : [];
  const match = compileRoute(template);
  return { function: entry, template, methods: listed.length === 0 ? undefined : new Set(listed), match };
}

/** Two functions with one route and a method in common: letters of either case, outer slashes do not count. */
function conflict<F>(left: Route<F>, right: Route<F>): boolean {
  const [one, other] = [left, right].map(({ template }) => template.replaceAll(/^\/+|\/+$/g, '').toUpperCase());
  if (one !== other) return false;
  const [methods, others] = [left.methods, right.methods];
  return methods === undefined || others === undefined || [...methods].some((method) => others.has(method));
}

/**
 * Routes requests as the host does: templates are tried in the order of the function names, and the first whose
 * template and method fit answers. There is no rule that literals go before parameters. A function whose route and
 * method an earlier one has is not served.
 */
export function createRouter<F extends HttpFunction>(
  prefix: string,
  functions: readonly F[],
  inError: InError,
): Router<F> {
  const routes: Route<F>[] = [];
  for (const entry of functions.toSorted((left, right) => ordinal(left.name.toUpperCase(), right.name.toUpperCase()))) {
    const route = routeOf(prefix, entry);
    const earlier = routes.find((other) => conflict(route, other));
    if (earlier === undefined) routes.push(route);
    else inError(entry.name, `has a route and a method in common with ${earlier.function.name}.`);
  }
  return (method, path) => {
    for (const route of routes) {
      if (route.methods?.has(method) === false) continue;
      const params = route.match(path);
      if (params !== undefined) return { function: route.function, params };
    }
    return undefined;
  };
}
