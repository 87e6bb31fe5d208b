import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every minute and at each start — plans new enrollments, sends lost messages again, keeps every customer's work going. */
export const upkeepImagerySweep = timerFunction({
  name: 'upkeepImagerySweep',
  schedule: '40 * * * * *',
  runAtStart: true,
  handle: async ({ imagery }) => ({ ...(await imagery.sweep()) }),
});
