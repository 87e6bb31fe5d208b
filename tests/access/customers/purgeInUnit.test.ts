import { describe, expect, test } from '@jest/globals';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { purgeCustomer } from '../../../shared/access/customers/purgeCustomer.js';
import { listUnitAttempts } from '../../../shared/imagery/units/unitAttempts.js';
import { aScene } from '../../imagery/builders.js';
import { UnitsUnderTest } from '../../imagery/units/unitsUnderTest.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { belongingsIn, remainsOf } from './belongingsUnderTest.js';

const LEASE_MS = 60_000;
const MINUTE_MS = 60_000;
/** How long the files of the customer who leaves take: longer than a lease and everything else that a purge waits for. */
const SLOW_MS = 4 * MINUTE_MS;

/** A unit of two customers; the slice of the first stands at its first file when this ends. */
async function atWork({ dies = false } = {}) {
  const world = new UnitsUnderTest('2026-06-17T18:00:00Z');
  const customers = new CustomerStore(new MemoryRows());
  for (const [index, customer] of ['contoso', 'fabrikam'].entries()) {
    await customers.insert({ customer, fieldLimit: 250, createdAt: 0 });
    const west = 13.14 + index * 0.004;
    await world.enrol({
      ...{ customer, enrollmentId: 'e1' },
      fields: [{ fieldId: 'f', box: [west, 48.29, west + 0.0036, 48.2925] }],
      request: { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi'] },
    });
  }
  const putLayer = world.imagery.putLayer.bind(world.imagery);
  const reached = new Promise<void>((resolve) => {
    world.imagery.putLayer = async (place, ...file) => {
      if (place.customer === 'fabrikam') return putLayer(place, ...file);
      if (dies) await putLayer(place, ...file);
      resolve();
      await (dies ? new Promise(() => undefined) : world.clock.sleep(SLOW_MS));
      return putLayer(place, ...file);
    };
  });
  // Nobody renews for the dead.
  if (dies) world.clock.every = () => () => undefined;
  await world.fanOut(await world.publish(aScene()));
  const work = world.doUnits();
  await reached;
  return { world, customers, work };
}

type Attempts = () => Promise<readonly string[]>;

/** Purges the customer while the slice is under way. @returns after how many seconds it ended */
async function purged({ world, customers, work }: Awaited<ReturnType<typeof atWork>>, listAttempts?: Attempts) {
  const { clock, kernel } = world;
  const listSharedAttempts = listAttempts ?? listUnitAttempts({ store: kernel.store, clock, leaseMs: LEASE_MS });
  const startedAt = clock.now().getTime();
  const ports = {
    customers,
    keptTombstones: tombstonesInMemory(),
    clock,
    leaseMs: LEASE_MS,
    belongings: belongingsIn(world),
    listSharedAttempts,
  };
  const progress = { isOver: false };
  const ended = purgeCustomer(ports)('contoso').finally(() => (progress.isOver = true));
  for (let passed = 0; !progress.isOver; passed += 1_000) {
    // What a slice does after its slow writes takes time by no clock: it is waited for.
    if (passed === SLOW_MS) await work;
    await clock.advance(1_000);
  }
  await ended;
  return (clock.now().getTime() - startedAt) / 1_000;
}

describe('a purge beside the slice of a unit of several customers', () => {
  test('ends when the slice has, however long that takes, and leaves nothing that it wrote', async () => {
    const scene = await atWork();
    expect(await purged(scene)).toBeGreaterThan(SLOW_MS / 1_000);
    await scene.work;
    expect(remainsOf(scene.world, 'contoso')).toEqual([]);
    expect(scene.world.all('fabrikam').files).toHaveLength(1);
  });

  test('would leave its files and records if it only waited for leases', async () => {
    const scene = await atWork();
    await purged(scene, () => Promise.resolve([]));
    await scene.world.clock.advance(SLOW_MS);
    await scene.work;
    expect(remainsOf(scene.world, 'contoso').length).toBeGreaterThan(0);
  });

  test('takes away what a process wrote that died, and waits for it no longer than for its hold to be over', async () => {
    const scene = await atWork({ dies: true });
    const { world } = scene;
    expect(await purged(scene)).toBeLessThan(180);
    expect(remainsOf(world, 'contoso')).toEqual([]);
    // The unit goes on for whoever is left.
    await world.sweepUnits();
    await world.doUnits();
    expect([(await world.openUnits()).length, world.all('fabrikam').files.length]).toEqual([0, 1]);
    expect(remainsOf(world, 'contoso')).toEqual([]);
  });
});
