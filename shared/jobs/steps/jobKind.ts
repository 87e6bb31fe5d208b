import { failureOf, type RetryPolicies } from '../../work/item/retry.js';
import { usualPace } from '../../kit/retryDelay.js';
import { done, type Step, type WorkKind } from '../../work/item/workKind.js';
import { attemptStep } from './attemptStep.js';
import { isEnded, jobOfWork, leavesInsight, type JobKind } from '../job.js';
import type { JobKindOptions, JobKindPorts } from './jobSteps.js';
import { rerunStep } from './rerunStep.js';
import { withdrawStep } from './withdrawStep.js';

/**
 * Jobs of one kind as work. What is to be done about a job follows from its row: it is worked at until it ends; then what
 * a job without success may have published is taken back, and a job that SUCCEEDED without something runs again.
 */
export const jobKind = (kind: JobKind, ports: JobKindPorts, options: JobKindOptions): WorkKind => ({
  kind,
  leaseMs: options.leaseMs,
  begin: async (item) => {
    const stored = await ports.jobs.find(jobOfWork(item));
    if (stored === undefined) return nothingLeft;
    const { job } = stored;
    if (!isEnded(job)) return attemptStep(ports, options, stored);
    if (leavesInsight(job)) return withdrawStep(ports, options, { stored, place: item.place });
    const { rerun } = job;
    if (rerun === undefined) return nothingLeft;
    return rerunStep(ports, options, { stored, rerun });
  },
});

const retry: RetryPolicies = { fault: usualPace, outage: usualPace, refusal: usualPace };

/** Of work whose job was deleted, or came back from a backup as one that has ended. */
const nothingLeft: Step = {
  retry,
  failureOf,
  run: () => Promise.resolve(done),
  giveUp: () => Promise.resolve(done),
};
