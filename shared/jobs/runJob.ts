import type { JobFault } from '../errors/fault.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import type { Clock } from '../clock.js';
import { DataManagerError } from '../dataManager/dataManager.js';
import { JobFailure } from '../errors/serviceError.js';
import type { NewId } from '../ids.js';
import { politeDelayMs } from '../retryDelay.js';
import { insightIdOf } from '../insights/insightId.js';
import type { PublishInsight } from '../insights/publishInsight.js';
import { ForeignTenantRefusal } from '../tenants/foreignTenant.js';
import { TenantNotServed } from '../tenants/servedTenant.js';
import { Attempt, AttemptLost } from './attempt.js';
import {
  askingLater,
  checkAt,
  claimDecision,
  claimed,
  MAX_ATTEMPTS,
  parked,
  refused,
  released,
  waiting,
  type Job,
  type JobKey,
} from './job.js';
import { endExhausted, endJob } from './endJob.js';
import type { JobQueues, JobStore, StoredJob } from './jobPorts.js';
import { tenantOfWorkLine } from './line.js';
import type { Lines } from './lines.js';
import type { JobWork, WorkOutcome } from './jobWork.js';
import { outageWith } from './outage.js';
import { firstRerun } from './rerun.js';
import { runAgain } from './runAgain.js';
import { withdrawInsight } from './withdrawInsight.js';

export interface RunJobPorts {
  readonly jobs: JobStore;
  readonly jobQueues: JobQueues;
  readonly lines: Pick<Lines, 'leaveAll' | 'parked'>;
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
  readonly tenantNotServed: JobFault;
  readonly foreignTenantRefuses: JobFault;
}

export interface RunJobOptions {
  readonly work: JobWork;
  readonly faults: RunFaults;
  readonly leaseMs: number;
  /** How long a job waits for what refuses it from outside. */
  readonly patienceHours: number;
}

/** Whoever waits as long as this, or longer, gives up its place in its tenant's line. */
const LONG_PAUSE_MS = 2 * 60_000;

/** The phase of a job whose insight is computed and kept with us, and that the data manager has not taken yet. */
const PUBLICATION = 'publication';

/**
 * Does one attempt of a job for a message that names it: claim, work, publish, end. A message for a job that has
 * ended, that another attempt owns or that isn't due yet is dropped: the row is the truth, not the message.
 */
