import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import { sweepLines } from '../../shared/jobs/sweepLines.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every minute and at each start — sends messages that got lost again, fails jobs whose attempts are used up, gives free
 * places to the jobs that stand in line.
 */
export const upkeepSweep = timerFunction({
  name: 'upkeepSweep',
  schedule: '0 * * * * *',
  runAtStart: true,
  handle: async (services) => ({ ...(await sweepJobs(services)()), ...(await sweepLines(services)()) }),
});
