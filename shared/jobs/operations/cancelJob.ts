import type { Fault } from '../../kit/errors/fault.js';
import { changedByOthers } from '../../kit/errors/changedByOthers.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { Enqueuer } from '../../work/enqueue.js';
import type { Lanes } from '../../work/lanes/lanes.js';
import { takenOver, type WorkItem } from '../../work/item/workItem.js';
import type { StoredWork } from '../../work/item/workStore.js';
import { ended, isEnded, leavesInsight, type Job, type JobKey } from '../job.js';
import { WITHDRAW } from '../steps/jobSteps.js';
import { noticeOfEnd, type TellOfJob } from '../steps/jobNotices.js';
import { sayEnd } from '../steps/sayEnd.js';
import type { StoredJob } from '../jobPorts.js';
import type { JobStore } from '../jobStore.js';

export interface CancelJobPorts {
  readonly jobs: JobStore;
  readonly work: Pick<Enqueuer, 'send'>;
  readonly lanes: Pick<Lanes, 'leaveAll'>;
  readonly tellOfJob: TellOfJob;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export interface CancelFaults {
  readonly unknown: Fault;
  readonly notCancellable: Fault;
}

/** Others may write the rows at the same time, a lease is renewed: each of them can win only a handful of times. */
const TRIES = 10;

/**
 * Ends a job of the tenant as CANCELLED, from WAITING or RUNNING. The first end is final: whoever loses against the
 * attempt gets `notCancellable`. What an attempt may have published is taken back once its lease is over.
 */
export const cancelJob =
  (ports: CancelJobPorts, faults: CancelFaults) =>
  async (key: JobKey): Promise<Job> => {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const [stored, open] = await Promise.all([ports.jobs.find(key), ports.jobs.findWork(key)]);
      if (stored === undefined) throw new ServiceError(faults.unknown, `No job has the id ${key.jobId}.`);
      if (isEnded(stored.job)) throw notCancellable(faults, stored.job);
      const cancelled = await cancel(ports, stored, open);
      if (cancelled !== undefined) return cancelled;
    }
    throw changedByOthers('the job');
  };

/** @returns undefined when somebody else has changed the job or its work item */
async function cancel(
  { jobs, work, lanes, tellOfJob, clock, log }: CancelJobPorts,
  stored: StoredJob,
  open: StoredWork | undefined,
): Promise<Job | undefined> {
  const now = clock.now().getTime();
  const cancelled = ended(stored.job, { status: 'CANCELLED' }, now);
  const item = open && withdrawal(open.item, cancelled, now);
  const telling = await tellOfJob(cancelled, noticeOfEnd(cancelled));
  if (!(await jobs.replace(stored, cancelled, open, { item, beside: telling.actions }))) return undefined;
  sayEnd(log, cancelled, { attempt: open?.item.attempts ?? 0, now });
  if (open !== undefined) lanes.leaveAll(open.item);
  if (item !== undefined && item.notBefore <= now) await work.send(item);
  await telling.send();
  return cancelled;
}

/** What is left to be done about a job that was cancelled; undefined when nothing can have been published. */
const withdrawal = (item: WorkItem, job: Job, now: number): WorkItem | undefined =>
  leavesInsight(job) ? takenOver(item, { place: { step: WITHDRAW }, epoch: job.epoch }, now) : undefined;

const notCancellable = (faults: CancelFaults, { status }: Job): ServiceError =>
  new ServiceError(
    faults.notCancellable,
    `Invalid job status for the cancel operation: the job is ${status}; only a WAITING or RUNNING job can be cancelled.`,
  );
