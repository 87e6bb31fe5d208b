import { serviceDuty } from '../../shared/services/declare.js';
import { everySeconds } from '../../shared/work/duty.js';

/** Every quarter of an hour — proves the service that CANARY names, as its callers use it. */
export const upkeepCanary = serviceDuty({
  name: 'upkeepCanary',
  times: () => everySeconds(900),
  run: async ({ runCanary }) => ({ ...(await runCanary()) }),
});
