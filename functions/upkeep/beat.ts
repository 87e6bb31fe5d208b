import { serviceDuty } from '../../shared/wiring/declare.js';
import { everySeconds } from '../../shared/work/upkeep/duty.js';
import { BEAT } from '../../shared/work/upkeep/tick.js';

/**
 * Every five minutes — sweeps as the host's timer does every minute. The timer may stop for good; the beat goes by messages,
 * which its own work item renews, and by requests to `/ready`.
 *
 * @see https://github.com/Azure/azure-functions-host/issues/11828
 */
export const upkeepBeat = serviceDuty({
  name: BEAT,
  times: () => everySeconds(300),
  run: async ({ sweepWork }) => ({ ...(await sweepWork()) }),
});
