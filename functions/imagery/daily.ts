import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every day at 05:30 UTC — compares the index of who wants images of which place with the enrollments, and has the last
 * days of each tile held against the catalogue.
 *
 * Missed and doubled ticks are harmless: what a tick should have done, the next one does.
 */
export const imageryDaily = timerFunction({
  name: 'imageryDaily',
  schedule: '0 30 5 * * *',
  runAtStart: false,
  handle: async ({ imagery }) => ({
    ...(await imagery.compareInterest()),
    ...(await imagery.planReconciliation()),
  }),
});
