import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every quarter of an hour — proves the service that CANARY names, as its callers use it. */
export const upkeepCanary = timerFunction({
  name: 'upkeepCanary',
  schedule: '0 */15 * * * *',
  runAtStart: false,
  handle: async ({ runCanary }) => ({ ...(await runCanary()) }),
});
