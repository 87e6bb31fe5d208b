import { describe, expect, test } from '@jest/globals';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import { at, dayAfter, FeedWorld, type WorldItem } from './feedWorld/feedWorld.js';
import type { WorldTile } from './feedWorld/worldItems.js';

const HOUR_MS = 3_600_000;
const START = '2026-06-01';
/** The day on whose morning everything must be there. */
const TODAY = dayAfter(START, 8);
const YESTERDAY = dayAfter(TODAY, -1);
const MORNING = at(TODAY, '10:30');
const TILES: readonly WorldTile[] = ['15TWF', '33UUP'];
const catalogues: readonly { readonly catalogue: Catalogue }[] = [
  { catalogue: 'earth-search' },
  { catalogue: 'planetary-computer' },
];

/** Two customers at two far places; the service first meets `estate`, of tile 15TWF, then `farm`, of tile 33UUP. */
async function worldOf(catalogue: Catalogue, pollMinutes = 30): Promise<FeedWorld> {
  const world = new FeedWorld(catalogue, START, pollMinutes);
  await world.enrol('estate', '15TWF', '2026-05-20');
  await world.enrol('farm', '33UUP', '2026-05-20');
  for (const tile of TILES) for (const day of [1, 5]) world.showSoon({ tile, day: dayAfter(START, day) });
  return world;
}

/** An item of a tile that only a night can find: shown yesterday, five days after its overpass, with the time of then. */
const showToNight = (world: FeedWorld, tile: WorldTile): WorldItem => {
  const day = dayAfter(YESTERDAY, -5);
  return world.show({ tile, day }, at(YESTERDAY, '15:00'), { changedAt: at(day, '18:00') });
};

interface Span {
  readonly from: string;
  readonly to: string;
}
const spanOf = (day: string, { from, to }: Span) => ({ from: at(day, from), to: at(day, to) });

describe.each(catalogues)('the night of $catalogue', ({ catalogue }) => {
  /** When the last item was taken in that only the night could find, as hours after 10:30. */
  async function hoursAfterMorning(away: Span): Promise<number> {
    const world = await worldOf(catalogue);
    world.catalogue.away = spanOf(TODAY, away);
    const items = TILES.map((tile) => showToNight(world, tile));
    await world.advanceTo(MORNING + 24 * HOUR_MS);
    return (Math.max(...items.map(({ takenInAt = Infinity }) => takenInAt)) - MORNING) / HOUR_MS;
  }
  const expectInTime = async (away: Span): Promise<void> => {
    expect(await hoursAfterMorning(away)).toBeLessThanOrEqual(0);
  };

  test.each([
    { from: '02:00', to: '05:00' },
    { from: '05:25', to: '05:35' },
    { from: '05:30', to: '09:00' },
  ])('has all there by 10:30 when the catalogue is away from $from to $to', expectInTime);

  /** When an item was taken in whose messages got lost, as hours after 10:30. */
  async function hoursAfterLostMessage(away: Span): Promise<number> {
    const world = await worldOf(catalogue);
    world.catalogue.away = spanOf(TODAY, away);
    await world.advanceTo(at(YESTERDAY, '18:00'));
    const item = world.showSoon({ tile: '33UUP', day: YESTERDAY });
    world.service.queues.isLosing = true;
    await world.advanceTo(at(YESTERDAY, '19:00'));
    world.service.queues.isLosing = false;
    await world.advanceTo(MORNING + 24 * HOUR_MS);
    return ((item.takenInAt ?? Infinity) - MORNING) / HOUR_MS;
  }
  const expectMade = async (away: Span): Promise<void> => {
    expect(await hoursAfterLostMessage(away)).toBeLessThanOrEqual(0);
  };

  // The rows of work tell what is open: no night is needed for it.
  test.each([
    { from: '02:00', to: '05:00' },
    { from: '05:00', to: '23:00' },
  ])('has images of what is known and lost its message, when the catalogue is away from $from to $to', expectMade);
});

describe('a night on which storage fails', () => {
  /** When the item of a tile was taken in that only the night could find, as hours after 10:30. */
  async function hoursAfterMorning(tile: WorldTile, fault: Span & { readonly partition: string }): Promise<number> {
    const world = await worldOf('earth-search');
    const item = showToNight(world, tile);
    world.service.storageFault = { partition: fault.partition, ...spanOf(TODAY, fault) };
    await world.advanceTo(MORNING + 24 * HOUR_MS);
    return ((item.takenInAt ?? Infinity) - MORNING) / HOUR_MS;
  }
  const tiles = [
    { whose: 'that customer', tile: '15TWF' },
    { whose: 'another customer', tile: '33UUP' },
  ] as const;

  test('for nobody has all there by 10:30', async () => {
    const nobody = { partition: 'nobody', from: '05:29', to: '05:31' };
    expect(await hoursAfterMorning('33UUP', nobody)).toBeLessThanOrEqual(0);
  });
  test.each(tiles)("for one customer's list of enrollments has all of $whose there by 10:30", async ({ tile }) => {
    const oneList = { partition: 'estate', from: '05:29', to: '05:31' };
    expect(await hoursAfterMorning(tile, oneList)).toBeLessThanOrEqual(0);
  });
  const oneTile = { partition: '15TWF', from: '05:00', to: '12:00' };
  test("for one tile's products has all of other tiles there by 10:30", async () => {
    expect(await hoursAfterMorning('33UUP', oneTile)).toBeLessThanOrEqual(0);
  });
  test("for one tile's products has all of that tile there two hours after it is over", async () => {
    expect(await hoursAfterMorning('15TWF', oneTile)).toBeLessThanOrEqual(3.5);
  });
});

describe('who wants images of which place', () => {
  /** Whether a customer whose rows got lost has images again a month later. @param partition that can't be listed */
  async function isMended(partition: string): Promise<boolean> {
    const world = await worldOf('earth-search', 60);
    await world.advanceTo(at(TODAY, '12:00'));
    await world.service.forgetInterest('farm');
    world.service.storageFault = { partition, from: world.clock.nowMs, to: Infinity };
    await world.advance(31 * 24);
    const day = world.clock.now().toISOString().slice(0, 10);
    const item = world.showSoon({ tile: '33UUP', day });
    await world.advance(12);
    return item.takenInAt !== undefined;
  }

  test('is put right within a month', async () => {
    expect(await isMended('nobody')).toBe(true);
  });
  test("is put right within a month for everybody else when one customer's enrollments can't be listed", async () => {
    expect(await isMended('estate')).toBe(true);
  });
});
