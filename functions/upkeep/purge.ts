import { purgeJobs } from '../../shared/jobs/purgeJobs.js';
import { serviceDuty } from '../../shared/triggers/timerFunction.js';
import { dailyAt } from '../../shared/work/duty.js';

/** Every night at 03:20 UTC — deletes jobs, their insights and search fields, that ended longer ago than JOB_RETENTION_DAYS. */
export const upkeepPurge = serviceDuty({
  name: 'upkeepPurge',
  times: () => dailyAt('03:20'),
  run: async (services) => ({ jobs: await purgeJobs(services, services.config.JOB_RETENTION_DAYS)() }),
});
