// `npm start`: brings the service and everything it needs up on this machine, and takes it all down again.
import { mkdirSync, readFileSync } from 'node:fs';
import { newCode } from './console/codes.js';
import { consoleAddress } from './console/consoleAddress.js';
import { coreToolsCommand, CoreToolsMissing } from './coreTools.js';
import { startEnvironment } from './environment.js';
import { requireForm } from './folderForm.js';
import { BadOption, readOptions, type StartOptions } from './options.js';
import { freePort } from './freePort.mjs';
import { requireFreePort } from './ports.js';
import { readyText, writeServiceFile } from './serviceFile.js';

/** Ends the parts in the reverse order of their start. */
class Shutdown {
  readonly #ends: (() => Promise<void>)[] = [];
  #hasBegun = false;

  /** A part that comes after the end has begun is ended at once, and the start that brought it is given up. */
  add(end: () => Promise<void>): void {
    if (!this.#hasBegun) {
      this.#ends.push(end);
      return;
    }
    void end();
    throw new Error('The start was given up.');
  }

  async run(): Promise<void> {
    this.#hasBegun = true;
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) {
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

/** A signal may come more than once for one key press: to the group, and handed on by npm. */
const samePressMs = 1_000;

/** Calls back at the first signal to end; another Ctrl-C leaves at once, and the children then end by themselves. */
function onEnd(callback: (reason: string) => void): void {
  let firstAt: number | undefined;
  const end = (reason: string): void => {
    if (firstAt === undefined) {
      firstAt = Date.now();
      callback(reason);
    } else if (reason === 'SIGINT' && Date.now() - firstAt > samePressMs) process.exit(130);
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
  const signalled = new Promise<'signalled'>((resolve) => {
    onEnd((reason) => {
      say(`Stopping after ${reason} …`);
      resolve('signalled');
    });
  });
  const onStop = (end: () => Promise<void>): void => {
    shutdown.add(end);
  };
  const starting = startEnvironment(options, { user: process.env, say, onStop });
  const environment = await Promise.race([starting, signalled]);
  if (environment === 'signalled') {
    starting.catch(() => undefined);
    return 0;
  }
  const { service } = environment;
  writeServiceFile(options.directory, service);
  const { CONSOLE: console, LOCAL_DIR: localDirectory } = process.env;
  const address = consoleAddress(service.baseUrl, newCode(options.directory, new Date()));
  say(readyText(service, { localDirectory, console: console === 'off' ? undefined : address }));
  const failure = await Promise.race([signalled, environment.failed]);
  if (failure === 'signalled') return 0;
  process.stderr.write(`${failure}\n`);
  return 1;
}

async function main(): Promise<number> {
  const shutdown = new Shutdown();
  const wanted = readOptions(process.env, process.argv.slice(2));
  try {
    if (wanted.host === 'func') coreToolsCommand(process.env);
    await requireFreePort('PORT', wanted.port);
    mkdirSync(wanted.directory, { recursive: true });
    requireForm(wanted.directory);
    // Chosen before the host listens: the settings name the address.
    const port = wanted.port || (await freePort());
    return await serve({ ...wanted, port }, shutdown);
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
    process.stderr.write(`${messageOf(cause)}\n`);
    process.exit(1);
  },
);
