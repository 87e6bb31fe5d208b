/** What the imagery of 1, 10, 100 and 1,000 customers in one district asks of storage, of the catalogue and of its files. */
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { withCountedService, type CountedService } from './countedService.js';
import { dayOf, forEachOf, ImageryWorld } from './imageryWorld.js';
import { countProcessRequests, type ProcessRequests } from './processRequests.js';
import { newHarvest, type Harvest } from './workCosts.js';
import { markdownTable } from './writeSection.js';

const SIZES = [1, 10, 100, 1_000] as const;
const FIELDS = 100;
/** Fields of each customer. */
const FIELDS_EACH = 10;
/** Days of what is made by place in a column: the first of its fields, a later one, one that clouds hide. */
const DAYS_BY_PLACE = 3;
/** Every fifth scene has a cloud of its own, which no later day may have. */
const DAYS_APART = 5;
/** The first is for all that is searched. */
const FIRST_BY_PLACE = 3;
const LOST = 5;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Making the images of more would take the emulator an hour and tell nothing more. */
const MOST_MADE = 100;
/** Of those beside many more. */
const MADE_OF_MANY = 10;
/** Customers who have all their fields in one cell. */
const DENSE_SIZES = [1, 10] as const;
const DENSE_AWAY_PIXELS = 1_200;

interface Cost {
  readonly operations: number;
  readonly cpuMs: number;
  readonly catalogueRequests: number;
  readonly sceneBytes: number;
}

/** A world whose requests are counted. */
class CountedWorld {
  readonly world: ImageryWorld;
  readonly #counted: ProcessRequests;
  readonly #harvest: Harvest;
  readonly #fieldsEach: number;

  constructor(
    service: CountedService,
    counted: ProcessRequests,
    { harvest, fieldsEach }: { readonly harvest: Harvest; readonly fieldsEach: number },
  ) {
    this.world = new ImageryWorld(service, harvest, fieldsEach);
    this.#counted = counted;
    this.#harvest = harvest;
    this.#fieldsEach = fieldsEach;
  }

  /** A column of the table: what everything costs at one size. */
  async column(size: (typeof SIZES)[number]): Promise<readonly string[]> {
    const { world } = this;
    await world.growTo(size);
    // What a new customer leaves to look at is looked at once.
    for (let round = 0; round < 3; round += 1) await this.#ahead(round * 3 * MINUTE_MS, () => world.sweep());
    const idle = await this.#costOf(() => world.sweep());
    await world.loseMessages(world.customers.slice(0, LOST));
    const overdue = await this.#ahead(3 * 60_000, () => world.sweep());
    await world.workOffLost();
    await world.loseUnits(LOST);
    const overdueUnits = await this.#ahead(3 * 60_000, () => world.sweep());
    await world.workUnitsOff();
    await world.poll();
    const poll = await this.#ahead(5 * MINUTE_MS, () => world.poll());
    const searched = await this.#searched(size);
    const units = await this.#byPlace(size, SIZES.toReversed().indexOf(size));
    const day = await this.#ahead(DAY_MS, () => world.workOff(world.customers));
    return [
      `${idle.operations} · ${idle.cpuMs.toFixed(0)} ms`,
      `${overdue.operations}`,
      `${overdueUnits.operations}`,
      `${poll.catalogueRequests} · ${poll.operations}`,
      `${day.catalogueRequests} · ${day.operations}`,
      ...searched,
      `${units.fanOut.toFixed(1)} · ${units.products}`,
      ...[units.first, units.later, units.hidden, units.kilobytes].map((figure) => figure.toFixed(1)),
    ];
  }

  async #costOf(work: () => Promise<unknown>): Promise<Cost> {
    const { world } = this;
    const counted = this.#counted;
    const [before, sent, searched] = [{ ...counted }, world.messagesSent, world.catalogueRequests];
    const cpu = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(cpu);
    return {
      operations: counted.storage - before.storage + world.messagesSent - sent,
      cpuMs: (user + system) / 1000,
      catalogueRequests: world.catalogueRequests - searched,
      sceneBytes: counted.sceneBytes - before.sceneBytes,
    };
  }

  /** A column of customers who have all their fields in one cell. */
  async denseColumn(size: (typeof DENSE_SIZES)[number]): Promise<readonly string[]> {
    const { first, later, hidden } = await this.#byPlace(size, DENSE_SIZES.toReversed().indexOf(size));
    return [first, later, hidden].map((figure) => figure.toFixed(2));
  }

  /** The same at a later time. */
  async #ahead(byMs: number, work: () => Promise<unknown>): Promise<Cost> {
    this.world.aheadMs = byMs;
    const cost = await this.#costOf(work);
    this.world.aheadMs = 0;
    return cost;
  }

  /** New customers who monitor their fields from one day to another. */
  async #newCustomers(size: number, from: string, to: string): Promise<readonly string[]> {
    const customers = Array.from({ length: size > MOST_MADE ? MADE_OF_MANY : size }, () => randomUUID());
    await forEachOf(customers, (customer, index) => this.world.enrol(customer, index, { from, to }));
    return customers;
  }

  /** The images of new customers, each looked through from the first day. */
  async #searched(size: number): Promise<readonly string[]> {
    const [day = ''] = this.#harvest.days;
    const customers = await this.#newCustomers(size, day, day);
    const { operations, sceneBytes } = await this.#costOf(() => this.world.workOff(customers));
    const made = await this.world.madeOf(customers);
    return [(operations / made).toFixed(1), (sceneBytes / made / 1000).toFixed(1)];
  }

  /**
   * The images of new customers by scenes that all of them are shown, on three days.
   *
   * @param left columns still to come: each has days before those of the columns before it, whose customers monitor
   *   theirs until today
   */
  async #byPlace(size: number, left: number) {
    const { world } = this;
    const start = FIRST_BY_PLACE + DAYS_APART * left;
    const days = this.#harvest.days.slice(start, start + DAYS_BY_PLACE);
    const customers = await this.#newCustomers(size, days[0] ?? '', dayOf(Date.now()));
    const products = await world.publish(days[0] ?? '');
    const fanOut = await this.#costOf(() => world.fanOut(products));
    const first = await this.#costOf(() => world.workUnitsOff());
    const made = await world.madeOf(customers);
    await world.fanOut(await world.publish(days[1] ?? ''));
    const later = await this.#costOf(() => world.workUnitsOff());
    const madeLater = (await world.madeOf(customers)) - made;
    await world.fanOut(await world.publish(days[2] ?? ''));
    const hidden = await this.#costOf(() => world.underClouds(() => world.workUnitsOff()));
    return {
      products: products.length,
      fanOut: fanOut.operations / products.length,
      first: first.operations / made,
      later: later.operations / madeLater,
      hidden: hidden.operations / (customers.length * this.#fieldsEach),
      kilobytes: first.sceneBytes / made / 1000,
    };
  }
}

