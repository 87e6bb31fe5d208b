import { timerFunction } from '../../shared/triggers/timerFunction.js';

/**
 * Every five minutes (IMAGERY_FEED_SCHEDULE) — asks the catalogue what it has shown since the last time, for the tiles
 * of which anybody wants images.
 *
 * Effect: a row for each product, at the key of its tile, day, datatake and datastrip; the cursor moves by ETag. Missed
 * and doubled ticks are harmless: windows follow one another without a gap, and taking in twice changes nothing.
 */
export const imageryFeed = timerFunction({
  name: 'imageryFeed',
  schedule: { setting: 'IMAGERY_FEED_SCHEDULE' },
  runAtStart: false,
  handle: async ({ imagery }) => ({ ...(await imagery.readFeed()) }),
});
