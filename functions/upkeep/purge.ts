import { purgeJobs } from '../../shared/jobs/operations/purgeJobs.js';
import { serviceDuty } from '../../shared/wiring/declare.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/**
 * Every night at 03:20 UTC — deletes jobs, their insights and search fields, that ended longer ago than JOB_RETENTION_DAYS,
 * and the audit of commands after 400 days.
 */
export const upkeepPurge = serviceDuty({
  name: 'upkeepPurge',
  times: () => dailyAt('03:20'),
  run: async (services) => {
    const commands = await services.operate.audit.purge(services.clock.now().getTime());
    return { jobs: await purgeJobs(services, services.config.JOB_RETENTION_DAYS)(), commands };
  },
});
