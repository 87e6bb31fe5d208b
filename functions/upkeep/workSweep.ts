import { timerFunction } from '../../shared/wiring/declare.js';

/**
 * Every minute — sends the messages of work that is due and has none, or whose attempt died; gives free slots to the work
 * that stands in lanes. Duties are work too: the first tick of a process plans those that aren't planned.
 */
export const upkeepWorkSweep = timerFunction({
  name: 'upkeepWorkSweep',
  schedule: '20 * * * * *',
  handle: async ({ openDuties, sweepWork }) => {
    const counts = await sweepWork();
    await openDuties();
    return counts;
  },
});
