import { serviceDuty } from '../../shared/triggers/timerFunction.js';
import { dailyAt } from '../../shared/work/duty.js';

/** Every night at 02:10 UTC — exports the tables into container `backups`, under the day's name. */
export const upkeepBackup = serviceDuty({
  name: 'upkeepBackup',
  times: () => dailyAt('02:10'),
  run: async ({ backUp, clock }) => {
    const { rows } = await backUp(clock.now().toISOString().slice(0, 10));
    return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
  },
});
