import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Catalogue } from '../../../shared/scenes/imagerySettings.js';
import { at, dayAfter, FeedWorld, type WorldItem } from './feedWorld/feedWorld.js';
import { sensedAtOf } from './feedWorld/worldItems.js';

const HOUR_MS = 3_600_000;
/** The limits are hours: most polls may be missed. */
const POLL_MINUTES = 60;
const TILE = '33UUP';
const START = '2026-06-01';

/** What the catalogue shows of the tile beside what a test is about, so that the tile is no hole in the catalogue. */
function showRoutine(world: FeedWorld, days: number): void {
  for (let day = 2; day < days; day += 4) world.showSoon({ tile: TILE, day: dayAfter(START, day) });
}

/** A catalogue puts an item in eight hours after the overpass, and Earth Search says so, whenever the item is visible. */
const changedAtOf = (day: string): number => sensedAtOf(day) + 8 * HOUR_MS;

interface SilenceRow {
  readonly days: number;
  readonly order: 'all at once' | 'newest first';
}

const allAtOnce = (days: number): SilenceRow => ({ days, order: 'all at once' });
const newestFirst = (days: number): SilenceRow => ({ days, order: 'newest first' });

const silences = [...[0, 3, 9, 12, 25].map(allAtOnce), ...[3, 12].map(newestFirst)];
const catalogues: readonly { readonly catalogue: Catalogue }[] = [
  { catalogue: 'earth-search' },
  { catalogue: 'planetary-computer' },
];

interface LateRow {
  readonly daysLate: number;
  /** Within which the item must be taken in. */
  readonly hours: number;
}

/** The longest lateness first, so that all are shown within six weeks. */
const LATENESS = [29, 20, 14, 11, 10, 9, 4, 3, 0];
const rowOf = (daysLate: number): LateRow => ({ daysLate, hours: daysLate <= 10 ? 24 : 7 * 24 });

describe.each(catalogues)('an item of $catalogue that bears the time before its delay', ({ catalogue }) => {
  const items = new Map<number, WorldItem>();
  let world: FeedWorld;
  beforeAll(async () => {
    world = new FeedWorld(catalogue, START, POLL_MINUTES);
    await world.enrol('farm', TILE, '2026-05-20');
    showRoutine(world, 38);
    for (const [index, daysLate] of LATENESS.entries()) {
      const day = dayAfter(START, 1 + 2 * index);
      const instant = daysLate === 0 ? changedAtOf(day) : at(dayAfter(day, daysLate), '15:00');
      items.set(daysLate, world.show({ tile: TILE, day }, instant, { changedAt: changedAtOf(day) }));
    }
    await world.advanceTo(at(START, '00:00') + 38 * 24 * HOUR_MS);
  });
  const expectInTime = ({ daysLate, hours }: LateRow): void => {
    expect(world.hoursUntilTakenIn(items.get(daysLate)!)).toBeLessThanOrEqual(hours);
  };

  test.each(LATENESS.toReversed().map(rowOf))(
    'shown $daysLate days late is taken in within $hours hours',
    expectInTime,
  );
});

/** In which a catalogue shows what it has not shown for days, when it does so one after the other. */
const CATCHING_UP_HOURS = 6;

/** The longest time that an item waits after the catalogue shows it, hours. */
async function longestWait(catalogue: Catalogue, { days, order }: SilenceRow): Promise<number> {
  const world = new FeedWorld(catalogue, START, POLL_MINUTES);
  await world.enrol('farm', TILE, '2026-05-20');
  const from = at(dayAfter(START, 2), '12:00');
  const to = from + days * 24 * HOUR_MS;
  world.catalogue.silence = { from, to };
  const items = Array.from({ length: Math.ceil((days + 2) / 2) }, (_, index) => {
    const granule = { tile: TILE, day: dayAfter(START, 1 + 2 * index) } as const;
    const changedAt = changedAtOf(granule.day);
    const isLast = order === 'newest first' && changedAt >= from && changedAt < to;
    const instant = isLast ? to + ((to - changedAt) / (to - from)) * CATCHING_UP_HOURS * HOUR_MS : changedAt;
    return world.show(granule, instant, { changedAt });
  });
  await world.advanceTo(to + 36 * HOUR_MS);
  return Math.max(...items.map((item) => world.hoursUntilTakenIn(item)));
}

describe.each(catalogues)('what $catalogue shows at the end of a silence', ({ catalogue }) => {
  test.each(silences)('of $days days, $order, is taken in within 2 hours', async (row) => {
    expect(await longestWait(catalogue, row)).toBeLessThanOrEqual(2);
  });
});
