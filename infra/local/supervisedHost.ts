import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ChildProgram, startChild } from './childProgram.js';
import { writeAtomically } from './standIns/atomicFile.js';

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

export interface SupervisedHost {
  /** Known when the host is ready; rejects when its first start fails. */
  readonly url: Promise<string>;
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

/** As in Azure (infra/azure/modules/settings.bicep, where it says why). */
const givenBack = { MALLOC_MMAP_THRESHOLD_: '32768', MALLOC_TRIM_THRESHOLD_: '32768' };

function startOnce({ directory, environment, onProcess }: SupervisedHostOptions): ChildProgram<HostReady> {
  const child = startChild<HostReady>({
    program: 'hostProcess.mjs',
    environment: { ...environment, ...givenBack, TIMERS_AT_START: 'true' },
  });
  // Whole or not at all: whoever reads nothing and kills process 0 kills itself.
  writeAtomically(join(directory, 'host.pid'), String(child.pid));
  onProcess(child.pid);
  return child;
}

class RestartedHost implements SupervisedHost {
  readonly url: Promise<string>;
  readonly failed: Promise<string>;
  readonly #options: SupervisedHostOptions;
  #child: ChildProgram<HostReady>;
  #isStopping = false;

  constructor(options: SupervisedHostOptions) {
    this.#options = options;
    this.#child = startOnce(options);
    this.url = this.#child.ready.then((ready) => ready.url);
    this.failed = this.#watch().catch((cause: unknown) => `The functions host could not be started: ${String(cause)}`);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#child.stop(stopLimitMs);
    // The number may be another program's soon.
    rmSync(join(this.#options.directory, 'host.pid'), { force: true });
  }

  /** Starts the host again whenever it dies; ends with the reason why it does so no more. */
  async #watch(): Promise<string> {
    const { restartsPerMinute, onRestart, environment } = this.#options;
    // The first process may have taken any free port; its callers know that one.
    const { port } = new URL(await this.url);
    const deaths: number[] = [];
    for (;;) {
      const code = await this.#child.ended;
      if (this.#isStopping) return 'stopped';
      deaths.push(Date.now());
      const recent = deaths.filter((at) => Date.now() - at < minuteMs).length;
      if (recent > restartsPerMinute) {
        return `The functions host ended ${recent} times within a minute; HOST_RESTARTS (${restartsPerMinute}) allows no more.`;
      }
      onRestart(code);
      const child = startOnce({ ...this.#options, environment: { ...environment, PORT: port } });
      this.#child = child;
      // One that dies before it is ready is started again too; one that the system did not start at all is not.
      await child.ready.catch((cause: unknown) => {
        if (child.pid === 0) throw cause;
      });
    }
  }
}

/**
 * Starts the functions host and, like the platform, starts it again when it dies; too many deaths in a minute end it.
 */
export const superviseHost = (options: SupervisedHostOptions): SupervisedHost => new RestartedHost(options);
