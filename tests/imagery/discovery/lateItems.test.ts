import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Catalogue } from '../../../shared/imagery/imagerySettings.js';
import { at, dayAfter, FeedWorld, type WorldItem } from './feedWorld/feedWorld.js';
import { sensedAtOf } from './feedWorld/worldItems.js';

const HOUR_MS = 3_600_000;
/** The limits are hours: most polls may be missed. */
const POLL_MINUTES = 30;
const TILE = '33UUP';
const START = '2026-06-01';

/** What the catalogue shows of the tile beside what a test is about, so that the tile is no hole in the catalogue. */
function showRoutine(world: FeedWorld, days: number): void {
  for (let day = 2; day < days; day += 4) world.showSoon({ tile: TILE, day: dayAfter(START, day) });
}

/** A catalogue puts an item in eight hours after the overpass, and Earth Search says so, whenever the item is visible. */
const changedAtOf = (day: string): number => sensedAtOf(day) + 8 * HOUR_MS;

interface LateRow {
  readonly daysLate: number;
  /** Within which the item must be taken in. */
  readonly hours: number;
}

/** The longest lateness first, so that all are shown within six weeks. */
const LATENESS = [29, 20, 14, 11, 10, 9, 4, 3, 0];
const rowOf = (daysLate: number): LateRow => ({ daysLate, hours: daysLate <= 10 ? 24 : 7 * 24 });

describe.each<{ catalogue: Catalogue }>([{ catalogue: 'earth-search' }, { catalogue: 'planetary-computer' }])(
  'an item of $catalogue that is visible days after its overpass, and bears the time before',
  ({ catalogue }) => {
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

    test.each([0, 3, 4, 9].map(rowOf))('shown $daysLate days late is taken in within $hours hours', expectInTime);
    test.each([10, 11, 14, 20, 29].map(rowOf))(
      'shown $daysLate days late is taken in within $hours hours',
      expectInTime,
    );
  },
);

describe.each<{ catalogue: Catalogue }>([{ catalogue: 'earth-search' }, { catalogue: 'planetary-computer' }])(
  'what $catalogue shows at the end of a silence of days',
  ({ catalogue }) => {
    /** The longest time that an item of the silence waits, in hours, after the catalogue shows it. */
    async function longestWait(days: number): Promise<number> {
      const world = new FeedWorld(catalogue, START, POLL_MINUTES);
      await world.enrol('farm', TILE, '2026-05-20');
      const from = at(dayAfter(START, 2), '12:00');
      world.catalogue.silence = { from, to: from + days * 24 * HOUR_MS };
      const items = Array.from({ length: Math.ceil((days + 2) / 2) }, (_, index) =>
        world.showSoon({ tile: TILE, day: dayAfter(START, 1 + 2 * index) }),
      );
      await world.advanceTo(world.catalogue.silence.to + 36 * HOUR_MS);
      return Math.max(...items.map((item) => world.hoursUntilTakenIn(item)));
    }
    const expectSoon = async ({ days }: { readonly days: number }): Promise<void> => {
      expect(await longestWait(days)).toBeLessThanOrEqual(2);
    };

    test.each([{ days: 0 }])('of $days days is taken in within 2 hours', expectSoon);
    test.each([{ days: 3 }, { days: 9 }, { days: 12 }, { days: 25 }])(
      'of $days days is taken in within 2 hours',
      expectSoon,
    );
  },
);
