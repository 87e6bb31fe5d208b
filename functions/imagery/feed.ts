import { failureOfScenes } from '../../shared/scenes/stac/sceneFailure.js';
import { serviceDuty } from '../../shared/wiring/declare.js';
import { everySeconds } from '../../shared/work/upkeep/duty.js';

/**
 * Every five minutes (IMAGERY_FEED_SECONDS) — asks the catalogue what it has shown since the last time, for the tiles
 * of which anybody wants images.
 *
 * Effect: a row for each product, at the key of its tile, day, datatake and datastrip; the cursor moves by ETag. Missed
 * and doubled runs are harmless: each reads from the watermark on, and taking in twice changes nothing.
 */
export const imageryFeed = serviceDuty({
  name: 'imageryFeed',
  times: ({ config }) => everySeconds(config.IMAGERY_FEED_SECONDS),
  run: async ({ imagery }) => ({ ...(await imagery.readFeed()) }),
  failureOf: failureOfScenes,
});
