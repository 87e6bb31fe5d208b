import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { groupIsAlive, listenersIn } from './processGroup.js';

export interface CoreToolsOptions {
  /** Shell command of Core Tools. */
  readonly command: string;
  readonly port: number;
  /** How long it may drain before all it has started is ended by force. */
  readonly stopLimitMs?: number;
  /** Called when Core Tools have ended without being asked to. */
  readonly onEnded: (reason: string) => void;
}

/** Core Tools that run and answer. */
export interface CoreToolsHost {
  readonly url: string;
  stop(): Promise<void>;
}

/** Longer than the 43 s the platform gives a host to drain. */
const usualStopLimitMs = 46_000;

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false; // Not listening yet.
  }
}

/** Signals a process, or a group by the negative id of its leader. */
function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch {
    // It has ended meanwhile.
  }
}

/** All that Core Tools have started; on Windows, which has no groups, the process itself. */
const groupOf = (leader: number): number => (process.platform === 'win32' ? leader : -leader);

/**
 * Whom to ask to end: the host's own process, which lets its worker finish. A signal would end the worker with all work
 * that runs in it, and what has started the host may be gone at the first signal. The host is the process that listens at
 * the port. Where the system does not tell, it is the leader, for `exec` makes it the program that FUNC names; where
 * nobody listens, nothing runs that could be lost, and the whole group is asked.
 */
function askedToEnd({ exitCode, signalCode }: ChildProcess, leader: number, port: number): readonly number[] {
  const hosts = listenersIn(leader, port);
  if (hosts === undefined && exitCode === null && signalCode === null) return [leader];
  return hosts === undefined || hosts.length === 0 ? [groupOf(leader)] : hosts;
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
 * Asks the host to end and waits until nobody of its group is left: what starts the host may go before the host has
 * drained, and the storage must not. After the limit the whole group is ended by force.
 */
async function endGroup(child: ChildProcess, ended: Promise<void>, { port, limitMs }: EndOptions): Promise<void> {
  const { pid: leader } = child;
  if (leader !== undefined) {
    for (const target of askedToEnd(child, leader, port)) signal(target, 'SIGTERM');
    const limit = Date.now() + limitMs;
    while (groupIsAlive(leader) && Date.now() < limit) await sleep(50);
    signal(groupOf(leader), 'SIGKILL');
  }
  await ended;
}

interface EndOptions {
  readonly port: number;
  readonly limitMs: number;
}

/** Runs `func start` in the current folder and waits until the service answers. */
export async function startCoreTools(options: CoreToolsOptions): Promise<CoreToolsHost> {
  const { command, port, onEnded, stopLimitMs: limitMs = usualStopLimitMs } = options;
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
  const stop = (): Promise<void> => (stopping ??= endGroup(child, ended, { port, limitMs }));
  // Asked to end before anybody answers: whoever started us has no way yet to call stop().
  process.once('disconnect', () => void stop()).once('SIGTERM', () => void stop());
  const url = `http://127.0.0.1:${port}`;
  await awaitAnswer(url, () => stopping !== undefined);
  return { url, stop };
}
