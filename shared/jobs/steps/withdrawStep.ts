import type { JsonObject } from '../../kit/json/json.js';
import type { Attempt } from '../../work/item/attempt.js';
import { failureOf, type RetryPolicy } from '../../work/item/retry.js';
import { newItem, takenOver, type Place } from '../../work/item/workItem.js';
import { done, type Outcome, type Step } from '../../work/item/workKind.js';
import { insightIdOf } from './insightId.js';
import { leavesInsight, workOf, type JobKey } from '../job.js';
import type { StoredJob } from '../jobPorts.js';
import { changeOf } from '../jobRows.js';
import { WITHDRAW, type JobKindOptions, type JobKindPorts } from './jobSteps.js';

const HOUR_MS = 3_600_000;

/** 2 min, 4 min, … 6 h. */
const pace = { initialMs: 2 * 60_000, coefficient: 2, maximumMs: 6 * HOUR_MS };

/**
 * Takes back what was published for a job that ended CANCELLED or FAILED, until everything is taken back or, where the
 * data manager refuses that for longer than the service has patience with what refuses it, until our own record is gone:
 * nobody can see the insight here, and what the data manager keeps is its own.
 */
export function withdrawStep(
  ports: JobKindPorts,
  { patienceHours }: JobKindOptions,
  { stored, place = { step: WITHDRAW } }: { readonly stored: StoredJob; readonly place?: Place | undefined },
): Step {
  const { jobs, publishInsight, log } = ports;
  const insightId = insightIdOf(stored.job);
  let { job } = stored;
  // An operator may open the job again meanwhile: what it publishes then is not to be touched.
  const isWanted = async (): Promise<boolean> => {
    const current = (await jobs.find(job))?.job;
    return current !== undefined && leavesInsight(current) && current.epoch === job.epoch;
  };
  const policy: RetryPolicy = { ...pace, maximumElapsedMs: patienceHours * HOUR_MS };
  return {
    retry: { fault: policy, outage: policy, refusal: policy },
    claim: ({ epoch }) => {
      job = { ...job, epoch: Math.max(epoch, job.epoch) };
      return changeOf(stored, job);
    },
    // Whatever refuses, our own faults too: the time alone ends it.
    failureOf: (error) => ({ ...failureOf(error), failureClass: 'outage', place }),
    run: async (): Promise<Outcome> => {
      await publishInsight.withdraw(job, insightId, isWanted, place.state);
      return done;
    },
    giveUp: async ({ item }: Attempt, reason): Promise<Outcome> => {
      if (await isWanted()) await publishInsight.abandon(job, insightId);
      const { tenant, solution, jobId } = job;
      const { since = item.createdAt } = item.failures.outage ?? {};
      const hours = Math.round((ports.clock.now().getTime() - since) / HOUR_MS);
      const after = () => {
        log('Job:WithdrawalGivenUp', { tenant, solution, jobId, hours, cause: reason });
      };
      return { kind: 'done', after };
    },
  };
}

/** Others may write at the same time; each of them can win only a handful of times. */
const TRIES = 10;

/**
 * Has what was published for a job that ended without success taken back, whether or not that was done; nothing for any
 * other job.
 *
 * @param trace what can be taken back at the data manager without our own record
 */
export async function withdrawAgain(
  { jobs, clock }: Pick<JobKindPorts, 'jobs' | 'clock'>,
  key: JobKey,
  trace: JsonObject,
): Promise<void> {
  const now = clock.now().getTime();
  const place = { step: WITHDRAW, state: trace };
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const [stored, open] = await Promise.all([jobs.find(key), jobs.findWork(key)]);
    if (stored === undefined || !leavesInsight(stored.job)) return;
    const { job } = stored;
    const anew = { ...newItem(workOf(job), now, job.epoch), place, checkAt: now };
    const item = open === undefined ? anew : takenOver(open.item, { place, epoch: job.epoch }, now);
    if (await jobs.replace(stored, job, open, { item })) return;
  }
}
