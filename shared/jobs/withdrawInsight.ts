import type { Clock } from '../clock.js';
import { insightIdOf } from '../insights/insightId.js';
import type { PublishInsight } from '../insights/publishInsight.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import { LOST_MESSAGE_MS, type Job } from './job.js';
import type { JobStore, OpenJob } from './jobPorts.js';

export interface WithdrawInsightPorts {
  readonly jobs: JobStore;
  readonly publishInsight: PublishInsight;
  readonly clock: Clock;
  /** 0 ≤ random < 1. */
  readonly random: () => number;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
const FIRST_PAUSE_MS = LOST_MESSAGE_MS;
const LONGEST_PAUSE_MS = 6 * 3_600_000;

/**
 * Takes back what was published for a job that ended CANCELLED or FAILED. The job stays on the index of open jobs until
 * everything is taken back, or, where the data manager refuses that for longer than the service has patience with what
 * refuses it, until our own record is gone: nobody can see the insight here, and what the data manager keeps is its own.
 */
export const withdrawInsight =
  (ports: WithdrawInsightPorts, patienceHours: number) =>
  async (job: Job): Promise<void> => {
    const { jobs, publishInsight, clock } = ports;
    const { withdrawAt, createdAt } = job;
    if (withdrawAt === undefined || withdrawAt > clock.now().getTime()) return;
    const open = await jobs.findOpen(job);
    if (open === undefined) return;
    // An operator may open the job again meanwhile: what it publishes then is not to be touched.
    const isWanted = async (): Promise<boolean> => {
      const current = (await jobs.find(job))?.job;
      return current?.createdAt === createdAt && current.withdrawAt !== undefined;
    };
    try {
      await publishInsight.withdraw(job, insightIdOf(job), isWanted);
    } catch (error) {
      if (!(await isGivenUp(ports, { job, open, isWanted, patienceHours, cause: errorText(error) }))) return;
    }
    await jobs.dropOpen(open);
  };

interface RefusedLook {
  readonly job: Job;
  readonly open: OpenJob;
  readonly isWanted: () => Promise<boolean>;
  readonly patienceHours: number;
  readonly cause: string | undefined;
}

/** Puts the next look off; when the patience is over, removes our record instead. @returns whether it is over */
async function isGivenUp(ports: WithdrawInsightPorts, look: RefusedLook): Promise<boolean> {
  const { jobs, publishInsight, clock, random, log } = ports;
  const { job, open, isWanted, patienceHours, cause } = look;
  const { tenant, solution, jobId } = job;
  const now = clock.now().getTime();
  const { count, since } = open.refused ?? { count: 0, since: now };
  if (now - since < patienceHours * HOUR_MS) {
    log('Job:NotWithdrawn', { tenant, solution, jobId, cause });
    await jobs.postpone(open, now + pauseMs(count, random()), { count: count + 1, since });
    return false;
  }
  if (await isWanted()) await publishInsight.abandon(job, insightIdOf(job));
  log('Job:WithdrawalGivenUp', { tenant, solution, jobId, hours: Math.round((now - since) / HOUR_MS), cause });
  return true;
}

/** 2 min · 2^count, at most 6 h, of which a random half. */
function pauseMs(count: number, random: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_PAUSE_MS);
  return Math.round(longest / 2 + (longest / 2) * random);
}
