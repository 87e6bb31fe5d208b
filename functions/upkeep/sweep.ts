import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every minute and at each start — sends messages that got lost again, fails jobs whose attempts are used up. */
export const upkeepSweep = timerFunction({
  name: 'upkeepSweep',
  schedule: '0 * * * * *',
  runAtStart: true,
  handle: async (services) => sweepJobs(services)(),
});
