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

/** Calls a function by its schedule, never twice at once; a call that lasts beyond the next moment skips it. */
export function startTimer({ name, schedule, runOnStartup, run, log }: TimerParts): RunningTimer {
  let timeout: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let last: Date | undefined;

  const fire = async (): Promise<void> => {
    const now = new Date();
    try {
      await run(inputOf(last, schedule(now), now));
    } catch (cause) {
      log.system('error', `${name} failed: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`);
    }
    last = now;
    arm(schedule(new Date()));
  };
  const arm = (due: Date | undefined): void => {
    if (isStopped || due === undefined) return;
    const waitMs = Math.max(0, due.getTime() - Date.now());
    timeout = setTimeout(
      () => {
        // A wait that was cut, or ended early, is armed again for what is left.
        if (Date.now() < due.getTime()) arm(due);
        else running = fire();
      },
      Math.min(waitMs, longestWaitMs),
    );
  };

  if (runOnStartup) running = fire();
  else arm(schedule(new Date()));
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timeout);
      await running;
    },
  };
}
