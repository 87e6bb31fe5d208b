import { describe, expect, test } from '@jest/globals';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { purgeCustomer } from '../../../shared/access/customers/purgeCustomer.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { aScene, FIELD_BOX } from '../../imagery/builders.js';
import { ImageryUnderTest } from '../../imagery/imageryUnderTest.js';
import { PaintedReader } from '../../imagery/paintedReader.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import type { ManualClock } from '../../support/manualClock.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { belongingsIn, remainsOf } from './belongingsUnderTest.js';

const FIRST_DAY = '2026-05-20';
const DAYS = 20;
const LEASE_MS = 60_000;

/** Reads files as a slow network does, and goes on with a read whether anybody still wants it or not. */
class SlowReader extends PaintedReader {
  readonly #clock: ManualClock;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  override async read(...order: Parameters<PaintedReader['read']>): ReturnType<PaintedReader['read']> {
    await this.#clock.sleep(7_000);
    return super.read(...order);
  }
}

/** Two customers in the middle of their backfills, workers that take messages each second, a sweep each minute. */
async function backfill() {
  const world = new ImageryUnderTest();
  const { clock, catalogue } = world;
  world.reader = new SlowReader(clock);
  const search = catalogue.search.bind(catalogue);
  catalogue.search = async (query) => {
    await clock.sleep(11_000);
    return search(query);
  };
  for (let day = 0; day < DAYS; day += 1) {
    const date = addDays(FIRST_DAY, day);
    catalogue.add(aScene({ id: `S2B_33UUP_${date.replaceAll('-', '')}_0_L2A`, takenAt: `${date}T10:05:59.000Z` }));
  }
  const customers = new CustomerStore(new MemoryRows());
  world.customers = customers;
  const request = { startDate: FIRST_DAY, endDate: addDays(FIRST_DAY, DAYS) };
  for (const customer of ['contoso', 'fabrikam']) {
    await customers.insert({ customer, fieldLimit: 250, createdAt: 0 });
    await world.enrol({
      customer,
      enrollmentId: `e-${customer}`,
      fields: [{ fieldId: 'north', box: FIELD_BOX }],
      request,
    });
  }
  clock.every(1_000, () => {
    for (let text = world.kernel.messages.take(); text !== undefined; text = world.kernel.messages.take()) {
      void world.run(JSON.parse(text) as WorkKey);
    }
  });
  clock.every(60_000, () => void world.sweep());
  return { world, customers };
}

const ofCustomer = (customer: string, paths: Iterable<string>): readonly string[] =>
  [...paths].filter((path) => path.startsWith(`${customer}/`) || path.startsWith(`${customer}|`));

describe('a purge in the middle of a backfill', () => {
  test.each([3, 14, 25, 36, 50, 61, 90, 130])('%d s after its begin leaves no file and no row', async (seconds) => {
    const { world, customers } = await backfill();
    const { clock } = world;
    await clock.advance(seconds * 1_000);
    expect(remainsOf(world, 'contoso').length).toBeGreaterThan(0);
    const startedAt = clock.now().getTime();
    let endedAt = Infinity;
    const purge = purgeCustomer({
      keptTombstones: tombstonesInMemory(),
      ...{ customers, clock, leaseMs: LEASE_MS },
      belongings: belongingsIn(world),
      listSharedAttempts: () => Promise.resolve([]),
    });
    const ended = purge('contoso').then(() => {
      endedAt = clock.now().getTime();
    });
    await clock.advance(180_000);
    expect(endedAt - startedAt).toBeLessThanOrEqual(180_000);
    await ended;
    expect(remainsOf(world, 'contoso')).toEqual([]);
    await clock.advance(3_600_000);
    expect(remainsOf(world, 'contoso')).toEqual([]);
    expect(await customers.find('contoso')).toBeUndefined();
    // The other customer has all of its days.
    expect(ofCustomer('fabrikam', world.fieldDates.rows.keys())).toHaveLength(DAYS);
  });
});
