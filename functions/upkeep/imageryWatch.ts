import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every hour — counts the imagery that customers wait for; alerts look at its line. */
export const upkeepImageryWatch = timerFunction({
  name: 'upkeepImageryWatch',
  schedule: '0 25 * * * *',
  runAtStart: false,
  handle: async ({ watchImagery }) => ({ ...(await watchImagery()) }),
});
