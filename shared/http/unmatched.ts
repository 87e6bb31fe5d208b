import { commonFaults } from '../kit/errors/catalogue.js';
import { farmFaults } from '../kit/errors/farmFaults.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { Type } from 'typebox';
import type { Answer } from '../kit/answer/answer.js';
import { methodsOf, routeFor, type Route } from './route.js';
import type { RequestPorts } from './surroundings.js';

/** Methods of the catch-all function; the host keeps the others away from every function. */
export const UNMATCHED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/**
 * The routes that answer what no other function does: OPTIONS with the methods of a path, 405 with the same for a path
 * that exists with another method, else 404. Those for the paths of jobs, of operators and of farm data have the error shape of jobs,
 * the one for the rest has that of area C.
 *
 * No other site's pages may call the service, so nothing is said to them about it: no Access-Control header, ever.
 */
export function unmatched(routes: readonly Route[]): readonly Route<RequestPorts>[] {
  const patterns = routes.map((each) => ({ methods: methodsOf(each), pattern: patternOf(each.path) }));
  const answerFor =
    (prefix: string, noSuchPath: (path: string) => ServiceError = nothingAt) =>
    ({ path, method }: Unmatched): Answer => {
      const full = `${prefix}${path}`;
      const methods = patterns.filter(({ pattern }) => pattern.test(full)).flatMap((each) => each.methods);
      // What takes the method is another path, which only looks like this one: else its function would have been asked.
      if (methods.length === 0 || methods.includes(method)) throw noSuchPath(full);
      const allowed = [...new Set([...methods, 'OPTIONS'])].join(', ');
      if (method === 'OPTIONS') return { status: 204, headers: { allow: allowed } };
      throw new ServiceError(commonFaults.methodNotAllowed, `This path takes ${allowed} only.`, {
        headers: { allow: allowed },
      });
    };
  // Their names sort behind every other function's: the host tries routes in that order.
  return [
    catchAll('zUnmatchedOperate', 'operate/{*path}', 'jobs', answerFor('operate/')),
    catchAll('zUnmatchedSolutions', 'solutions/{*path}', 'jobs', answerFor('solutions/')),
    ...Object.entries(farmPaths).map(([name, path]) =>
      catchAll(name, path, 'jobs', answerFor(path.replace('{*path}', ''), noFarmData)),
    ),
    catchAll('zzUnmatched', '{*path}', 'enrollments', (asked) => consoleOf(asked) ?? answerFor('')(asked)),
  ];
}

/** Here lie the operations on farm data, and below `scenes` those that data managers have beside them. */
const farmPaths = {
  zUnmatchedParties: 'parties/{*path}',
  zUnmatchedFarms: 'farms/{*path}',
  zUnmatchedFields: 'fields/{*path}',
  zUnmatchedFieldsSearch: 'fields:search',
  zUnmatchedScenes: 'scenes/{*path}',
} as const;

/** What data managers serve besides, by a segment of its path, and what a caller of this one does instead. */
const instead: Readonly<Record<string, string>> = {
  scenes: 'This service hands out no scenes. Images of fields: POST /v1/enrollments.',
  boundaries: 'The boundary of a field is its `geometry`: PATCH /parties/{partyId}/fields/{fieldId}.',
  'seasonal-fields': 'There are no seasons: a degree-day job names crop and days itself.',
};

const nothingAt = (): ServiceError =>
  new ServiceError(commonFaults.notFound, 'No operation has this path. GET /docs lists them.');

function noFarmData(path: string): ServiceError {
  const hint = path.split('/').find((segment) => Object.hasOwn(instead, segment));
  const text = hint === undefined ? 'No operation on farm data has this path.' : (instead[hint] ?? '');
  return new ServiceError(farmFaults.resourceNotFound, `${text} GET /docs lists all operations.`);
}

/** What no function has matched. */
interface Unmatched {
  readonly path: string;
  readonly method: string;
  readonly hasConsole: boolean;
}

/** Whoever opens the address of the service itself means the console. */
function consoleOf({ path, method, hasConsole }: Unmatched): Answer | undefined {
  const isOpened = path === '' && (method === 'GET' || method === 'HEAD');
  return hasConsole && isOpened ? { status: 302, headers: { location: '/console/' } } : undefined;
}

function catchAll(
  name: string,
  path: string,
  errors: Route['errors'],
  answer: (asked: Unmatched) => Answer,
): Route<RequestPorts> {
  return routeFor<RequestPorts>()({
    name,
    method: 'GET',
    path,
    caller: 'nobody',
    tag: 'none',
    summary: 'Answers unknown paths and methods',
    errors,
    success: { status: 404, description: 'Never', content: { 'application/json': { schema: Type.Object({}) } } },
    faults: [commonFaults.notFound, commonFaults.methodNotAllowed],
    handle: ({ params, method }, { config }) =>
      Promise.resolve(answer({ path: params['path'] ?? '', method, hasConsole: config.CONSOLE })),
  });
}

/** As the host matches: letters of either case, a trailing slash is welcome, a parameter is one segment, no empty one. */
function patternOf(path: string): RegExp {
  const source = path
    .replaceAll(/[.+?^$()|[\]\\]/g, '\\$&')
    .replaceAll(/\/\{\*[^}]+\}/g, '(/(?!/).*)?')
    .replaceAll(/\{[^}]+\}/g, '[^/]+');
  return new RegExp(`^${source}/?$`, 'i');
}
