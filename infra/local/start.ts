// `npm start`: brings the service and everything it needs up on this machine, and takes it all down again.
import { mkdirSync, readFileSync } from 'node:fs';
import { coreToolsCommand, CoreToolsMissing } from './coreTools.js';
import { startEnvironment } from './environment.js';
import { BadOption, readOptions, type StartOptions } from './options.js';
import { requireFreePort } from './ports.js';
import { readyText, writeServiceFile } from './serviceFile.js';

/** The start was cancelled by a signal. */
class Cancelled extends Error {}

/** Ends the parts in the reverse order of their start; a second call waits for the first. */
class Shutdown {
  readonly #ends: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;

  add(end: () => Promise<void>): void {
    this.#ends.push(end);
  }

  run(): Promise<void> {
    this.#running ??= this.#endAll();
    return this.#running;
  }

  async #endAll(): Promise<void> {
    for (const end of this.#ends.toReversed()) {
      await end().catch((cause: unknown) => {
        say(`A part did not end cleanly: ${String(cause)}`);
      });
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** The parent of our parent, where the system tells; it is npm when npm runs us below a shell. */
function grandparent(parent: number): string | undefined {
  try {
    return readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ')[1]?.split(' ')[1];
  } catch {
    return undefined; // No /proc here, or the parent has ended.
  }
}

/** npm and the shell between may end without telling us; whose child we are changes when they do. */
function onEndOfNpm(callback: () => void): void {
  const parent = process.ppid;
  const npm = grandparent(parent);
  const watch = setInterval(() => {
    if (process.ppid === parent && grandparent(parent) === npm) return;
    clearInterval(watch);
    callback();
  }, 500);
  watch.unref();
}

/** Calls back at the first signal to end, and leaves at once at the second: the children then end by themselves. */
function onEnd(callback: (reason: string) => void): void {
  let isFirst = true;
  const end = (reason: string): void => {
    if (!isFirst) process.exit(130);
    isFirst = false;
    callback(reason);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      end(signal);
    });
  }
  if (process.env['npm_lifecycle_event'] !== undefined) {
    onEndOfNpm(() => {
      end('the end of npm');
    });
  }
}

async function serve(options: StartOptions, shutdown: Shutdown): Promise<number> {
  let signal: string | undefined;
  const signalled = new Promise<undefined>((resolve) => {
    onEnd((reason) => {
      signal = reason;
      say(`Stopping after ${reason} …`);
      resolve(undefined);
    });
  });
  const environment = await startEnvironment(options, {
    user: process.env,
    say,
    onStop: (end) => {
      shutdown.add(end);
    },
    checkpoint: () => {
      if (signal !== undefined) throw new Cancelled();
    },
  });
  if (signal !== undefined) return 0;
  const file = writeServiceFile(options.directory, environment.service);
  say(readyText(environment.service, file, new Date()));
  const failure = await Promise.race([signalled, environment.failed]);
  if (failure === undefined) return 0;
  process.stderr.write(`${failure}\n`);
  return 1;
}

async function main(): Promise<number> {
  const shutdown = new Shutdown();
  const wanted = readOptions(process.env, process.argv.slice(2));
  try {
    if (wanted.host === 'func') coreToolsCommand(process.env);
    const options = { ...wanted, port: await requireFreePort('PORT', wanted.port) };
    mkdirSync(options.directory, { recursive: true });
    return await serve(options, shutdown);
  } finally {
    await shutdown.run();
  }
}

function messageOf(cause: unknown): string {
  if (cause instanceof BadOption || cause instanceof CoreToolsMissing) return cause.message;
  if (!(cause instanceof Error)) return String(cause);
  return `The local environment did not start: ${cause.message}`;
}

/** A pipe whose reader is gone must not keep the parts from being ended. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

main().then(
  (code) => process.exit(code),
  (cause: unknown) => {
    if (cause instanceof Cancelled) process.exit(0);
    process.stderr.write(`${messageOf(cause)}\n`);
    process.exit(1);
  },
);
