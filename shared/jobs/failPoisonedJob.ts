import { errorText } from '../telemetry/telemetry.js';
import { endExhausted } from './endJob.js';
import type { ReviveJobPorts } from './reviveJob.js';
import { claimDecision, type JobKey } from './job.js';

/**
 * Decides about a job whose message the host has given up: FAILED when its attempts are used up, else its message is
 * sent again, for a delivery count also rises when the platform moves a host. Never throws: the host would bring the
 * message back for ever.
 */
export const failPoisonedJob =
  (ports: ReviveJobPorts) =>
  async (key: JobKey): Promise<void> => {
    const { jobs, jobQueues, clock, log } = ports;
    try {
      const stored = await jobs.find(key);
      if (stored === undefined) return;
      const now = clock.now().getTime();
      const decision = claimDecision(stored.job, now);
      if (decision === 'exhausted') {
        await endExhausted(ports)(stored);
      } else if (decision === 'claim') {
        await jobQueues[key.solution].enqueue(key, 0);
      }
    } catch (error) {
      // The sweeper finds the job again; only the reason is worth a line.
      log('Job:PoisonNotHandled', { ...key, cause: errorText(error) });
    }
  };
