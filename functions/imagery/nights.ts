import { serviceDuty } from '../../shared/wiring/declare.js';
import { dailyAt } from '../../shared/work/upkeep/duty.js';

/** Every day at 05:10 UTC — compares the index of who wants images of which place with the enrollments. */
export const imageryInterest = serviceDuty({
  name: 'imageryInterest',
  times: () => dailyAt('05:10'),
  run: async ({ imagery }) => ({ ...(await imagery.compareInterest()) }),
});

/**
 * Every day at 05:30 UTC — has the last days of each tile held against the catalogue.
 *
 * Effect: a piece of work for each group of tiles and night. What a run should have done, the next one does.
 */
export const imageryReconcile = serviceDuty({
  name: 'imageryReconcile',
  times: () => dailyAt('05:30'),
  run: async ({ imagery }) => ({ ...(await imagery.planReconciliation()) }),
});

/** Every night at 03:30 UTC — deletes images made longer ago than IMAGERY_RETENTION_DAYS, of a seventh of the customers. */
export const imageryExpire = serviceDuty({
  name: 'imageryExpire',
  times: () => dailyAt('03:30'),
  run: async ({ expireImagery }) => ({ fieldDates: await expireImagery() }),
});
