import { sweepOrphans } from '../../shared/enrollments/sweepOrphans.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every night at 03:40 UTC — deletes inputs of submissions that died before their enrollment came to be. */
export const upkeepEnrollmentOrphans = timerFunction({
  name: 'upkeepEnrollmentOrphans',
  schedule: '0 40 3 * * *',
  runAtStart: false,
  handle: async (services) => ({ submissions: await sweepOrphans(services)() }),
});
