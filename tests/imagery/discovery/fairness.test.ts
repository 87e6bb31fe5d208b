import { describe, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeLayers, type LayerFile } from '../../../shared/scenes/layers/fieldLayers.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { aScene } from '../builders.js';
import { tries } from '../../support/fullRun.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';

const LARGE = 'contoso';
const SMALL = 'fabrikam';
const DATES = 70;
const FIRST_DAY = '2025-06-20';
const LAST_DAY = addDays(FIRST_DAY, (DATES - 1) * 5);
/** Messages that a host handles at a time. */
const AT_ONCE = 4;
/** Fields of the large customer: 250 in the full run, a tenth in the quick one. */
const FIELDS = tries(250);
/** Backfills that a customer may have at work. */
const SLOTS_OF_CUSTOMER = 2;

/** The files of the first field stand for those of all: packing them on other threads would leave the order to chance. */
let files: Promise<readonly LayerFile[]> | undefined;

/** Counts the turns that work takes on the event loop: one for each field looked at, one for each made. */
class SharedHost extends ImageryUnderTest {
  turns = 0;

  constructor(start: string) {
    super(start);
    this.kernel.slotsOf = () => SLOTS_OF_CUSTOMER;
  }

  override get ports(): ImageryUnderTest['ports'] {
    return {
      ...super.ports,
      makeLayers: (order) => (files ??= makeLayers(order)),
      turn: async () => {
        this.turns += 1;
        await nextTurn();
      },
    };
  }

  /** Handles messages as a host does, several at a time, until the end has come and all begun work is done. */
  async serve(isOver: () => boolean): Promise<void> {
    const work = async (): Promise<void> => {
      while (!isOver()) {
        const key = await this.take();
        if (key === undefined) await nextTurn();
        else await this.run(key);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
}

function hostWithScenes(): SharedHost {
  const host = new SharedHost(`${addDays(LAST_DAY, 1)}T12:00:00Z`);
  for (let index = 0; index < DATES; index += 1) {
    const date = addDays(FIRST_DAY, index * 5);
    host.catalogue.add(aScene({ id: `S2B_${date}`, takenAt: `${date}T10:05:59.000Z`, datatake: date }));
  }
  return host;
}

const request = { startDate: FIRST_DAY, endDate: LAST_DAY, layers: ['ndvi'] as const };

async function enrolLarge(host: SharedHost): Promise<void> {
  const fields = Array.from({ length: FIELDS }, (_, index) => {
    const [west, south] = [13 + (index % 25) * 0.003, 48.2 + Math.floor(index / 25) * 0.003];
    return { fieldId: `f${index}`, box: [west, south, west + 0.001, south + 0.001] as const };
  });
  await host.enrol({ customer: LARGE, enrollmentId: 'large', fields, request });
}

/** Submits one field and gives the turns that all work together has taken until it has every date. */
async function turnsUntilSmallIsDone(host: SharedHost): Promise<number> {
  const fields = [{ fieldId: 'only', box: [13.14, 48.29, 13.141, 48.291] as const }];
  await host.enrol({ customer: SMALL, enrollmentId: 'small', fields, request });
  const start = host.turns;
  let turns = 0;
  const isDone = (): boolean => {
    const count = [...host.fieldDates.rows.keys()].filter((key) => key.startsWith(`${SMALL}|`)).length;
    if (count === DATES && turns === 0) turns = host.turns - start;
    return count === DATES;
  };
  await host.serve(isDone);
  return turns;
}

describe('one field of a customer beside many fields × 70 dates of another', () => {
  test('is done by the time three times its own work is done, not after all the other work', async () => {
    const alone = await turnsUntilSmallIsDone(hostWithScenes());
    expect(alone).toBeGreaterThanOrEqual(2 * DATES);

    const busy = hostWithScenes();
    await enrolLarge(busy);
    // The large backfill is well under way: its scenes are found, the first are being made.
    let largeBegun = false;
    const beginning = busy.serve(() => largeBegun);
    while (![...busy.fieldDates.rows.keys()].some((key) => key.startsWith(`${LARGE}|`))) await nextTurn();
    largeBegun = true;
    await beginning;
    const beside = await turnsUntilSmallIsDone(busy);

    const largeDone = [...busy.fieldDates.rows.keys()].filter((key) => key.startsWith(`${LARGE}|`)).length;
    expect(largeDone).toBeGreaterThan(0);
    expect(largeDone).toBeLessThan(FIELDS * DATES);
    expect(beside).toBeLessThanOrEqual(3 * alone);
  });
});
