import { enlistJobs } from '../../shared/jobs/enlistJobs.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every hour and at each start — enters jobs into the lists of their tenants that are not in them yet. */
export const upkeepJobLists = timerFunction({
  name: 'upkeepJobLists',
  schedule: '0 10 * * * *',
  runAtStart: true,
  handle: async (services) => ({ enlisted: await enlistJobs(services)() }),
});
