import type { TSchema } from 'typebox';
import { UNMATCHED_METHODS, unmatched } from '../http/unmatched.js';
import { methodsOf, type Route } from '../http/route.js';
import type { Manifest } from './manifest.js';
import type { QueueFunction } from './queueFunction.js';
import type { ServiceDuty, TimerFunction } from './timerFunction.js';

/** Every function of the service, by kind of trigger. */
export interface FunctionTable {
  /** Operations: what the OpenAPI document lists. */
  readonly routes: readonly Route[];
  /** What only the console asks for. */
  readonly pages: readonly Route[];
  readonly queues: readonly QueueFunction<TSchema>[];
  readonly timers: readonly TimerFunction[];
  /** What the service does of itself at fixed times, as work: no function of the host. */
  readonly duties: readonly ServiceDuty[];
}

/**
 * The routes of the table with those that answer what no other does, each with its methods. No two have both a route and
 * a method: the host would not serve the second of them.
 */
export function servedRoutes({
  routes,
  pages,
}: FunctionTable): { readonly route: Route; readonly methods: readonly string[] }[] {
  const served = [...routes, ...pages];
  return [
    ...served.map((route) => ({ route, methods: methodsOf(route) })),
    ...unmatched(served).map((route) => {
      const taken = served.filter(({ path }) => path === route.path).flatMap(methodsOf);
      return { route, methods: UNMATCHED_METHODS.filter((method) => !taken.includes(method)) };
    }),
  ];
}

/** What the host must know of each function; the bundler writes it into the file that the host loads. */
export function manifestOf(table: FunctionTable): Manifest {
  return {
    routes: servedRoutes(table).map(({ route: { name, path, errors }, methods }) => ({ name, path, methods, errors })),
    queues: table.queues.map(({ name, queue, connection }) => ({ name, queue, connection })),
    timers: table.timers.map(({ name, schedule }) => ({ name, schedule })),
  };
}
