import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildProgram, startChild } from './childProgram.js';

export interface SupervisedHostOptions {
  /** LOCAL_DIR, absolute; `host.pid` lies there. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How often in a minute a host that died is started again. */
  readonly restartsPerMinute: number;
  /** Called with each new process. */
  readonly onProcess: (pid: number) => void;
  readonly onRestart: (code: number | null) => void;
}

export interface RunningHost {
  readonly url: string;
  /** Resolves with the reason when the host has ended for good without being asked to. */
  readonly failed: Promise<string>;
  /** Lets it drain and waits for its end. */
  stop(): Promise<void>;
}

interface HostReady {
  readonly url: string;
}

/** Longer than the host's own limit of 43 s, which is the platform's. */
const stopLimitMs = 50_000;
const minuteMs = 60_000;

async function startOnce({
  directory,
  environment,
  onProcess,
}: SupervisedHostOptions): Promise<ChildProgram<HostReady>> {
  const child = await startChild<HostReady>({ program: 'hostProcess.mjs', environment });
  writeFileSync(join(directory, 'host.pid'), String(child.pid));
  onProcess(child.pid);
  return child;
}

/**
 * Starts the functions host and, like the platform, starts it again when it dies; too many deaths in a minute end it.
 */
export async function superviseHost(options: SupervisedHostOptions): Promise<RunningHost> {
  let child = await startOnce(options);
  let isStopping = false;
  const deaths: number[] = [];

  const watch = async (): Promise<string> => {
    for (;;) {
      const code = await child.ended;
      if (isStopping) return 'stopped';
      deaths.push(Date.now());
      const recent = deaths.filter((at) => Date.now() - at < minuteMs).length;
      if (recent > options.restartsPerMinute) {
        return `The functions host ended ${recent} times within a minute; HOST_RESTARTS (${options.restartsPerMinute}) allows no more.`;
      }
      options.onRestart(code);
      child = await startOnce(options);
    }
  };
  const failed = watch().catch((cause: unknown) => `The functions host could not be started again: ${String(cause)}`);
  return {
    url: child.ready.url,
    failed,
    stop: async () => {
      isStopping = true;
      await child.stop(stopLimitMs);
    },
  };
}
