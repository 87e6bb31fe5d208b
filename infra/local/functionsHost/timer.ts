import type { HostLog } from './logging.js';
import type { TypedData } from './rpc.js';
import type { Schedule } from './schedule.js';

/** Longest delay setTimeout takes. */
const longestWaitMs = 2 ** 31 - 1;

export interface TimerParts {
  readonly name: string;
  readonly schedule: Schedule;
  readonly runOnStartup: boolean;
  /** Runs the function; a rejection is logged and the schedule goes on. */
  readonly run: (input: TypedData) => Promise<void>;
  readonly log: HostLog;
}

export interface RunningTimer {
  /** Fires no more and waits for a running call. */
  stop(): Promise<void>;
}

/** What the function is told about its schedule. Nothing is stored, so nothing is ever past due. */
const inputOf = (last: Date | undefined, next: Date | undefined, now: Date): TypedData => ({
  json: JSON.stringify({
    Schedule: { AdjustForDST: true },
    ScheduleStatus: {
      Last: (last ?? new Date(0)).toISOString(),
      Next: (next ?? now).toISOString(),
      LastUpdated: now.toISOString(),
    },
    IsPastDue: false,
  }),
});

class ScheduledTimer implements RunningTimer {
  readonly #parts: TimerParts;
  #timeout: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;
  #last: Date | undefined;

  constructor(parts: TimerParts) {
    this.#parts = parts;
    if (parts.runOnStartup) this.#running = this.#fire();
    else this.#arm(parts.schedule(new Date()));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timeout);
    await this.#running;
  }

  async #fire(): Promise<void> {
    const { name, schedule, run, log } = this.#parts;
    const now = new Date();
    try {
      await run(inputOf(this.#last, schedule(now), now));
    } catch (cause) {
      log.system('error', `${name} failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    }
    this.#last = now;
    this.#arm(schedule(new Date()));
  }

  #arm(due: Date | undefined): void {
    if (this.#isStopped || due === undefined) return;
    const waitMs = Math.max(0, due.getTime() - Date.now());
    const wake = (): void => {
      // A wait that was cut, or ended early, is armed again for what is left.
      if (Date.now() < due.getTime()) this.#arm(due);
      else this.#running = this.#fire();
    };
    this.#timeout = setTimeout(wake, Math.min(waitMs, longestWaitMs));
  }
}

/** Calls a function by its schedule, never twice at once; a call that lasts beyond the next moment skips it. */
export const startTimer = (parts: TimerParts): RunningTimer => new ScheduledTimer(parts);
