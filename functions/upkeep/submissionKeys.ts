import { sweepSubmissionKeys } from '../../shared/enrollments/sweepSubmissionKeys.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every night at 03:40 UTC — deletes the keys of submissions whose day is over. */
export const upkeepSubmissionKeys = timerFunction({
  name: 'upkeepSubmissionKeys',
  schedule: '0 40 3 * * *',
  runAtStart: false,
  handle: async (services) => ({ keys: await sweepSubmissionKeys(services)() }),
});
