import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program of the local environment that runs as a child, in a process group of its own. */
export interface ChildProgram<Ready> {
  /** What it said when it was ready; rejects when it ended before. */
  readonly ready: Promise<Ready>;
  readonly pid: number;
  /** Resolves when the process has ended, with its exit code (null: killed by a signal). */
  readonly ended: Promise<number | null>;
  send(message: object): void;
  /** Asks it to end and waits; kills it after the given time. */
  stop(limitMs: number): Promise<void>;
}

export interface ChildOptions {
  /** File name of the bundled program beside this one. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The program ended before it was ready. */
export class StartFailed extends Error {}

async function readyOf<Ready>(child: ChildProcess, program: string): Promise<Ready> {
  const ready = new Promise<Ready>((resolve) => {
    child.on('message', (message: { readonly type: string }) => {
      if (message.type === 'ready') resolve(message as Ready);
    });
  });
  const failed = Promise.race([once(child, 'exit'), once(child, 'error')]).then(() => {
    throw new StartFailed(`${program} ended before it was ready.`);
  });
  return Promise.race([ready, failed]);
}

/**
 * Starts a bundled program. It has an IPC channel, by which it notices when this process ends in any way, and a process
 * group of its own, so that Ctrl-C reaches it through us, in order.
 */
export function startChild<Ready>({ program, environment }: ChildOptions): ChildProgram<Ready> {
  const file = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', file], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const ready = readyOf<Ready>(child, program);
  // Whoever stops a program that is not ready yet does not wait for it to be.
  ready.catch(() => undefined);
  return {
    ready,
    pid: child.pid ?? 0,
    ended,
    send: (message) => {
      if (child.connected) child.send(message);
    },
    stop: async (limitMs) => {
      if (hasEnded()) return;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