export const runJob =
  (ports: RunJobPorts, options: RunJobOptions) =>
  async (key: JobKey): Promise<void> => {
    const stored = await ports.jobs.find(key);
    if (stored?.job.rerun !== undefined) return runAgain(ports, options)(stored);
    const attempt = stored && (await claim(ports, stored, options));
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
async function workOn(ports: RunJobPorts, options: RunJobOptions, attempt: Attempt): Promise<void> {
  let computed = keptOf(attempt.job);
  try {
    if (computed !== undefined && (await publishKept(ports, attempt, computed))) return;
    computed = undefined;
    const outcome = await attempt.untilLost(options.work(attempt.job, insightIdOf(attempt.job), attempt.signal));
    if (outcome.kind === 'done') {
      computed = outcome.lacks === undefined ? {} : { lacks: outcome.lacks };
      await succeed(ports, attempt, outcome);
    } else await giveBack(ports, attempt, outcome);
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    await fail(ports, attempt, { failure: asFailure(error, options.faults), computed, options });
  }
}

/** An insight that is computed and kept with us, and what it lacks. */
interface Computed {
  readonly lacks?: string;
}

/** What an earlier look has computed and the data manager has not taken yet. */
function keptOf({ waiting: place }: Job): Computed | undefined {
  if (place?.phase !== PUBLICATION) return undefined;
  const { lacks } = place.state;
  return typeof lacks === 'string' ? { lacks } : {};
}

/** Publishes what an earlier look has computed; false when it is not there any more. */
async function publishKept(ports: RunJobPorts, attempt: Attempt, { lacks }: Computed): Promise<boolean> {
  const insightId = insightIdOf(attempt.job);
  await attempt.hold();
  if (!(await ports.publishInsight.publishKept(attempt.job, insightId, attempt.signal))) return false;
  await endPublished(ports, attempt, insightId, lacks);
  return true;
}

async function claim(
  ports: RunJobPorts,
  stored: StoredJob,
  { leaseMs, patienceHours }: RunJobOptions,
): Promise<Attempt | undefined> {
  const now = ports.clock.now().getTime();
  const decision = claimDecision(stored.job, now);
  if (decision === 'exhausted') await endExhausted(ports)(stored);
  if (decision === 'ended') await withdrawInsight(ports, patienceHours)(stored.job);
  if (decision !== 'claim') return undefined;
  const mine = await ports.jobs.replace(
    stored,
    claimed(stored.job, { token: ports.newId(), until: now + leaseMs }, now),
  );
  if (mine === undefined) return undefined;
  const redrive = mine.job.redrives?.at(-1);
  // The command ran on the operator's machine: here its trace reaches the log of the service.
  if (redrive !== undefined && mine.job.attempt === 1) ports.log('Job:Redriven', { ...keyOf(mine.job), ...redrive });
  return new Attempt(ports, mine, leaseMs);
}

/** Effect first, status after: an insight that no job points to is invisible, a status without insight would lie. */
async function succeed(
  ports: RunJobPorts,
  attempt: Attempt,
  { insight, lacks }: WorkOutcome & { kind: 'done' },
): Promise<void> {
  await attempt.hold();
  await ports.publishInsight.publish(attempt.job, insight, attempt.signal);
  await endPublished(ports, attempt, insight.insightId, lacks);
}

async function endPublished(
  ports: RunJobPorts,
  attempt: Attempt,
  insightId: string,
  lacks: string | undefined,
): Promise<void> {
  const stored = await attempt.finish();
  const rerun = lacks === undefined ? {} : { rerun: firstRerun(lacks, ports.clock.now().getTime()) };
  const done = await endJob(ports)(stored, { status: 'SUCCEEDED', insightId, ...rerun });
  // A cancel that came while the insight was being published wins.
  if (done === undefined) throw new AttemptLost();
}

async function giveBack(
  ports: RunJobPorts,
  attempt: Attempt,
  outcome: Exclude<WorkOutcome, { kind: 'done' }>,
): Promise<void> {
  if (outcome.kind === 'waiting') return wait(ports, attempt, outcome);
  if (outcome.kind === 'parked') return park(ports, attempt, outcome);
  throw new Error('A job that has no insight yet cannot leave it unchanged.');
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

async function park(ports: RunJobPorts, attempt: Attempt, outcome: WorkOutcome & { kind: 'parked' }): Promise<void> {
  const stored = await attempt.finish();
  const { kind: _kind, ...place } = outcome;
  const next = await ports.jobs.replace(stored, parked(stored.job, place, ports.clock.now().getTime()));
  if (next !== undefined) await ports.lines.parked(outcome.line, stored.job);
}

interface FailedLook {
  readonly failure: JobFailure;
  /** Set when only the publication of the insight failed. */
  readonly computed: Computed | undefined;
  readonly options: RunJobOptions;
}

async function fail(ports: RunJobPorts, attempt: Attempt, look: FailedLook): Promise<void> {
  const { fault, message, cause } = look.failure;
  const stored = await attempt.finish();
  const { job } = stored;
  const failure = `${fault.code}: ${message}`;
  const publishing = look.computed === undefined ? {} : { isPublishing: true };
  const facts = {
    ...keyOf(job),
    attempt: job.attempt,
    code: fault.code,
    ...publishing,
    failure,
    cause: errorText(cause),
  };
  ports.log('Job:AttemptFailed', facts);
  const next = nextAfter(job, look, { now: ports.clock.now().getTime(), random: ports.random() });
  if (next === undefined) {
    if ((await endJob(ports)(stored, { status: 'FAILED', failure })) === undefined) throw new AttemptLost();
    return;
  }
  const line =
    next.pauseMs < LONG_PAUSE_MS ? undefined : job.lines?.find((name) => tenantOfWorkLine(name) !== undefined);
  if (line !== undefined) return waitWithoutPlace(ports, stored, askingLater(next.job, line));
  if ((await ports.jobs.replace(stored, next.job)) === undefined) throw new AttemptLost();
  await ports.jobQueues[job.solution].enqueue(job, next.pauseMs);
}

/** Gives the place to the next meanwhile: one that waits for long is not at work. The sweep asks for a place again. */
async function waitWithoutPlace({ jobs, lines }: RunJobPorts, stored: StoredJob, next: Job): Promise<void> {
  if ((await jobs.replace(stored, next)) === undefined) throw new AttemptLost();
  await jobs.putOpen(next, checkAt(next));
  await lines.leaveAll(stored.job);
}

/** The job as it goes on after a look that failed, and the pause before that; undefined when it is given up. */
function nextAfter(
  job: Job,
  { failure, computed, options }: FailedLook,
  { now, random }: { readonly now: number; readonly random: number },
): { readonly job: Job; readonly pauseMs: number } | undefined {
  const { fault, message, retryAfterSeconds: askedSeconds } = failure;
  const text = `${fault.code}: ${message}`;
  const { dependency, code } = fault;
  if (dependency === undefined) {
    if (!fault.retryable || job.attempt >= MAX_ATTEMPTS) return undefined;
    const pauseMs = politeDelayMs(job.attempt, random, askedSeconds);
    return { job: released(job, { dueAt: now + pauseMs, failure: text }, now), pauseMs };
  }
  const history = { before: job.outage, startedAt: job.startedAt ?? job.createdAt };
  const outage = outageWith({ dependency, code, askedSeconds, at: now }, history, options.patienceHours);
  if (now >= outage.until) return undefined;
  const pauseMs = Math.min(politeDelayMs(outage.refusals, random, askedSeconds), outage.until - now);
  const where = computed === undefined ? {} : { waiting: { phase: PUBLICATION, state: { ...computed } } };
  return { job: refused(job, { dueAt: now + pauseMs, failure: text, outage, ...where }, now), pauseMs };
}

function asFailure(error: unknown, faults: RunFaults): JobFailure {
  if (error instanceof JobFailure) return error;
  if (error instanceof DataManagerError) return dataManagerFailure(error, faults);
  if (error instanceof ForeignTenantRefusal) {
    const text = `${error.message} Then create a new job.`;
    return new JobFailure(faults.foreignTenantRefuses, text, { cause: error });
  }
  if (error instanceof TenantNotServed) {
    const { tenantNotServed } = faults;
    return new JobFailure(tenantNotServed, `${error.message} ${tenantNotServed.remedy}`, { cause: error });
  }
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
