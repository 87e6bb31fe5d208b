import { serviceDuty } from '../../shared/wiring/declare.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/**
 * Every night at 04:20 UTC — counts parties, farms and fields of each tenant for its quotas, three million rows at most; the
 * next night goes on where one has stopped.
 */
export const upkeepFarmCounts = serviceDuty({
  name: 'upkeepFarmCounts',
  times: () => dailyAt('04:20'),
  run: async ({ countFarmData }) => ({ ...(await countFarmData()) }),
});
