import { app, type InvocationContext, type Timer } from '@azure/functions';
import type { TSchema } from 'typebox';
import { readConfig } from '../config.js';
import type { Services } from '../services.js';
import type { WriteLine } from '../trace.js';
import { handleRequest } from '../http/handleRequest.js';
import { handleMessage, type QueueFunction } from './queueFunction.js';
import type { Route } from '../http/route.js';
import { handleTick, type TimerFunction } from './timerFunction.js';
import { UNMATCHED_METHODS, unmatched } from '../http/unmatched.js';

export interface FunctionTable {
  readonly routes: readonly Route[];
  readonly queues: readonly QueueFunction<TSchema>[];
  readonly timers: readonly TimerFunction[];
}

/** What an invocation has around it: the services, and its own log. */
export interface Surroundings {
  readonly getServices: () => Promise<Services>;
  readonly write: WriteLine;
}

/**
 * Registers every function with the host. The settings are read here, so that a wrong one stops the start; clients are
 * built at the first call, so that a start is quick.
 */
export function register({ routes, queues, timers }: FunctionTable): void {
  const config = readConfig();
  let services: Promise<Services> | undefined;
  const getServices = (): Promise<Services> =>
    (services ??= import('../services.js').then(({ createServices }) => createServices(config)));
  const surroundings = (context: InvocationContext): Surroundings => ({
    getServices,
    write: (line) => {
      context.log(line);
    },
  });

  app.setup({ enableHttpStream: true });
  for (const route of routes) registerRoute(route, [route.method], surroundings);
  const { solutions, others } = unmatched(routes);
  for (const route of [solutions, others]) registerRoute(route, UNMATCHED_METHODS, surroundings);
  for (const definition of queues) {
    app.storageQueue(definition.name, {
      queueName: definition.queue,
      connection: definition.connection,
      handler: (message: unknown, context: InvocationContext) => handleMessage(definition, message, surroundings(context)),
    });
  }
  for (const definition of timers) {
    app.timer(definition.name, {
      schedule: definition.schedule,
      runOnStartup: definition.runAtStart,
      handler: (_timer: Timer, context: InvocationContext) => handleTick(definition, surroundings(context)),
    });
  }
}

function registerRoute(
  route: Route,
  methods: readonly (typeof UNMATCHED_METHODS)[number][],
  surroundings: (context: InvocationContext) => Surroundings,
): void {
  app.http(route.name, {
    methods: [...methods],
    authLevel: 'anonymous',
    route: route.path,
    handler: (request, context) => handleRequest(route, request, surroundings(context)),
  });
}
