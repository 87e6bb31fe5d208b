import { serviceDuty } from '../../shared/wiring/declare.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/**
 * Every night at 04:00 UTC — deletes insights older than FARM_INSIGHT_DAYS and files that nothing names, of a thirtieth of
 * the parties; forgets cascade deletes, imports and erasures that ended a month ago.
 */
export const upkeepFarmSweep = serviceDuty({
  name: 'upkeepFarmSweep',
  times: () => dailyAt('04:00'),
  run: async ({ sweepFarmData }) => ({ ...(await sweepFarmData()) }),
});
