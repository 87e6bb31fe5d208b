import { purgeJobs } from '../../shared/jobs/purgeJobs.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every night at 03:20 UTC — deletes jobs, and their insights, that ended longer ago than JOB_RETENTION_DAYS, and images
 * made longer ago than IMAGERY_RETENTION_DAYS.
 */
export const upkeepPurge = timerFunction({
  name: 'upkeepPurge',
  schedule: '0 20 3 * * *',
  runAtStart: false,
  handle: async (services) => {
    const purge = purgeJobs(services, services.config.JOB_RETENTION_DAYS);
    const [jobs, fieldDates] = await Promise.all([purge(), services.expireImagery()]);
    return { jobs, fieldDates };
  },
});
