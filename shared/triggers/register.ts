import { app, type HttpMethod, type InvocationContext } from '@azure/functions';
import { readConfig, type Config } from '../config.js';
import { loadedOnce } from '../loadedOnce.js';
import type { WriteLine } from '../telemetry/trace.js';
import type { Manifest } from './manifest.js';
import type { Runtime } from './runtime.js';

/** In streaming mode the host leaves a caller hanging for minutes when its function throws, so that one never does. */
const NOT_LOADED = { status: 503, headers: { 'retry-after': '5' } };

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
  for (const { name, path, methods } of manifest.routes) {
    app.http(name, {
      methods: [...methods] as HttpMethod[],
      authLevel: 'anonymous',
      route: path,
      handler: async (request, context) => {
        const loaded = await runtime().catch((cause: unknown) => {
          context.error('The functions could not be loaded; the next call tries it again.', cause);
        });
        return loaded === undefined ? NOT_LOADED : loaded.request(name, request, linesOf(context));
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
  for (const { name, schedule, runAtStart } of manifest.timers) {
    app.timer(name, {
      schedule: typeof schedule === 'string' ? schedule : config[schedule.setting],
      runOnStartup: runAtStart,
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
