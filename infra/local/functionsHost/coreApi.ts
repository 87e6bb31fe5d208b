import Module from 'node:module';
import type { HostLog } from './logging.js';
import type { Binding, FunctionCallback, LogLevel, ProgrammingModel } from './rpc.js';

export interface RegisteredFunction {
  readonly id: string;
  readonly name: string;
  readonly bindings: Readonly<Record<string, Binding>>;
  readonly callback: FunctionCallback;
}

const hookNames = ['preInvocation', 'postInvocation', 'appStart', 'appTerminate', 'log'] as const;
export type HookName = (typeof hookNames)[number];
type HookCallback = (context: Record<string, unknown>) => unknown;

/** One line on its way to the log; `user` is the category of what a function writes. */
export interface LogLine {
  readonly level: LogLevel;
  readonly category: string;
  readonly message: string;
  readonly functionName?: string;
}

/** What an app has told the host through `@azure/functions`. */
export interface RegisteredApp {
  readonly functions: ReadonlyMap<string, RegisteredFunction>;
  /** The library's model; there is one as soon as a function is registered. */
  model(): ProgrammingModel;
  /** Runs the hooks of one name in the order they were registered; each may change the context. */
  runHooks(name: HookName, context: Record<string, unknown>): Promise<void>;
  /** Passes a line through the log hooks, which may change level and text of category `user` alone. */
  log(line: LogLine): void;
  /** From here on no function can be registered. */
  lock(): void;
}

interface FunctionMetadata {
  readonly name: string;
  readonly functionId?: string;
  readonly bindings: Record<string, Binding>;
  readonly retryOptions?: unknown;
}

/** The library recognises errors of the host by this mark. */
const systemError = <E extends Error>(error: E): E => Object.assign(error, { isAzureFunctionsSystemError: true });

/** Releases what was registered. */
class Disposable {
  readonly #release: () => void;

  constructor(release: () => void) {
    this.#release = release;
  }

  dispose(): void {
    this.#release();
  }
}

class Registration implements RegisteredApp {
  readonly functions = new Map<string, RegisteredFunction>();
  readonly #hooks = new Map<HookName, HookCallback[]>(hookNames.map((name) => [name, []]));
  readonly #hookData: Record<string, unknown> = {};
  readonly #log: HostLog;
  #model: ProgrammingModel | undefined;
  #isLocked = false;

  constructor(log: HostLog) {
    this.#log = log;
  }

  model(): ProgrammingModel {
    if (this.#model === undefined) throw systemError(new Error('The app has set no programming model.'));
    return this.#model;
  }

  setModel(model: ProgrammingModel): void {
    this.#model = model;
  }

  lock(): void {
    this.#isLocked = true;
  }

  registerFunction(metadata: FunctionMetadata, callback: FunctionCallback): Disposable {
    const { name, bindings, functionId: id = name } = metadata;
    if (this.#isLocked) {
      throw systemError(new Error(`The function "${name}" can't be registered after the app has started.`));
    }
    if (this.functions.has(id)) throw systemError(new Error(`A function with the id "${id}" is registered already.`));
    if (metadata.retryOptions !== undefined) {
      this.#log.system('warning', `${name} has a retry policy: the platform applies it, the local host does not.`);
    }
    this.functions.set(id, { id, name, bindings, callback });
    return new Disposable(() => this.functions.delete(id));
  }

  registerHook(name: string, callback: HookCallback): Disposable {
    const callbacks = this.#hooks.get(name as HookName);
    if (callbacks === undefined) throw systemError(new RangeError(`The host knows no hook "${name}".`));
    callbacks.push(callback);
    return new Disposable(() => callbacks.splice(callbacks.indexOf(callback), 1));
  }

  async runHooks(name: HookName, context: Record<string, unknown>): Promise<void> {
    for (const callback of this.#hooks.get(name) ?? []) await callback(context);
  }

  log({ level, category, message, functionName = 'app' }: LogLine): void {
    const context: Record<string, unknown> = { level, message, category, hookData: this.#hookData };
    for (const callback of this.#hooks.get('log') ?? []) callback(context);
    if (category !== 'user') this.#log.system(level, message);
    else this.#log.user(functionName, context['level'] as LogLevel, String(context['message']));
  }
}

type Load = (request: string, ...rest: unknown[]) => unknown;

/**
 * Gives `@azure/functions` its host: from now on its hidden module `@azure/functions-core` is ours. The library asks
 * for it once and falls back to a mode without any registration, so this comes before anything imports the app.
 */
export function installCoreApi(log: HostLog): RegisteredApp {
  const app = new Registration(log);
  const coreApi = {
    version: '3.9.1',
    hostVersion: '4.1037.0',
    Disposable,
    registerFunction: app.registerFunction.bind(app),
    registerHook: app.registerHook.bind(app),
    setProgrammingModel: app.setModel.bind(app),
    getProgrammingModel: app.model.bind(app),
    log: (level: LogLevel, category: string, message: string) => {
      app.log({ level, category, message });
    },
  };
  const loader = Module as unknown as { _load: Load };
  const load = loader._load;
  loader._load = function (this: unknown, request, ...rest) {
    return request === '@azure/functions-core' ? coreApi : load.call(this, request, ...rest);
  };
  return app;
}
