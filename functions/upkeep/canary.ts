import { serviceDuty } from '../../shared/wiring/declare.js';
import { everySeconds } from '../../shared/work/upkeep/duty.js';

/** Every quarter of an hour — proves the service that CANARY names, as its callers use it. */
export const upkeepCanary = serviceDuty({
  name: 'upkeepCanary',
  times: () => everySeconds(900),
  run: async ({ runCanary }) => ({ ...(await runCanary()) }),
});
