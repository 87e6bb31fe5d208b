import { serviceDuty } from '../../shared/wiring/declare.js';
import { backupNameAt } from '../../shared/operate/backup/backupArchive.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/** Every night at 02:10 UTC — exports the tables to the backup account; one that is tried again has a name of its own. */
export const upkeepBackup = serviceDuty({
  name: 'upkeepBackup',
  times: () => dailyAt('02:10'),
  run: async ({ backUp, clock }) => {
    const { rows } = await backUp(backupNameAt(clock.now()));
    return { rows: Object.values(rows).reduce((sum, count) => sum + count, 0) };
  },
});
