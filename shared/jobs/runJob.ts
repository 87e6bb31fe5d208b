import type { JobFault } from '../errors/fault.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import type { Clock } from '../clock.js';
import { DataManagerError } from '../dataManager/dataManager.js';
import { JobFailure } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import { retryDelayMs } from '../retryDelay.js';
import { insightIdOf } from '../insights/insightId.js';
import type { Insight } from '../insights/insight.js';
import type { PublishInsight } from '../insights/publishInsight.js';
import { Attempt, AttemptLost } from './attempt.js';
import { claimDecision, claimed, isEnded, MAX_ATTEMPTS, released, waiting, type Job, type JobKey } from './job.js';
import { endExhausted, endJob } from './endJob.js';
import type { JobQueues, JobStore } from './jobPorts.js';
import type { JobWork, WorkOutcome } from './jobWork.js';

export interface RunJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly publishInsight: PublishInsight;
  readonly clock: Clock;
  readonly newId: NewId;
  /** 0 ≤ random < 1 */
  readonly random: () => number;
  readonly log: Log;
}

/** The solution's faults for what can go wrong around its work. */
export interface RunFaults {
  readonly unexpected: JobFault;
  readonly dataManagerDenied: JobFault;
  readonly dataManagerUnavailable: JobFault;
}

export interface RunJobOptions {
  readonly work: JobWork;
  readonly faults: RunFaults;
  readonly leaseMs: number;
}

/** Until the next try to take back what was published for a job that has not succeeded. */
const WITHDRAWAL_PAUSE_MS = 60_000;

/**
 * Does one attempt of a job for a message that names it: claim, work, publish, end. A message for a job that has
 * ended, that another attempt owns or that isn't due yet is dropped: the row is the truth, not the message.
 */
export const runJob =
  (ports: RunJobPorts, options: RunJobOptions) =>
  async (key: JobKey): Promise<void> => {
    const attempt = await claim(ports, key, options.leaseMs);
    if (attempt === undefined) return;
    try {
      const outcome = await workUntilLost(options.work, attempt);
      await (outcome.kind === 'done' ? succeed(ports, attempt, outcome.insight) : wait(ports, attempt, outcome));
    } catch (error) {
      if (error instanceof AttemptLost) ports.log('Job:AttemptLost', { ...key });
      else await fail(ports, attempt, asFailure(error, options.faults));
    } finally {
      await attempt.finish();
    }
  };

async function claim(ports: RunJobPorts, key: JobKey, leaseMs: number): Promise<Attempt | undefined> {
  const stored = await ports.jobs.find(key);
  if (stored === undefined) return undefined;
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.job, now);
  if (decision === 'exhausted') await endExhausted(ports)(stored);
  if (decision === 'ended') await withdrawLeft(ports, stored.job);
  if (decision !== 'claim') return undefined;
  const mine = await ports.jobs.replace(
    stored,
    claimed(stored.job, { token: ports.newId(), until: now + leaseMs }, now),
  );
  return mine === undefined ? undefined : new Attempt(ports, mine, leaseMs);
}

/**
 * An attempt that died or failed may have published before its job was cancelled or FAILED: the job's message, delivered
 * again, leads here.
 */
async function withdrawLeft({ publishInsight }: RunJobPorts, job: Job): Promise<void> {
  if (job.status === 'SUCCEEDED' || job.startedAt === undefined) return;
  await publishInsight.withdraw(job, insightIdOf(job));
}

/** The outcome of the work, or the abort of the attempt when that comes first: work that hangs must not keep it. */
async function workUntilLost(work: JobWork, attempt: Attempt): Promise<WorkOutcome> {
  const { job, signal } = attempt;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason instanceof Error ? signal.reason : new AttemptLost());
    });
  });
  return Promise.race([work(job, insightIdOf(job), signal), aborted]);
}

/** Effect first, status after: an insight that no job points to is invisible, a status without insight would lie. */
async function succeed(ports: RunJobPorts, attempt: Attempt, insight: Insight): Promise<void> {
  await attempt.renew();
  await ports.publishInsight.publish(attempt.job, insight, attempt.signal);
  const stored = await attempt.finish();
  const done = await endJob(ports)(stored, { status: 'SUCCEEDED', insightId: insight.insightId });
  // A cancel that came while the insight was being published wins.
  if (done === undefined) await takeBack(ports, (await ports.jobs.find(stored.job))?.job);
}

/** Takes back what was published for a job that has ended otherwise, later if not now. */
async function takeBack(ports: RunJobPorts, job: Job | undefined): Promise<void> {
  if (job === undefined || !isEnded(job)) return;
  try {
    await withdrawLeft(ports, job);
  } catch (error) {
    ports.log('Job:NotWithdrawn', { ...keyOf(job), cause: errorText(error) });
    await ports.jobQueues[job.solution].enqueue(job, WITHDRAWAL_PAUSE_MS);
  }
}

async function wait(ports: RunJobPorts, attempt: Attempt, outcome: WorkOutcome & { kind: 'waiting' }): Promise<void> {
  const stored = await attempt.finish();
  const now = ports.clock.now().getTime();
  const next = await ports.jobs.replace(stored, waiting(stored.job, outcome, now));
  if (next !== undefined)
    await ports.jobQueues[stored.job.solution].enqueue(stored.job, Math.max(0, outcome.dueAt - now));
}

async function fail(ports: RunJobPorts, attempt: Attempt, failure: JobFailure): Promise<void> {
  const stored = await attempt.finish();
  const { job } = stored;
  const now = ports.clock.now().getTime();
  const text = `${failure.fault.code}: ${failure.message}`;
  ports.log('Job:AttemptFailed', {
    ...keyOf(job),
    attempt: job.attempt,
    code: failure.fault.code,
    failure: text,
    cause: errorText(failure.cause),
  });
  if (!failure.fault.retryable || job.attempt >= MAX_ATTEMPTS) {
    await takeBack(ports, await endJob(ports)(stored, { status: 'FAILED', failure: text }));
    return;
  }
  const pause = Math.max(retryDelayMs(job.attempt, ports.random()), (failure.retryAfterSeconds ?? 0) * 1000);
  const next = await ports.jobs.replace(stored, released(job, { dueAt: now + pause, failure: text }, now));
  if (next !== undefined) await ports.jobQueues[job.solution].enqueue(job, pause);
}

function asFailure(error: unknown, faults: RunFaults): JobFailure {
  if (error instanceof JobFailure) return error;
  if (error instanceof DataManagerError) return dataManagerFailure(error, faults);
  const text = 'The attempt ended with an error of the service. Create the job again under a new id.';
  return new JobFailure(faults.unexpected, text, { cause: error });
}

function dataManagerFailure(error: DataManagerError, faults: RunFaults): JobFailure {
  const { kind, retryAfterSeconds } = error;
  if (kind === 'denied') {
    const text =
      'The data manager refuses this service. Ask your administrator to grant it access, then create a new job.';
    return new JobFailure(faults.dataManagerDenied, text, { cause: error });
  }
  if (kind === 'throttled' || kind === 'unavailable') {
    const text = 'The data manager could not be reached. Create the job again later.';
    const options = retryAfterSeconds === undefined ? { cause: error } : { cause: error, retryAfterSeconds };
    return new JobFailure(faults.dataManagerUnavailable, text, options);
  }
  const text = 'The data manager does not take the insight of this job. Tell us the e2eId of the job.';
  return new JobFailure(faults.unexpected, text, { cause: error });
}

const keyOf = ({ tenant, solution, jobId }: JobKey): JobKey => ({ tenant, solution, jobId });
