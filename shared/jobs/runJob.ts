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
import { claimDecision, claimed, MAX_ATTEMPTS, released, waiting, type JobKey } from './job.js';
import { endExhausted, endJob } from './endJob.js';
import type { JobQueues, JobStore } from './jobPorts.js';
import type { JobWork, WorkOutcome } from './jobWork.js';
import { withdrawInsight } from './withdrawInsight.js';

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
      await workOn(ports, options, attempt);
    } catch (error) {
      if (!(error instanceof AttemptLost)) throw error;
      ports.log('Job:AttemptLost', { ...key });
      await leaveWithdrawal(ports, attempt, options.leaseMs);
    } finally {
      await attempt.finish();
    }
  };

/** @throws AttemptLost when the job is somebody else's by now */
async function workOn(ports: RunJobPorts, { work, faults }: RunJobOptions, attempt: Attempt): Promise<void> {
  try {
    const outcome = await workUntilLost(work, attempt);
    await (outcome.kind === 'done' ? succeed(ports, attempt, outcome.insight) : wait(ports, attempt, outcome));
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    await fail(ports, attempt, asFailure(error, faults));
  }
}

async function claim(ports: RunJobPorts, key: JobKey, leaseMs: number): Promise<Attempt | undefined> {
  const stored = await ports.jobs.find(key);
  if (stored === undefined) return undefined;
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.job, now);
  if (decision === 'exhausted') await endExhausted(ports)(stored);
  if (decision === 'ended') await withdrawInsight(ports)(stored.job);
  if (decision !== 'claim') return undefined;
  const mine = await ports.jobs.replace(
    stored,
    claimed(stored.job, { token: ports.newId(), until: now + leaseMs }, now),
  );
  return mine === undefined ? undefined : new Attempt(ports, mine, leaseMs);
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
  await attempt.publish();
  await ports.publishInsight.publish(attempt.job, insight, attempt.signal);
  const stored = await attempt.finish();
  const done = await endJob(ports)(stored, { status: 'SUCCEEDED', insightId: insight.insightId });
  // A cancel that came while the insight was being published wins.
  if (done === undefined) throw new AttemptLost();
}

/**
 * The job was taken from an attempt that may have published: when it ended without success, a look is put down after
 * which nothing of this attempt is on its way any more. The end itself did so too, but a host that stood still may
 * have published after that.
 */
async function leaveWithdrawal({ jobs, clock }: RunJobPorts, { job }: Attempt, leaseMs: number): Promise<void> {
  if (job.isPublishing !== true) return;
  const current = (await jobs.find(job))?.job;
  if (current?.withdrawAt !== undefined) await jobs.putOpen(job, clock.now().getTime() + leaseMs);
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
    if ((await endJob(ports)(stored, { status: 'FAILED', failure: text })) === undefined) throw new AttemptLost();
    return;
  }
  const pause = Math.max(retryDelayMs(job.attempt, ports.random()), (failure.retryAfterSeconds ?? 0) * 1000);
  const next = await ports.jobs.replace(stored, released(job, { dueAt: now + pause, failure: text }, now));
  if (next === undefined) throw new AttemptLost();
  await ports.jobQueues[job.solution].enqueue(job, pause);
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
