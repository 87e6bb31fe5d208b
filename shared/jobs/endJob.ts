import type { Clock } from '../clock.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import { ended, type Job, type JobEnd } from './job.js';
import type { JobStore, StoredJob } from './jobPorts.js';
import type { Lines } from './lines.js';

export interface EndJobPorts {
  readonly jobs: JobStore;
  readonly lines: Pick<Lines, 'leaveAll'>;
  readonly clock: Clock;
  readonly log: Log;
}

const events = { SUCCEEDED: 'Job:Succeeded', FAILED: 'Job:Failed', CANCELLED: 'Job:Cancelled' } as const;

/** Ends a job, says so once and gives its places to the next; undefined when somebody else has changed the job since it was read. */
export const endJob =
  ({ jobs, lines, clock, log }: EndJobPorts) =>
  async (stored: StoredJob, end: JobEnd): Promise<Job | undefined> => {
    const now = clock.now().getTime();
    const job = ended(stored.job, end, now);
    if (!(await jobs.end(stored, job))) return undefined;
    const { tenant, solution, jobId, attempt, createdAt, failure } = job;
    const facts = { tenant, solution, jobId, attempt, seconds: (now - createdAt) / 1000 };
    log(events[end.status], { ...facts, outcome: end.status, ...(failure === undefined ? {} : { failure }) });
    // The end is written: whatever fails now, the sweep finds that the job needs no place any more.
    await lines.leaveAll(stored.job).catch((error: unknown) => {
      log('Job:PlaceNotLeft', { tenant, solution, jobId, cause: errorText(error) });
    });
    return job;
  };

/** Ends a job whose attempts are used up, with the reason of the last one. */
export const endExhausted =
  (ports: EndJobPorts) =>
  (stored: StoredJob): Promise<Job | undefined> =>
    endJob(ports)(stored, { status: 'FAILED', failure: stored.job.failure ?? 'Every attempt was cut short.' });
