import { describe, expect, test } from '@jest/globals';
import { at, FeedWorld } from './feedWorld/feedWorld.js';

/** Days of sensing are listed every ten minutes, items are fetched by their ids. */
const POLL_HOURS = 10 / 60;

describe('an item of the Planetary Computer that is listed', () => {
  /** Hours after it was shown until the item was taken in. @param emptyAnswers so many questions by ids find nothing */
  async function hoursUntilTakenIn(emptyAnswers: number): Promise<number> {
    const world = new FeedWorld('planetary-computer', '2026-06-01');
    await world.enrol('farm', '33UUP', '2026-05-20');
    world.showSoon({ tile: '33UUP', day: '2026-06-02' });
    await world.advanceTo(at('2026-06-05', '14:59'));
    const item = world.show({ tile: '33UUP', day: '2026-06-05' }, at('2026-06-05', '15:00'));
    world.catalogue.emptyAnswers = emptyAnswers;
    await world.advance(24);
    expect(world.catalogue.emptyAnswers).toBe(0);
    return world.hoursUntilTakenIn(item);
  }

  test('is taken in at the next poll', async () => {
    expect(await hoursUntilTakenIn(0)).toBeLessThanOrEqual(POLL_HOURS);
  });
  test('is taken in at the poll after one that got nothing for its id', async () => {
    expect(await hoursUntilTakenIn(1)).toBeLessThanOrEqual(2 * POLL_HOURS);
  });
});
