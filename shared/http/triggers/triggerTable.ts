import type { TSchema } from 'typebox';
import { UNMATCHED_METHODS, unmatched } from '../unmatched.js';
import { methodsOf, type Route } from '../route.js';
import type { Manifest } from './manifest.js';
import type { QueueFunction } from './queueFunction.js';
import type { TimerFunction } from './timerFunction.js';
import type { RequestPorts } from '../surroundings.js';
import type { Duty } from '../../work/upkeep/duty.js';

/** Every function of the service, by kind of trigger; without its services for whoever only reads what they declare. */
export interface FunctionTable<S = never> {
  /** Operations: what the OpenAPI document lists. */
  readonly routes: readonly Route<S>[];
  /** What only the console asks for. */
  readonly pages: readonly Route<S>[];
  readonly queues: readonly QueueFunction<TSchema, S>[];
  readonly timers: readonly TimerFunction<S>[];
  /** What the service does of itself at fixed times, as work: no function of the host. */
  readonly duties: readonly Duty<S>[];
}

/**
 * The routes of the table with those that answer what no other does, each with its methods. No two have both a route and
 * a method: the host would not serve the second of them.
 */
export function servedRoutes<S extends RequestPorts>({
  routes,
  pages,
}: FunctionTable<S>): { readonly route: Route<S>; readonly methods: readonly string[] }[] {
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
