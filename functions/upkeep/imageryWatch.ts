import { serviceDuty } from '../../shared/wiring/declare.js';
import { hourlyAt } from '../../shared/work/upkeep/duty.js';

/** Every hour — counts the imagery that customers wait for; alerts look at its line. */
export const upkeepImageryWatch = serviceDuty({
  name: 'upkeepImageryWatch',
  times: () => hourlyAt(25),
  run: async ({ watchImagery }) => ({ ...(await watchImagery()) }),
});
