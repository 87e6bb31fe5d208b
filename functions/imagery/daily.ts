import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every day at 05:30 UTC — looks after the imagery of every customer, marked or not, so that no sweep can miss it for longer.
 * Then the index of who wants images of which place is compared with the enrollments, and messages are left to hold the last
 * days of each tile against the catalogue.
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
