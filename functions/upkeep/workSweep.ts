import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every minute and at each start — sends the messages of work that is due and has none, or whose attempt died; gives free
 * slots to the work that stands in lanes.
 */
export const upkeepWorkSweep = timerFunction({
  name: 'upkeepWorkSweep',
  schedule: '20 * * * * *',
  runAtStart: true,
  handle: ({ sweepWork }) => sweepWork(),
});
