import { app, type HttpMethod, type HttpResponseInit, type InvocationContext } from '@azure/functions';
import { readConfig, type Config } from './settings/config.js';
import { commonFaults } from '../kit/errors/catalogue.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { codeOf, errorBody, type ErrorShape } from '../kit/errors/wire.js';
import { loadedOnce } from '../kit/loadedOnce.js';
import type { WriteLine } from '../kit/telemetry/trace.js';
import { traceFrom } from '../kit/telemetry/traceContext.js';
import type { Manifest } from '../http/triggers/manifest.js';
import type { Runtime } from './runtime.js';

/**
 * The answer while the functions can't be loaded, in the shape of the operation's errors. In streaming mode the host leaves
 * a caller hanging for minutes when its function throws, so none does.
 */
function notLoaded(errors: ErrorShape, traceparent: string | null): HttpResponseInit {
  const { unavailable } = commonFaults;
  const error = new ServiceError(unavailable, 'The service is starting and could not load its functions yet.');
  return {
    status: unavailable.status,
    headers: { 'retry-after': String(unavailable.retryAfterSeconds), 'x-ms-error-code': codeOf(unavailable, errors) },
    jsonBody: errorBody(error, errors, traceFrom(traceparent).traceId),
  };
}

/**
 * Registers every function with the host. The settings are read here, so that a wrong one stops the start. What the
 * functions need is loaded after that, in the background: a cold start waits for the list of functions only.
 */
export function register(manifest: Manifest, load: (config: Config) => Promise<Runtime>): void {
  const config = readConfig();
  const runtime = loadedOnce(() => load(config));

  app.setup({ enableHttpStream: true });
  app.hook.appStart(() => {
    // A failed load shows at the first call, which tries it and says why.
    runtime().catch(() => undefined);
  });
  for (const { name, path, methods, errors } of manifest.routes) {
    app.http(name, {
      methods: [...methods] as HttpMethod[],
      authLevel: 'anonymous',
      route: path,
      handler: async (request, context) => {
        const loaded = await runtime().catch((cause: unknown) => {
          context.error('The functions could not be loaded; the next call tries it again.', cause);
        });
        if (loaded === undefined) return notLoaded(errors, request.headers.get('traceparent'));
        return loaded.request(name, request, linesOf(context));
      },
    });
  }
  for (const { name, queue, connection } of manifest.queues) {
    app.storageQueue(name, {
      queueName: queue,
      connection,
      handler: async (message: unknown, context) =>
        (await runtime()).message(name, message, { write: linesOf(context), ...insertionOf(context) }),
    });
  }
  for (const { name, schedule } of manifest.timers) {
    // Not at each start: the platform drops an idle instance after half a minute, and each tick would start another one.
    app.timer(name, {
      schedule,
      handler: async (_timer, context) => (await runtime()).tick(name, linesOf(context)),
    });
  }
}

const linesOf =
  (context: InvocationContext): WriteLine =>
  (line) => {
    context.log(line);
  };

/** When the message was sent, as far as the host tells. */
function insertionOf({ triggerMetadata }: InvocationContext): { readonly insertedAt?: number } {
  const insertedAt = Date.parse(String(triggerMetadata?.['insertionTime']));
  return Number.isNaN(insertedAt) ? {} : { insertedAt };
}
