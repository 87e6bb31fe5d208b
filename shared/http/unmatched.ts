import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import { Type } from 'typebox';
import { route, type Route } from './route.js';

/** Methods of the catch-all function; the host keeps the others away from every function. */
export const UNMATCHED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/**
 * The routes that answer what no other function does: 404, or 405 with `Allow` for a path that exists with another
 * method. One for the paths below /solutions/ in the error shape of the jobs, one for the rest in that of area C.
 */
export function unmatched(routes: readonly Route[]): { readonly solutions: Route; readonly others: Route } {
  const patterns = routes.map(({ path, method }) => ({ method, pattern: patternOf(path) }));
  const refuse =
    (prefix: string) =>
    (path: string): never => {
      const full = `${prefix}${path}`;
      const allowed = patterns.filter(({ pattern }) => pattern.test(full)).map(({ method }) => method);
      if (allowed.length === 0)
        throw new ServiceError(commonFaults.notFound, 'No operation has this path. GET /docs lists them.');
      const allow = [...new Set(allowed)].join(', ');
      throw new ServiceError(commonFaults.methodNotAllowed, `This path takes ${allow} only.`, {
        headers: { Allow: allow },
      });
    };
  return {
    // Their names sort behind every other function's: the host tries routes in that order.
    solutions: catchAll('zUnmatchedSolutions', 'solutions/{*path}', 'jobs', refuse('solutions/')),
    others: catchAll('zzUnmatched', '{*path}', 'enrollments', refuse('')),
  };
}

function catchAll(name: string, path: string, errors: Route['errors'], refuse: (path: string) => never): Route {
  return route({
    name,
    method: 'GET',
    path,
    caller: 'nobody',
    tag: 'none',
    summary: 'Answers unknown paths and methods',
    errors,
    success: { status: 404, description: 'Never', content: { 'application/json': { schema: Type.Object({}) } } },
    faults: [commonFaults.notFound, commonFaults.methodNotAllowed],
    handle: ({ params }) => refuse(params['path'] ?? ''),
  });
}

/** As the host matches: letters of either case, a trailing slash is welcome, a parameter is one segment. */
function patternOf(path: string): RegExp {
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}
