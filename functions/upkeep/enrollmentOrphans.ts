import { sweepOrphans } from '../../shared/enrollments/sweepOrphans.js';
import { sweepSubmissionKeys } from '../../shared/enrollments/sweepSubmissionKeys.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every night at 03:40 UTC — deletes what submissions leave behind: inputs of those that died before their enrollment
 * came to be, keys whose day is over.
 */
export const upkeepEnrollmentOrphans = timerFunction({
  name: 'upkeepEnrollmentOrphans',
  schedule: '0 40 3 * * *',
  runAtStart: false,
  handle: async (services) => ({
    submissions: await sweepOrphans(services)(),
    keys: await sweepSubmissionKeys(services)(),
  }),
});
