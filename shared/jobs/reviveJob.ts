import type { Clock } from '../clock.js';
import type { Log } from '../telemetry/telemetry.js';
import { endExhausted } from './endJob.js';
import { checkAt, claimDecision, isEnded, LOST_MESSAGE_MS, PARKED_LOOK_MS, wantsLook, type Job } from './job.js';
import type { JobQueues, JobStore, OpenJob } from './jobPorts.js';
import type { Lines } from './lines.js';

export interface ReviveJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly lines: Pick<Lines, 'leaveAll' | 'wait'>;
  readonly clock: Clock;
  readonly log: Log;
}

export type Revival = 'enqueued' | 'failed' | 'not due';

/** What is known beside the job itself. */
export interface Surroundings {
  /** How far the job's queue has come: a message that was due later is still in it. */
  readonly servedUntil: number;
  /** A line in which the job has a place. */
  readonly placeIn?: string;
}

/**
 * Looks at an open job that should have moved: sends its message again when it is lost, ends it when its attempts
 * are used up, leaves its ticket again when it stands in a line. The message of an ended job leads a worker to the insight
 * that is to be taken back. The index entry is moved first, so that of many who look at once one sends.
 */
export const reviveJob =
  (ports: ReviveJobPorts) =>
  async (open: OpenJob, { servedUntil, placeIn }: Surroundings): Promise<Revival> => {
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
    if (isInQueue(stored.job, servedUntil)) return 'not due';
    if (await standsInLine(ports, { open, job: stored.job, placeIn, now })) return 'not due';
    if (!(await jobs.postpone(open, now + LOST_MESSAGE_MS))) return 'not due';
    await jobQueues[open.solution].enqueue(open, 0);
    return 'enqueued';
  };

/** Whether the job's message is late and not lost: the queue has not come as far. */
const isInQueue = (job: Job, servedUntil: number): boolean =>
  !isEnded(job) && job.lease === undefined && job.parked === undefined && checkAt(job) > servedUntil;

/** Whether the job waits for a place and needs no message; its ticket is left again, for the case that it was lost. */
async function standsInLine(
  { jobs, lines }: ReviveJobPorts,
  look: { readonly open: OpenJob; readonly job: Job; readonly placeIn: string | undefined; readonly now: number },
): Promise<boolean> {
  const { open, job, placeIn, now } = look;
  if (job.parked === undefined || job.parked.line === placeIn) return false;
  if (await jobs.postpone(open, now + PARKED_LOOK_MS)) {
    await lines.wait(job.parked.line, { ...open, askedAt: job.parked.askedAt });
  }
  return true;
}
