// Customers who are purged while a unit of several customers is at work for them, step by step at drawn instants: the
// product's own fan-out, units and purge. Experiments build it, with a protection taken out when they must fail.
import { tombstonesInMemory } from '../support/keptTombstones.js';
import { MemoryRows } from '../support/memoryRows.js';
import { CustomerRefusal } from '../../shared/access/customers/manageCustomers.js';
import { purgeCustomer } from '../../shared/access/customers/purgeCustomer.js';
import { listUnitAttempts } from '../../shared/imagery/units/unitAttempts.js';
import { belongingsIn, remainsOf } from '../access/customers/belongingsUnderTest.js';
import { aScene } from '../imagery/builders.js';
import { UnitsUnderTest } from '../imagery/units/unitsUnderTest.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';

const [LEAVING, STAYING] = ['contoso', 'fabrikam'];
const LEASE_MS = 60_000;
/** A write takes so long at most: with another, longer than all that a purge waits for by the clock. */
const SLOWEST_MS = 150_000;
const SLOW_SHARE = 0.4;
const DEATH_SHARE = 0.1;
const DAY = '2026-06-17';
const HUNG_MS = 60_000;

/** What a dead process waits for. */
const never = new Promise<unknown>(() => undefined);

type Action = (...parameters: never[]) => Promise<unknown>;

/**
 * Makes writes for who leaves take a drawn time; at some of them the process dies, after their effect: then
 * it writes nothing more.
 */
function slowWrites(service: UnitsUnderTest, random: () => number): { readonly writes: () => number } {
  let [writes, generation] = [0, 0];
  const { clock } = service;
  const every = clock.every.bind(clock);
  // Nobody renews for the dead.
  clock.every = (milliseconds, action) => {
    const own = generation;
    return every(milliseconds, () => {
      if (own === generation) action();
    });
  };
  const slow = (holder: object, name: string, isOwn: (...parameters: never[]) => boolean): void => {
    const write = (Reflect.get(holder, name) as Action).bind(holder);
    const slowed: Action = async (...parameters) => {
      if (!isOwn(...parameters)) return write(...parameters);
      writes += 1;
      const own = generation;
      if (random() < SLOW_SHARE) await clock.sleep(random() * SLOWEST_MS);
      if (own !== generation) return never;
      const result = await write(...parameters);
      if (own === generation && random() < DEATH_SHARE) generation += 1;
      return own === generation ? result : never;
    };
    Reflect.set(holder, name, slowed);
  };
  const ofPlace = ({ customer }: { readonly customer: string }): boolean => customer === LEAVING;
  for (const name of ['putLayer', 'putItem', 'putIndex']) slow(service.imagery, name, ofPlace);
  slow(service.fieldDates, 'merge', (customer) => customer === LEAVING);
  slow(service.notes, 'write', (customer) => customer === LEAVING);
  return { writes: () => writes };
}

async function atWork(random: () => number) {
  const service = new UnitsUnderTest(`${DAY}T18:00:00Z`);
  const customers = new CustomerStore(new MemoryRows());
  for (const [index, customer] of [LEAVING, STAYING].entries()) {
    await customers.insert({ customer, fieldLimit: 250, createdAt: 0 });
    const west = 13.14 + index * 0.004;
    const box = [west, 48.29, west + 0.0036, 48.2925] as const;
    const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi', 'scouting'] } as const;
    await service.enrol({ customer, enrollmentId: 'e1', fields: [{ fieldId: 'f', box }], request });
  }
  service.clock.every(60_000, () => void service.sweepUnits().then(() => service.doUnits()));
  const seen = slowWrites(service, random);
  await service.fanOut(await service.publish(aScene()));
  return { service, customers, seen };
}

/** Purges as an operator does: again when it is refused. */
async function purged({ service, customers }: Awaited<ReturnType<typeof atWork>>): Promise<void> {
  const { clock, kernel } = service;
  const listSharedAttempts = listUnitAttempts({ store: kernel.store, clock, leaseMs: LEASE_MS });
  const ports = {
    customers,
    keptTombstones: tombstonesInMemory(),
    clock,
    leaseMs: LEASE_MS,
    belongings: belongingsIn(service),
    listSharedAttempts,
  };
  for (;;) {
    try {
      await purgeCustomer(ports)(LEAVING);
      return;
    } catch (error) {
      if (!(error instanceof CustomerRefusal)) throw error;
    }
  }
}

/** One customer who leaves at a drawn write. @returns what is wrong with the outcome */
export async function purgeRound(random: () => number, number: number): Promise<readonly string[]> {
  const scene = await atWork(random);
  const { service, seen } = scene;
  const begins = 1 + Math.floor(random() * 6);
  void service.doUnits();
  const isEnded = async (): Promise<boolean> => (await service.openUnits()).length === 0;
  for (const deadline = Date.now() + HUNG_MS; seen.writes() < begins && !(await isEnded()) && Date.now() < deadline;)
    await service.clock.advance(1_000);
  const progress = { isOver: false };
  const purge = purged(scene).finally(() => (progress.isOver = true));
  while (!progress.isOver) await service.clock.advance(1_000);
  await purge;
  // Files are packed beside this thread, by no clock that can be moved: only what hangs is given up.
  for (const deadline = Date.now() + HUNG_MS; !(await isEnded()) && Date.now() < deadline;)
    await service.clock.advance(1_000);
  const left = remainsOf(service, LEAVING);
  const isServed = (await isEnded()) && service.all(STAYING).files.length === 2;
  return [
    ...(left.length === 0 ? [] : [`I20: ${left[0]} and ${left.length - 1} more after the purge in round ${number}`]),
    ...(isServed ? [] : [`I6: who stayed has not all files in round ${number}`]),
  ];
}
