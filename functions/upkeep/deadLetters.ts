import { serviceDuty } from '../../shared/wiring/declare.js';
import { everySeconds } from '../../shared/work/upkeep/duty.js';

/** Every five minutes — has the work gone on with whose messages the host has given up, and empties the poison queues. */
export const upkeepDeadLetters = serviceDuty({
  name: 'upkeepDeadLetters',
  times: () => everySeconds(300),
  run: async ({ drainDeadLetters }) => ({ messages: await drainDeadLetters() }),
});
