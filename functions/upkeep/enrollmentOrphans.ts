import { markIngests } from '../../shared/enrollments/markIngests.js';
import { sweepSubmissionKeys } from '../../shared/enrollments/sweepSubmissionKeys.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every night at 03:40 UTC — marks every submission that is to be ingested, so that no sweep can miss it for longer, and
 * deletes the keys of submissions whose day is over.
 */
export const upkeepEnrollmentOrphans = timerFunction({
  name: 'upkeepEnrollmentOrphans',
  schedule: '0 40 3 * * *',
  runAtStart: false,
  handle: async (services) => ({
    marked: await markIngests(services)(),
    keys: await sweepSubmissionKeys(services)(),
  }),
});
