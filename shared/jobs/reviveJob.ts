import type { Clock } from '../clock.js';
import type { Log } from '../telemetry/telemetry.js';
import { endExhausted } from './endJob.js';
import { checkAt, claimDecision, LOST_MESSAGE_MS, wantsLook } from './job.js';
import type { JobQueues, JobStore, OpenJob } from './jobPorts.js';

export interface ReviveJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly clock: Clock;
  readonly log: Log;
}

export type Revival = 'enqueued' | 'failed' | 'not due';

/**
 * Looks at an open job that should have moved: sends its message again when it is lost, ends it when its attempts
 * are used up. The message of an ended job leads a worker to the insight that is to be taken back. The index entry is moved first, so that of many who look at once one sends.
 */
export const reviveJob =
  (ports: ReviveJobPorts) =>
  async (open: OpenJob): Promise<Revival> => {
    const { jobs, jobQueues, clock } = ports;
    const now = clock.now().getTime();
    const stored = await jobs.find(open);
    if (stored === undefined || !wantsLook(stored.job)) {
      await jobs.dropOpen(open);
      return 'not due';
    }
    const due = checkAt(stored.job);
    if (due > now) {
      await jobs.postpone(open, due);
      return 'not due';
    }
    if (claimDecision(stored.job, now) === 'exhausted') {
      return (await endExhausted(ports)(stored)) === undefined ? 'not due' : 'failed';
    }
    if (!(await jobs.postpone(open, now + LOST_MESSAGE_MS))) return 'not due';
    await jobQueues[open.solution].enqueue(open, 0);
    return 'enqueued';
  };
