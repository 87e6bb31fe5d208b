import { insightIdOf } from './insightId.js';
import { politeDelayMs, usualPace } from '../../kit/retryDelay.js';
import { errorText } from '../../kit/telemetry/telemetry.js';
import { AttemptLost, type Attempt } from '../../work/item/attempt.js';
import { jobsLaneOf } from '../../work/lanes/lane.js';
import { failureOf, type RetryPolicies } from '../../work/item/retry.js';
import type { Outcome, Step } from '../../work/item/workKind.js';
import { workOf, type Job, type Rerun } from '../job.js';
import type { StoredJob } from '../jobPorts.js';
import { changeOf, jobKey } from '../jobRows.js';
import { noticeOfInsight } from './jobNotices.js';
import { RERUN, TELL, type JobKindOptions, type JobKindPorts } from './jobSteps.js';
import { begunRerun, nextRerun, withRerun, type DueRerun } from '../rerun.js';

const HOUR_MS = 3_600_000;

/** Deaths of runs; a run itself never fails. */
const retry: RetryPolicies = {
  fault: { ...usualPace, maximumAttempts: 5 },
  outage: usualPace,
  refusal: usualPace,
};

export interface RerunOf {
  readonly stored: StoredJob;
  readonly rerun: Rerun;
}

/**
 * Runs a job that SUCCEEDED without something once more. What it makes takes the place of the insight only when it is
 * better, and then in one write: at every moment there is a whole insight, the earlier or the better one. The job's
 * status, times and insight id stay; whatever goes wrong ends no job, and the next run tries again.
 */
export function rerunStep(ports: JobKindPorts, options: JobKindOptions, { stored, rerun: before }: RerunOf): Step {
  const rerun = begunRerun(before, ports.clock.now().getTime());
  let { job } = stored;
  const outcomeOf = async (attempt: Attempt, next: DueRerun | undefined, isTold: boolean): Promise<Outcome> => {
    const update = { insightId: insightIdOf(job), run: rerun.runs, isFinal: next === undefined };
    const telling = isTold
      ? await ports.tellOfJob(job, noticeOfInsight(job, update, ports.clock.now().getTime()))
      : undefined;
    const change = changeOf({ job, etag: attempt.etagOf(jobKey(job)) }, withRerun(job, next));
    const beside = [...change, ...(telling?.actions ?? [])];
    const after = telling?.send;
    if (next === undefined) return { kind: 'done', beside, after };
    const place = { step: next.untoldSince === undefined ? RERUN : TELL };
    const leaving = { askAgainIn: jobsLaneOf(workOf(job)) };
    return { kind: 'wait', until: next.dueAt, place, leaving, hasProgress: true, beside, after };
  };
  return {
    retry,
    waitsWhileHeld: true,
    failureOf: (error) => ({ ...failureOf(error), place: { step: RERUN } }),
    claim: ({ epoch }) => {
      job = { ...job, epoch, rerun };
      return changeOf(stored, job);
    },
    run: async (attempt) => {
      const run: Run = { job, rerun, lacks: rerun.lacks, isUntold: rerun.untoldSince !== undefined };
      const next = await runOnce(ports, { options, attempt, run });
      // Callers hear of a better insight when the data manager has it, or never will.
      return outcomeOf(attempt, next, run.isUntold && next?.untoldSince === undefined);
    },
    giveUp: (attempt) => outcomeOf(attempt, undefined, rerun.untoldSince !== undefined),
  };
}

/** One run on its way. */
interface Run {
  readonly job: Job;
  readonly rerun: Rerun;
  /** What the insight that is there lacks. */
  lacks: string | undefined;
  /** The insight that is there may be another than the one that the data manager has. */
  isUntold: boolean;
}

interface Running {
  readonly options: JobKindOptions;
  readonly attempt: Attempt;
  readonly run: Run;
}

/** What is left to be done afterwards; undefined when nothing is. */
async function runOnce(ports: JobKindPorts, running: Running): Promise<DueRerun | undefined> {
  const { run, options, attempt } = running;
  try {
    if (run.isUntold) await tellKept(ports, running);
    else await replaceInsight(ports, running);
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    attempt.signal.throwIfAborted();
    ports.log('Job:RerunFailed', { ...namesOf(run.job), runs: run.rerun.runs, cause: errorText(error) });
    if (run.isUntold) return toldLater(ports, options, run);
  }
  return nextRerun(run.rerun, run.lacks, ports.clock.now().getTime());
}

async function tellKept({ publishInsight }: JobKindPorts, { attempt, run: { job } }: Running): Promise<void> {
  await attempt.hold();
  await publishInsight.publishKept(job, insightIdOf(job), attempt);
}

async function replaceInsight(
  { publishInsight, log }: JobKindPorts,
  { options, attempt, run }: Running,
): Promise<void> {
  const { job } = run;
  const insightId = insightIdOf(job);
  const earlier = await publishInsight.findKept(job, insightId);
  if (earlier === undefined) throw new Error('The insight that was to be made again is not there.');
  const outcome = await attempt.untilLost(options.work(job, insightId, attempt.signal, earlier));
  if (outcome.kind === 'unchanged') run.lacks = outcome.lacks;
  if (outcome.kind !== 'done') return;
  await attempt.hold();
  run.isUntold = true;
  if (!(await publishInsight.publish(job, outcome.insight, attempt))) throw new AttemptLost();
  run.lacks = outcome.lacks;
  const lacks = run.lacks === undefined ? {} : { lacks: run.lacks };
  log('Job:InsightReplaced', { ...namesOf(job), runs: run.rerun.runs, ...lacks });
}

/** The data manager is told later: as long as a job waits for it, and then no more. */
function toldLater(
  { clock, random }: JobKindPorts,
  { patienceHours }: JobKindOptions,
  { rerun, lacks }: Run,
): DueRerun | undefined {
  const now = clock.now().getTime();
  const untoldSince = rerun.untoldSince ?? now;
  if (now - untoldSince >= patienceHours * HOUR_MS) return nextRerun(rerun, lacks, now);
  const dueAt = now + politeDelayMs(rerun.runs, random());
  return { dueAt, runs: rerun.runs, untoldSince, ...(lacks === undefined ? {} : { lacks }) };
}

const namesOf = ({ tenant, solution, jobId }: Job) => ({ tenant, solution, jobId });
