import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { groupIsAlive } from './processGroup.js';

export interface CoreToolsOptions {
  /** Shell command of Core Tools. */
  readonly command: string;
  readonly port: number;
  /** Called when Core Tools have ended without being asked to. */
  readonly onEnded: (reason: string) => void;
}

/** Core Tools that run and answer. */
export interface CoreToolsHost {
  readonly url: string;
  stop(): Promise<void>;
}

/** Longer than the 43 s the platform gives a host to drain. */
const stopLimitMs = 46_000;

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false; // Not listening yet.
  }
}

/** Signals the whole group: Core Tools start programs of their own. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // The group has ended meanwhile.
  }
}

/** A shell's exit code for a command that is not there. */
const commandNotFound = 127;

const endOf = (code: number | null, signal: NodeJS.Signals | null): string =>
  code === commandNotFound
    ? 'The command that FUNC names is not there: let it name Core Tools 4, or leave it out and put func on the PATH.'
    : `Core Tools ended (${signal ?? `exit code ${String(code)}`}).`;

/** Waits until the service answers, or until there is no point in waiting. */
async function awaitAnswer(url: string, isStopping: () => boolean): Promise<void> {
  while (!isStopping() && !(await answers(url))) await sleep(250);
}

/** Without `exec` a signal would end the shell, and Core Tools would go on below nobody. */
const commandLine = (command: string, port: number): string =>
  `${process.platform === 'win32' ? '' : 'exec '}${command} start --port ${port}`;

/**
 * Asks the group to end and waits until nobody of it is left: what starts the host may go before the host has drained,
 * and the storage must not.
 */
async function endGroup(child: ChildProcess, ended: Promise<void>): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const limit = Date.now() + stopLimitMs;
  while (groupIsAlive(child.pid) && Date.now() < limit) await sleep(50);
  signalGroup(child, 'SIGKILL');
  await ended;
}

/** Runs `func start` in the current folder and waits until the service answers. */
export async function startCoreTools({ command, port, onEnded }: CoreToolsOptions): Promise<CoreToolsHost> {
  const child = spawn(commandLine(command, port), {
    shell: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: process.platform !== 'win32',
  });
  let stopping: Promise<void> | undefined;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (cause) => {
      onEnded(`Core Tools did not start: ${cause.message}`);
    });
    child.once('exit', (code, signal) => {
      resolve();
      // What they have started must not go on without them.
      if (stopping === undefined) {
        void stop().then(() => {
          onEnded(endOf(code, signal));
        });
      }
    });
  });
  const stop = (): Promise<void> => (stopping ??= endGroup(child, ended));
  // Asked to end before anybody answers: whoever started us has no way yet to call stop().
  process.once('disconnect', () => void stop()).once('SIGTERM', () => void stop());
  const url = `http://127.0.0.1:${port}`;
  await awaitAnswer(url, () => stopping !== undefined);
  return { url, stop };
}
