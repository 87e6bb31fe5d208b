import { sweepSubmissionKeys } from '../../shared/enrollments/submission/sweepSubmissionKeys.js';
import { serviceDuty } from '../../shared/wiring/declare.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/** Every night at 03:40 UTC — deletes the keys of submissions whose day is over, of a thirtieth of the customers. */
export const upkeepSubmissionKeys = serviceDuty({
  name: 'upkeepSubmissionKeys',
  times: () => dailyAt('03:40'),
  run: async (services) => ({ keys: await sweepSubmissionKeys(services)() }),
});
