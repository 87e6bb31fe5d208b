import { loadApp } from './appLoader.js';
import { installCoreApi, type RegisteredApp, type RegisteredFunction } from './coreApi.js';
import { readHostJson, type HostJson } from './hostJson.js';
import { listenHttp, type HttpListener, type TlsListener } from './httpListener.js';
import { httpTrigger } from './httpTrigger.js';
import { FunctionTimeout, invoker, type Invoke } from './invocation.js';
import { createLog, type HostLog } from './logging.js';
import { createQueues, type Queues } from './queues.js';
import { createRouter } from './router.js';
import type { Binding } from './rpc.js';
import { parseSchedule } from './schedule.js';
import { resolveNames, settingsOf, type Settings } from './settings.js';
import { openChannel } from './streaming.js';
import { startTimer } from './timer.js';
import { waitAtMost } from './waiting.js';

export interface FunctionsHostOptions {
  /** Folder of the app: package.json, host.json and what `main` names. */
  readonly directory: string;
  /** 0 takes a free port. */
  readonly port: number;
  /** Serves over TLS too. */
  readonly tls?: TlsListener;
  readonly environment: Settings;
  /** True to have each timer tick at the start too, whatever it says: who starts this by hand waits for no minute. */
  readonly timersAtStart?: boolean;
  /** Largest request body, in bytes; above it the answer is an empty 500. */
  readonly bodyLimitBytes: number;
  readonly writeUser: (line: string) => void;
  readonly writeSystem: (line: string) => void;
  /** The platform ends the worker process here, and starts it anew. */
  readonly onFatal: (cause: Error) => void;
}

export interface FunctionsHost {
  readonly url: string;
  readonly functionNames: readonly string[];
  /** Closes the socket at once, lets running requests, messages and timers finish, then runs the terminate hooks. */
  stop(): Promise<void>;
}

/** Running requests are cut after this time, as on the platform. */
const httpGraceMs = 30_000;
/** The process is gone after this time in any case. */
const totalGraceMs = 43_000;

/** One function with its trigger; `triggerName` is the name the binding has among the function's bindings. */
interface Triggered {
  readonly name: string;
  readonly target: RegisteredFunction;
  readonly triggerName: string;
  readonly trigger: Binding;
}

function triggered(target: RegisteredFunction): Triggered {
  const entry = Object.entries(target.bindings).find(([, binding]) => /trigger$/i.test(binding.type));
  if (entry === undefined) throw new Error(`The function "${target.name}" has no trigger.`);
  const [triggerName, trigger] = entry;
  if (!/^(http|queue|timer)trigger$/i.test(trigger.type)) {
    throw new Error(`${target.name} has a ${trigger.type}: the local host serves HTTP, queue and timer triggers.`);
  }
  return { name: target.name, target, triggerName, trigger };
}

const withTrigger = (functions: readonly Triggered[], type: string): Triggered[] =>
  functions.filter(({ trigger }) => trigger.type.toLowerCase() === type);

/** Everything a loaded app needs to run its functions. */
interface Runtime {
  readonly app: RegisteredApp;
  readonly functions: readonly Triggered[];
  readonly hostJson: HostJson;
  readonly settings: Settings;
  readonly queues: Queues;
  readonly invoke: Invoke;
  readonly log: HostLog;
}

async function loadRuntime(options: FunctionsHostOptions): Promise<Runtime> {
  const settings = settingsOf(options.directory, options.environment);
  const hostJson = readHostJson(options.directory, settings);
  const log = createLog(hostJson.logLevels, options.writeUser, options.writeSystem);
  const app = installCoreApi(log);
  Object.assign(process.env, settings);
  await loadApp(options.directory, app);
  const functions = [...app.functions.values()].map(triggered);
  const run = invoker(app, hostJson.functionTimeoutMs);
  const invoke: Invoke = async (target, invocation) => {
    const say = (line: string): void => {
      log.system('information', line, `Function.${target.name}`);
    };
    say(`Executing 'Functions.${target.name}'`);
    try {
      const response = await run(target, invocation);
      say(`Executed 'Functions.${target.name}' (Succeeded)`);
      return response;
    } catch (cause) {
      if (cause instanceof FunctionTimeout) options.onFatal(cause);
      throw cause;
    }
  };
  const queues = createQueues({ settings, options: hostJson.queues, log });
  return { app, functions, hostJson, settings, queues, invoke, log };
}

async function serveHttp(runtime: Runtime, { port, bodyLimitBytes, tls }: FunctionsHostOptions): Promise<HttpListener> {
  const { app, functions, hostJson, queues, invoke, log } = runtime;
  const route = createRouter(hostJson.routePrefix, withTrigger(functions, 'httptrigger'), (name, why) => {
    log.system('error', `The function ${name} is in error and is not served: it ${why}`);
  });
  const channel = await openChannel(app.model(), log);
  const writeOutputs = queues.writeOutputs.bind(queues);
  const parts = { route, invoke, forward: channel?.forward, log, bodyLimitBytes, writeOutputs };
  const listener = await listenHttp(port, httpTrigger(parts), tls);
  return {
    url: listener.url,
    stop: async (graceMs) => {
      await listener.stop(graceMs);
      channel?.close();
    },
  };
}

function startTimerOf(
  runtime: Runtime,
  { target, triggerName, trigger }: Triggered,
  atStart: boolean,
): { stop(): Promise<void> } {
  const { schedule, runOnStartup } = trigger;
  return startTimer({
    name: target.name,
    schedule: parseSchedule(resolveNames(String(schedule), runtime.settings)),
    runOnStartup: atStart || runOnStartup === true,
    log: runtime.log,
    run: async (input) => {
      const result = await runtime.invoke(target, { inputs: { [triggerName]: input } });
      await runtime.queues.writeOutputs(target, result);
    },
  });
}

/**
 * Runs a compiled function app through the real `@azure/functions` library: HTTP, storage-queue and timer triggers,
 * queue output bindings, streaming request bodies. It can be started once in a process, because the library keeps
 * its registrations for the life of the process.
 */
export async function startFunctionsHost(options: FunctionsHostOptions): Promise<FunctionsHost> {
  const runtime = await loadRuntime(options);
  const { app, functions, queues, invoke } = runtime;
  const queueTriggers = withTrigger(functions, 'queuetrigger');
  // A connection that is missing must stop the start, not the first message.
  for (const { trigger } of queueTriggers) queues.clientOf(trigger);
  const http = await serveHttp(runtime, options);
  const running = [
    ...queueTriggers.map((entry) => queues.listen(entry, invoke)),
    ...withTrigger(functions, 'timertrigger').map((entry) =>
      startTimerOf(runtime, entry, options.timersAtStart === true),
    ),
  ];
  return {
    url: http.url,
    functionNames: functions.map(({ name }) => name),
    stop: async () => {
      await waitAtMost(totalGraceMs, Promise.all([http.stop(httpGraceMs), ...running.map((part) => part.stop())]));
      await app.runHooks('appTerminate', { hookData: {} });
    },
  };
}
