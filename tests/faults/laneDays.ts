// Workers of both lanes with a clock that is moved by hand: the product's own fan-out, lanes, turns and order of slices. What
// a field takes is a figure. Experiments build it, with a protection taken out when they must fail.
import type { Product } from '../../shared/imagery/discovery/product.js';
import type { Interest } from '../../shared/imagery/interest/interest.js';
import { fanOut } from '../../shared/imagery/units/fanOut.js';
import { promoteLate } from '../../shared/imagery/units/runUnit.js';
import { slicesOf } from '../../shared/imagery/units/slices.js';
import { lanes, takenUp, type Lane, type OpenUnit } from '../../shared/imagery/units/unitWork.js';
import { addDays } from '../../shared/validation/calendar.js';
import { aScene } from '../imagery/builders.js';
import { InterestInMemory, ScenesInMemory, UnitsInMemory } from '../support/imageryInMemory.js';
import { MemoryUnitQueue } from '../support/memoryUnitStores.js';

const SECOND_MS = 1_000;
const START = Date.parse('2026-06-20T12:00:00Z');
const TODAY = '2026-06-20';
/** What a field on a day takes, and how many units are worked on at once in each lane. */
const FIELD_MS = 10;
const WORKERS = 4;
const CELLS = 10;
const ENTRIES = 5;
const FIELDS = 100;
/** New scenes of the small customer's tile: one every five minutes. */
const NEW_EVERY_S = 300;
const NEW_SCENES = 4;
const BOX = [13.14, 48.29, 13.15, 48.3] as const;

export interface LaneDaysOptions {
  /** Fields of the large customer, whose days of an archive are processed anew; none when the service is idle. */
  readonly backlogFields: number;
  readonly backlogDays: number;
}

/** A worker with the unit in its hands. */
interface Worker {
  readonly lane: Lane;
  freeAt: number;
  unit?: OpenUnit;
}

const fieldsOf = (place: string, count: number): Interest['fields'] =>
  Array.from({ length: count }, (_, index) => ({ fieldId: `${place}-${index}`, geometryHash: 'shape', bbox: BOX }));

const entryOf = (place: Pick<Interest, 'tile' | 'cell' | 'part' | 'customer'>, fields: number): Interest => ({
  ...place,
  enrollmentId: 'e',
  layers: ['ndvi'],
  firstDate: '2026-01-01',
  lastDate: '2026-12-31',
  bbox: BOX,
  fields: fieldsOf(`${place.tile}-${place.cell}-${place.part}`, fields),
});

const tileOf = (index: number): string => `33U${String.fromCharCode(65 + (index % 20))}${index < 20 ? 'A' : 'B'}`;

/** A product of a tile, shown at an instant. */
function productOf(tile: string, day: string, publishedAt: number): Product {
  const scene = aScene({ id: `${tile}-${day}-${publishedAt}`, tile, takenAt: `${day}T10:00:00.000Z` });
  const shown = new Date(publishedAt).toISOString();
  const key = { tile, scene: `${day}|${publishedAt}` };
  const facts = { day, version: scene.id, publishedAt: shown, seenAt: shown, revision: 1, units: 0 } as const;
  return { ...key, ...facts, scenes: [scene], fanOut: 'open' };
}

class World {
  now = START;
  readonly scenes = new ScenesInMemory();
  readonly interest = new InterestInMemory();
  readonly units = new UnitsInMemory({ now: () => new Date(this.now) });
  readonly unitQueue = new MemoryUnitQueue(() => this.now);
  readonly workers: readonly Worker[] = lanes.flatMap((lane) =>
    Array.from({ length: WORKERS }, (): Worker => ({ lane, freeAt: 0 })),
  );
  /** Milliseconds from publication to the small customer's images. */
  readonly waits: number[] = [];
  done = 0;
  readonly ports = {
    scenes: this.scenes,
    interest: this.interest,
    units: this.units,
    unitQueue: this.unitQueue,
    clock: { now: () => new Date(this.now), sleep: () => Promise.resolve(), every: () => () => undefined },
    log: () => undefined,
  };

  async publish(tile: string, day: string, publishedAt: number): Promise<void> {
    const product = productOf(tile, day, publishedAt);
    await this.scenes.put(product, undefined);
    await fanOut(this.ports)(product);
  }

  /** A second of every worker. */
  async tick(): Promise<void> {
    for (const worker of this.workers) {
      while (worker.freeAt <= this.now) {
        if (worker.unit !== undefined) await this.#finish(worker, worker.unit);
        if (!(await this.#take(worker))) break;
      }
    }
    this.now += SECOND_MS;
  }

  async #finish(worker: Worker, unit: OpenUnit): Promise<void> {
    delete worker.unit;
    await this.units.finish(unit, { customers: 1, fields: 1 });
    this.done += 1;
    if (unit.lane === 'late') await promoteLate(this.ports, this.units.bucketOf(unit));
  }

  async #take(worker: Worker): Promise<boolean> {
    const key = this.unitQueue.take(worker.lane);
    const stored = key === undefined ? undefined : await this.units.find(key);
    if (stored === undefined) return false;
    const unit = takenUp(stored.unit, 'worker');
    await this.units.replace(unit, stored.etag);
    let at = this.now;
    for (const { customer, fields } of slicesOf(await this.interest.listRange(unit.tile, unit))) {
      at += fields.length * FIELD_MS;
      if (customer === 'small' && unit.date === TODAY) this.waits.push(at - unit.publishedAt);
    }
    worker.unit = unit;
    worker.freeAt = at;
    return true;
  }
}

/** Lives through it. @returns the longest wait of the small customer for images of a new scene, in seconds */
export async function laneDays({ backlogFields, backlogDays }: LaneDaysOptions) {
  const world = new World();
  const tiles = Math.ceil(backlogFields / (CELLS * ENTRIES * FIELDS));
  const places = Array.from({ length: tiles * CELLS * ENTRIES }, (_, index) => ({
    tile: tileOf(Math.floor(index / (CELLS * ENTRIES))),
    cell: Math.floor(index / ENTRIES) % CELLS,
    part: index % ENTRIES,
    customer: 'large',
  }));
  await world.interest.write(places.map((place) => entryOf(place, FIELDS)));
  await world.interest.write([entryOf({ tile: tileOf(0), cell: 0, part: 0, customer: 'small' }, 5)]);
  for (let back = 1; back <= backlogDays; back += 1) {
    for (let tile = 0; tile < tiles; tile += 1)
      await world.publish(tileOf(tile), addDays(TODAY, -back), START - 86_400_000);
  }
  for (let second = 0; second < NEW_EVERY_S * (NEW_SCENES + 1); second += 1) {
    if (second % NEW_EVERY_S === 60 && world.waits.length < NEW_SCENES)
      await world.publish(tileOf(0), TODAY, world.now);
    await world.tick();
  }
  const unserved = NEW_SCENES - world.waits.length;
  const left = world.units.waiting.length + world.units.open.length;
  const slowest = unserved > 0 ? Infinity : Math.max(...world.waits) / SECOND_MS;
  return { slowestSeconds: slowest, unserved, unitsDone: world.done, unitsLeft: left };
}
