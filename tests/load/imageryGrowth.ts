/** What the imagery of 1, 10, 100 and 1,000 customers in one district asks of storage, of the catalogue and of its files. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { withCountedService } from './countedService.js';
import { forEachOf, ImageryWorld, periodOf } from './imageryWorld.js';
import { countProcessRequests, type ProcessRequests } from './processRequests.js';
import { newHarvest, type Harvest } from './workCosts.js';
import { markdownTable } from './writeSection.js';

const SIZES = [1, 10, 100, 1_000] as const;
const FIELDS = 100;
const DATES = 2;
const LOST = 5;
const DAY_MS = 86_400_000;
/** Making the images of more would take the emulator an hour and tell nothing more. */
const MOST_MADE = 100;

interface Cost {
  readonly operations: number;
  readonly cpuMs: number;
  readonly catalogueRequests: number;
  readonly sceneBytes: number;
}

async function costOf(world: ImageryWorld, counted: ProcessRequests, work: () => Promise<unknown>): Promise<Cost> {
  const [before, searched, cpu] = [{ ...counted }, world.catalogueRequests, process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return {
    operations: counted.storage - before.storage,
    cpuMs: (user + system) / 1000,
    catalogueRequests: world.catalogueRequests - searched,
    sceneBytes: counted.sceneBytes - before.sceneBytes,
  };
}

/** The images of so many new customers, all looked through from the first day. */
async function made(
  world: ImageryWorld,
  counted: ProcessRequests,
  { size, harvest }: { size: number; harvest: Harvest },
) {
  if (size > MOST_MADE) return ['–', '–'];
  const customers = Array.from({ length: size }, () => randomUUID());
  await forEachOf(customers, (customer, index) => world.enrol(customer, index, periodOf(harvest)));
  const cost = await costOf(world, counted, () => world.workOff(customers));
  const fieldDates = await world.madeOf(customers);
  return [(cost.operations / fieldDates).toFixed(1), `${(cost.sceneBytes / fieldDates / 1000).toFixed(1)} kB`];
}

/** A column of the table: what everything costs at one size. */
async function column(
  world: ImageryWorld,
  counted: ProcessRequests,
  { size, harvest }: { size: number; harvest: Harvest },
) {
  await world.growTo(size);
  const sweep = (): Promise<void> => world.sweep();
  await sweep();
  const idle = await costOf(world, counted, sweep);
  const late = world.customers.slice(0, LOST);
  await world.loseMessages(late);
  world.aheadMs = 3 * 60_000;
  const overdue = await costOf(world, counted, sweep);
  world.aheadMs = 0;
  await world.workOffLost();
  const images = await made(world, counted, { size, harvest });
  world.aheadMs = DAY_MS;
  const day = await costOf(world, counted, () => world.workOff(world.customers));
  world.aheadMs = 0;
  return [
    `${idle.operations} · ${idle.cpuMs.toFixed(0)} ms`,
    `${overdue.operations} · ${overdue.cpuMs.toFixed(0)} ms`,
    `${day.catalogueRequests} · ${day.operations}`,
    ...images,
  ];
}

const ROWS = [
  ['sweeps of a minute, nothing open: operations · CPU', '≤ 24, the same in all columns ± 2'],
  [`sweeps of a minute, work of ${LOST} customers lost (1 of one)`, '≤ 24 + 4 each'],
  ['a day with nothing new: catalogue requests · operations', 'requests grow with tiles ÷ 200'],
  ['operations by field and day made, four layers', '≤ 9'],
  ['bytes of scenes by field and day made', 'falls'],
] as const;

/** The growth of imagery, measured. @param most customers; those of the largest column take the emulator an hour */
export async function imageryGrowthTable(most = Infinity): Promise<string> {
  const sizes = SIZES.filter((size) => size <= most);
  const counted = countProcessRequests();
  const harvest = newHarvest(FIELDS, DATES);
  try {
    return await withCountedService(
      { functions: 'http', environment: { STAC_DIR: harvest.scenes } },
      async (service) => {
        const world = new ImageryWorld(service, harvest);
        const columns: (readonly string[])[] = [];
        for (const size of sizes) columns.push(await column(world, counted, { size, harvest }));
        return markdownTable(
          ['customers of 10 fields', ...sizes.map(String), 'gate'],
          ROWS.map(([name, gate], row) => [name, ...columns.map((cells) => cells[row] ?? ''), gate]),
        );
      },
    );
  } finally {
    rmSync(harvest.folder, { recursive: true, force: true });
  }
}