const ROWS = [
  ['sweeps of a minute, nothing open: operations · CPU', '≤ 24, the same in all columns ± 2'],
  [`sweeps, work of ${LOST} customers lost (1 of one)`, '≤ 24 + 12 each'],
  [`sweeps, ${LOST} units lost`, '≤ 24 + 4 each'],
  ['a poll of the catalogue without news: its requests · operations', '≤ 4 · ≤ 6'],
  ['a day on which nothing new is enrolled: searches of the catalogue · operations', 'none: the feed finds it'],
  ['by search: operations by field and day made, four layers', 'none: the backfill'],
  ['by search: kB of scenes by field and day made', 'none: the backfill'],
  ['fan-out: operations by product · products', '≤ 12 + 0.02 a field'],
  ['by place: operations by field and day made, four layers, first day of the field', 'none'],
  ['the same on a later day', '≤ 9'],
  ['by place: operations by field and day that clouds hide', '≤ 1'],
  ['by place: kB of scenes by field and day made', 'falls'],
] as const;

const DENSE_ROWS = [
  ['by place: operations by field and day made, four layers, first day of the field', 'none'],
  ['the same on a later day', '≤ 9'],
  ['by place: operations by field and day that clouds hide', '≤ 1'],
] as const;

const tableOf = (
  heads: readonly string[],
  rows: readonly (readonly [name: string, gate: string])[],
  columns: readonly (readonly string[])[],
): string =>
  markdownTable(
    [...heads, 'gate'],
    rows.map(([name, gate], row) => [name, ...columns.map((cells) => cells[row] ?? ''), gate]),
  );

/** Measures columns in a service of their own, whose catalogue has the scenes of a harvest. */
async function columnsOf<T>(
  sizes: readonly T[],
  { harvest, fieldsEach, counted }: { harvest: Harvest; fieldsEach: number; counted: ProcessRequests },
  column: (counting: CountedWorld, size: T) => Promise<readonly string[]>,
): Promise<readonly (readonly string[])[]> {
  try {
    const environment = { STAC_DIR: harvest.scenes };
    return await withCountedService({ functions: 'http', environment }, async (service) => {
      const counting = new CountedWorld(service, counted, { harvest, fieldsEach });
      const columns: (readonly string[])[] = [];
      for (const size of sizes) {
        columns.push(await column(counting, size));
        console.error(`${String(size)}: ${columns.at(-1)?.join(' | ') ?? ''}`);
      }
      return columns;
    });
  } finally {
    rmSync(harvest.folder, { recursive: true, force: true });
  }
}

/** Customers of the first column and of the last. */
export interface GrowthRange {
  readonly least: number;
  readonly most: number;
}

/** The growth of imagery, measured. Customers that are only there to be many have one field each. */
export async function imageryGrowthTable({ least, most }: GrowthRange): Promise<string> {
  const sizes = SIZES.filter((size) => least <= size && size <= most);
  const counted = countProcessRequests();
  const harvest = newHarvest(FIELDS, FIRST_BY_PLACE + DAYS_APART * SIZES.length);
  const columns = await columnsOf(sizes, { harvest, fieldsEach: FIELDS_EACH, counted }, (counting, size) =>
    counting.column(size),
  );
  const dense = newHarvest(FIELDS, FIRST_BY_PLACE + DAYS_APART * DENSE_SIZES.length, DENSE_AWAY_PIXELS);
  const denseColumns = await columnsOf(DENSE_SIZES, { harvest: dense, fieldsEach: FIELDS, counted }, (counting, size) =>
    counting.denseColumn(size),
  );
  const tables = [
    tableOf(['customers of 10 fields', ...sizes.map(String)], ROWS, columns),
    tableOf([`customers of ${FIELDS} fields in one cell`, ...DENSE_SIZES.map(String)], DENSE_ROWS, denseColumns),
  ];
  return tables.join('\n\n');
}
