import { errorText } from '../telemetry/telemetry.js';
import { politeDelayMs } from '../retryDelay.js';
import { insightIdOf } from '../insights/insightId.js';
import { Attempt, AttemptLost } from './attempt.js';
import type { Job, JobKey } from './job.js';
import type { StoredJob } from './jobPorts.js';
import { mayRunAgain, nextRerun, ranAgain, type Rerun, runningAgain } from './rerun.js';
import type { RunJobOptions, RunJobPorts } from './runJob.js';

/**
 * Runs a job that SUCCEEDED without something once more. What it makes takes the place of the insight only when it is
 * better, and then in one write: at every moment there is a whole insight, the earlier or the better one. The job's
 * status, times and insight id stay; whatever goes wrong ends no job, and the next run tries again.
 */
export const runAgain =
  (ports: RunJobPorts, options: RunJobOptions) =>
  async (stored: StoredJob): Promise<void> => {
    const { job } = stored;
    const { rerun } = job;
    const now = ports.clock.now().getTime();
    if (rerun === undefined || !mayRunAgain(job, now)) return;
    const lease = { token: ports.newId(), until: now + options.leaseMs };
    const mine = await ports.jobs.replace(stored, runningAgain({ ...job, rerun }, lease, now));
    if (mine === undefined) return;
    const attempt = new Attempt(ports, mine, options.leaseMs);
    try {
      await putDown(ports, attempt, await runOnce(ports, options, attempt));
    } catch (error) {
      if (!(error instanceof AttemptLost)) throw error;
      ports.log('Job:AttemptLost', { ...keyOf(job) });
    } finally {
      await attempt.finish();
    }
  };

/** What is left to be done afterwards; undefined when nothing is. */
async function runOnce(ports: RunJobPorts, options: RunJobOptions, attempt: Attempt): Promise<Rerun | undefined> {
  const { rerun } = attempt.job;
  if (rerun === undefined) return undefined;
  const run: Run = { rerun, lacks: rerun.lacks, isUntold: rerun.untoldSince !== undefined };
  try {
    if (run.isUntold) await tellKept(ports, attempt);
    else await replaceInsight(ports, { options, attempt, run });
  } catch (error) {
    if (error instanceof AttemptLost) throw error;
    ports.log('Job:RerunFailed', { ...keyOf(attempt.job), runs: rerun.runs, cause: errorText(error) });
    if (run.isUntold) return toldLater(ports, options, run);
  }
  return nextRerun(rerun, run.lacks, ports.clock.now().getTime());
}

/** One run on its way. */
interface Run {
  readonly rerun: Rerun;
  /** What the insight that is there lacks. */
  lacks: string | undefined;
  /** The insight that is there may be another than the one that the data manager has. */
  isUntold: boolean;
}

async function tellKept({ publishInsight }: RunJobPorts, attempt: Attempt): Promise<void> {
  await attempt.hold();
  await publishInsight.publishKept(attempt.job, insightIdOf(attempt.job), attempt.signal);
}

interface Running {
  readonly options: RunJobOptions;
  readonly attempt: Attempt;
  readonly run: Run;
}

async function replaceInsight({ publishInsight, log }: RunJobPorts, { options, attempt, run }: Running): Promise<void> {
  const { job, signal } = attempt;
  const insightId = insightIdOf(job);
  const earlier = await publishInsight.findKept(job, insightId);
  if (earlier === undefined) throw new Error('The insight that was to be made again is not there.');
  const outcome = await attempt.untilLost(options.work(job, insightId, signal, earlier));
  if (outcome.kind === 'unchanged') run.lacks = outcome.lacks;
  if (outcome.kind !== 'done') return;
  await attempt.hold();
  run.isUntold = true;
  await publishInsight.publish(job, outcome.insight, signal);
  run.lacks = outcome.lacks;
  log('Job:InsightReplaced', {
    ...keyOf(job),
    runs: run.rerun.runs,
    ...(run.lacks === undefined ? {} : { lacks: run.lacks }),
  });
}

/** The data manager is told later: as long as a job waits for it, and then no more. */
function toldLater(
  { clock, random }: RunJobPorts,
  { patienceHours }: RunJobOptions,
  { rerun, lacks }: Run,
): Rerun | undefined {
  const now = clock.now().getTime();
  const untoldSince = rerun.untoldSince ?? now;
  if (now - untoldSince >= patienceHours * 3_600_000) return nextRerun(rerun, lacks, now);
  const dueAt = now + politeDelayMs(rerun.runs, random());
  return { dueAt, runs: rerun.runs, untoldSince, ...(lacks === undefined ? {} : { lacks }) };
}

/** @throws AttemptLost when another run has the job, or it is deleted */
async function putDown(ports: RunJobPorts, attempt: Attempt, next: Rerun | undefined): Promise<void> {
  const stored = await attempt.finish();
  if (!(await ports.jobs.end(stored, ranAgain(stored.job, next)))) throw new AttemptLost();
  await ports.lines.leaveAll(stored.job).catch((error: unknown) => {
    ports.log('Job:PlaceNotLeft', { ...keyOf(stored.job), cause: errorText(error) });
  });
}

const keyOf = ({ tenant, solution, jobId }: Job): JobKey => ({ tenant, solution, jobId });
