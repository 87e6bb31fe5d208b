import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every minute and at each start — sends the messages of work that is due and has none, or whose attempt died. */
export const upkeepWorkSweep = timerFunction({
  name: 'upkeepWorkSweep',
  schedule: '20 * * * * *',
  runAtStart: true,
  handle: ({ sweepWork }) => sweepWork(),
});
