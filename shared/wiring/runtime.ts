import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import type { Config } from './settings/config.js';
import { handleRequest } from '../http/handleRequest.js';
import { createServices } from './services.js';
import type { ServiceTable } from './declare.js';
import { managedIdentity } from './clients/managedIdentity.js';
import { telemetrySettings } from '../kit/telemetry/telemetrySettings.js';
import type { WriteLine } from '../kit/telemetry/trace.js';
import { servedRoutes } from '../http/triggers/triggerTable.js';
import { handleMessage } from '../http/triggers/queueFunction.js';
import { handleTick } from '../http/triggers/timerFunction.js';

/** Runs the functions of the table by name. */
export interface Runtime {
  request(name: string, request: HttpRequest, write: WriteLine): Promise<HttpResponseInit>;
  message(
    name: string,
    message: unknown,
    around: { readonly write: WriteLine; readonly insertedAt?: number },
  ): Promise<void>;
  tick(name: string, write: WriteLine): Promise<void>;
}

/** Telemetry is files of its own in the bundle, loaded only when a setting names where it goes. */
async function beginTelemetry(config: Config): Promise<void> {
  if (!Object.keys(telemetrySettings).some((name) => config[name as keyof typeof telemetrySettings] !== undefined))
    return;
  const file = new URL('startTelemetry.mjs', import.meta.url).href;
  const { startTelemetry } = (await import(file)) as typeof import('../kit/telemetry/startTelemetry.js');
  startTelemetry({ settings: config, credential: managedIdentity(config.AZURE_CLIENT_ID) });
}

/** Everything that is needed to run a function; made once per process, at its first call. */
export async function createRuntime(config: Config, table: ServiceTable): Promise<Runtime> {
  await beginTelemetry(config);
  const services = createServices(config, table.duties);
  const routes = byName(servedRoutes(table).map(({ route }) => route));
  const queues = byName(table.queues);
  const timers = byName(table.timers);
  return {
    request: (name, request, write) => handleRequest(routes(name), request, { services, write }),
    message: (name, message, around) => handleMessage(queues(name), message, { services, ...around }),
    tick: (name, write) => handleTick(timers(name), { services, write }),
  };
}

function byName<T extends { readonly name: string }>(definitions: readonly T[]): (name: string) => T {
  const named = new Map(definitions.map((definition) => [definition.name, definition]));
  return (name) => {
    const definition = named.get(name);
    if (definition === undefined) throw new Error(`The table has no function ${name}.`);
    return definition;
  };
}
