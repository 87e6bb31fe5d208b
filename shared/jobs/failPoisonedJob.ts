import { errorText, type Log } from '../telemetry.js';
import type { ReviveJobPorts } from './reviveJob.js';
import { claimDecision, ended, type JobKey } from './job.js';

/**
 * Decides about a job whose message the host has given up: FAILED when its attempts are used up, else its message is
 * sent again, for a delivery count also rises when the platform moves a host. Never throws: the host would bring the
 * message back for ever.
 */
export const failPoisonedJob =
  ({ jobs, jobQueues, clock, log }: ReviveJobPorts & { readonly log: Log }) =>
  async (key: JobKey): Promise<void> => {
    try {
      const stored = await jobs.find(key);
      if (stored === undefined) return;
      const now = clock.now().getTime();
      const decision = claimDecision(stored.job, now);
      if (decision === 'exhausted') {
        const failure = stored.job.failure ?? 'Every attempt was cut short.';
        await jobs.end(stored, ended(stored.job, { status: 'FAILED', failure }, now));
      } else if (decision === 'claim') {
        await jobQueues[key.solution].enqueue(key, 0);
      }
    } catch (error) {
      // The sweeper finds the job again; only the reason is worth a line.
      log('Job:PoisonNotHandled', { ...key, cause: errorText(error) });
    }
  };
