import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every day at 05:30 UTC — plans the searches of every enrollment that is not looked through to today, and looks after
 * every customer, marked or not. Then the index of who wants images of which place is compared with the enrollments, and
 * messages are left to hold the last days of each tile against the catalogue.
 *
 * Missed and doubled ticks are harmless: what a tick should have done, the next one or the sweep of every minute does.
 */
export const imageryDaily = timerFunction({
  name: 'imageryDaily',
  schedule: '0 30 5 * * *',
  runAtStart: false,
  handle: async ({ imagery }) => ({
    ...(await imagery.sweepAll()),
    ...(await imagery.compareInterest()),
    ...(await imagery.planReconciliation()),
  }),
});
