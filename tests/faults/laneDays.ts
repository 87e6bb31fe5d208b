// Workers of both lanes with a clock that is moved by hand: the product's own fan-out, queues, work items, sweeps, pauses and
// order of slices. What a field takes is a figure. Experiments build it, with a protection taken out when they must fail.
import type { Product } from '../../shared/imagery/products/product.js';
import type { Interest } from '../../shared/imagery/interest/interest.js';
import { fanOut } from '../../shared/imagery/units/fanOut.js';
import { slicesOf } from '../../shared/imagery/units/slices.js';
import { textOfUnit, UNIT, unitOf, type Lane, type Unit } from '../../shared/imagery/units/unit.js';
import { unitKind } from '../../shared/imagery/units/unitKind.js';
import { newestFirst } from '../../shared/kit/validation/calendar.js';
import { RasterError } from '../../shared/raster/tiff/rasterError.js';
import { workQueues } from '../../shared/wiring/areas/workServices.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import type { Attempt } from '../../shared/work/item/attempt.js';
import { enqueuer } from '../../shared/work/enqueue.js';
import { handleWork } from '../../shared/work/handleWork.js';
import { sweepWork } from '../../shared/work/upkeep/sweepWork.js';
import type { WorkKey } from '../../shared/work/item/workItem.js';
import { done, type Outcome, type WorkKind } from '../../shared/work/item/workKind.js';
import { aScene } from '../imagery/builders.js';
import { LEASE_MS } from '../imagery/imageryUnderTest.js';
import { UnitsUnderTest } from '../imagery/units/unitsUnderTest.js';
import { settle } from '../support/manualClock.js';
import { MemoryMessages } from '../support/memoryMessages.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
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
/** Of the messages of the late lane so many are lost. */
const LOST_SHARE = 0.02;
/** Its days of the archive are refused by the host of the files, until the rest of the backlog is done. */
const REFUSED_TILE = 1;
/** What the work itself takes, and so much for what was lost on the way. */
const MOST_LOSS_MS = 15 * MINUTE_MS;
/** The longest pause after a refusal, and until the sweep has sent what is due then. */
const LONGEST_PAUSE_MS = 4 * HOUR_MS + 10 * MINUTE_MS;
const BOX = [13.14, 48.29, 13.15, 48.3] as const;

export interface LaneDaysOptions {
  readonly random: () => number;
  /** Fields of the large customer, whose days of an archive are processed anew; none when the service is idle. */
  readonly backlogFields: number;
  readonly backlogDays: number;
}

/** A queue of which some messages are lost. */
class LossyMessages extends MemoryMessages {
  readonly #isLost: () => boolean;

  constructor(now: () => number, isLost: () => boolean) {
    super(now);
    this.#isLost = isLost;
  }

  override send(text: string, delaySeconds: number): Promise<void> {
    return this.#isLost() ? Promise.resolve() : super.send(text, delaySeconds);
  }
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
  const key = { tile, scene: `${newestFirst(day)}|${publishedAt}` };
  return { ...key, day, version: scene.id, publishedAt: shown, seenAt: shown, scenes: [scene], fanOut: 'open' };
}

class World {
  readonly service = new UnitsUnderTest(new Date(START).toISOString());
  /** Milliseconds from publication to the small customer's images. */
  readonly waits: number[] = [];
  done = 0;
  isRefusing = true;
  readonly #atWork = new Set<Unit>();
  /** What came one after the other: when products of a tile and day were shown while a unit of it was at work, and looks. */
  #steps = 0;
  readonly #shownMeanwhile = new Map<string, number>();
  readonly #lookedAt = new Map<string, number>();
  readonly #messages: Readonly<Record<Lane, MemoryMessages>>;
  readonly #busy: Record<Lane, number> = { live: 0, late: 0 };
  readonly #ports;
  readonly #handle: (key: WorkKey) => Promise<void>;

  constructor(random: () => number) {
    const { kernel, clock } = this.service;
    const now = (): number => this.now;
    this.#messages = { live: new MemoryMessages(now), late: new LossyMessages(now, () => random() < LOST_SHARE) };
    const messages = (name: string) => this.#messages[name === 'imagery-late' ? 'late' : 'live'];
    const { store, lanes, log } = kernel;
    this.#ports = { store, lanes, clock, log, queues: workQueues({ messages }, clock, () => undefined) };
    let attempts = 0;
    const newId = (): string => `attempt-${(attempts += 1)}`;
    this.#handle = handleWork(
      { ...this.#ports, newId, random, isHeld: () => Promise.resolve(false) },
      new Map([[UNIT, this.#kind()]]),
    );
  }

  get now(): number {
    return this.service.clock.now().getTime();
  }

  async publish(tile: string, day: string, publishedAt: number): Promise<void> {
    const { unitPorts: ports, scenes } = this.service;
    const product = productOf(tile, day, publishedAt);
    await scenes.put(product, undefined);
    await fanOut({ ...ports, log: () => undefined, enqueuer: enqueuer(this.#ports) })(product);
  }

  /** A while of every worker, with the sweep of each minute. */
  async pass(milliseconds: number): Promise<void> {
    if (this.now % MINUTE_MS === 0) await sweepWork(this.#ports)();
    this.#take();
    await settle();
    await this.service.clock.advance(milliseconds);
  }

  /** Lets time pass until something is so. @returns the milliseconds, `mostMs` when it is not so even then */
  async passUntil(isSo: () => Promise<boolean>, mostMs: number): Promise<number> {
    const start = this.now;
    while (this.now - start < mostMs && !(await isSo())) await this.pass(MINUTE_MS);
    return this.now - start;
  }

  /** New products of the days that are at work now come. */
  async publishMeanwhile(): Promise<void> {
    for (const text of new Set([...this.#atWork].map(dayOf))) {
      const [tile = '', date = ''] = text.split('|');
      await this.publish(tile, date, START - DAY_MS + 1);
      this.#shownMeanwhile.set(text, (this.#steps += 1));
    }
  }

  /** Units that were last looked at before a product came that they show. */
  get outdated(): readonly string[] {
    const isOutdated = ([text, at]: readonly [string, number]): boolean =>
      at < (this.#shownMeanwhile.get(dayOf(unitOf({ kind: UNIT, id: `|${text}` }))) ?? 0);
    return [...this.#lookedAt].filter(isOutdated).map(([text]) => text);
  }

  async openUnits(): Promise<readonly Unit[]> {
    return (await this.#ports.store.list(UNIT)).map(unitOf);
  }

  /** Free workers take what can be taken. */
  #take(): void {
    for (const lane of ['live', 'late'] as const) {
      while (this.#busy[lane] < WORKERS) {
        const text = this.#messages[lane].take();
        if (text === undefined) break;
        this.#busy[lane] += 1;
        void this.#handle(JSON.parse(text) as WorkKey).finally(() => {
          this.#busy[lane] -= 1;
          this.#take();
        });
      }
    }
  }

  /** Units as they are, but for what is done to a slice. */
  #kind(): WorkKind {
    const kind = unitKind(this.service.unitPorts, LEASE_MS);
    const run = (attempt: Attempt): Promise<Outcome> => this.#run(unitOf(attempt.item));
    return { ...kind, begin: async (item) => ({ ...(await kind.begin(item)), run }) };
  }

  async #run(unit: Unit): Promise<Outcome> {
    const { interest, clock } = this.service;
    if (this.isRefusing && isRefused(unit)) throw new RasterError('refused', 'The host of the files answers 403.');
    this.#atWork.add(unit);
    this.#lookedAt.set(textOfUnit(unit), (this.#steps += 1));
    for (const { customer, fields } of slicesOf(await interest.listTile(unit.tile, unit))) {
      await clock.sleep(fields.length * FIELD_MS);
      if (customer === 'small' && unit.date === TODAY) this.waits.push(this.now - unit.publishedAt);
    }
    this.#atWork.delete(unit);
    this.done += 1;
    return done;
  }
}

const dayOf = ({ tile, date }: Pick<Unit, 'tile' | 'date'>): string => `${tile}|${date}`;

const isRefused = ({ tile, date }: Pick<Unit, 'tile' | 'date'>): boolean =>
  tile === tileOf(REFUSED_TILE) && date !== TODAY;

/** The new scenes of the small customer's tile come, and the time of one more passes. */
async function liveScenes(world: World): Promise<void> {
  let shown = 0;
  for (let second = 0; second < NEW_EVERY_S * (NEW_SCENES + 1); second += 1) {
    if (second % NEW_EVERY_S === 60 && shown < NEW_SCENES) {
      await world.publish(tileOf(0), TODAY, world.now);
      shown += 1;
    }
    await world.pass(SECOND_MS);
  }
}

/** Works off what is behind: at first without the days that are refused, then those. @returns what is lost, held up or out of date */
async function workOff(world: World): Promise<readonly string[]> {
  await world.publishMeanwhile();
  const open = await world.openUnits();
  const itselfMs = (open.length * ENTRIES * FIELDS * FIELD_MS) / WORKERS;
  const othersOpen = async () => (await world.openUnits()).filter((unit) => !isRefused(unit));
  await world.passUntil(async () => (await othersOpen()).length === 0, itselfMs + MOST_LOSS_MS);
  const heldUp = await othersOpen();
  const refused = (await world.openUnits()).length - heldUp.length;
  world.isRefusing = false;
  await world.passUntil(async () => (await world.openUnits()).length === 0, LONGEST_PAUSE_MS);
  const lost = await world.openUnits();
  return [
    ...(heldUp.length === 0 ? [] : [`I6: ${heldUp.length} late units that nobody refuses are not done in time`]),
    ...(refused > 0 ? [] : ['No unit was left of the days that are refused.']),
    ...(lost.length === 0 ? [] : [`I6: ${lost.length} late units are lost`]),
    ...world.outdated.map((unit) => `I6: ${unit} is made without a product that came meanwhile`),
  ];
}

/** Lives through it. @returns the longest wait of the small customer for images of a new scene, in seconds */
export async function laneDays({ random, backlogFields, backlogDays }: LaneDaysOptions) {
  const world = new World(random);
  const { interest } = world.service;
  const tiles = Math.ceil(backlogFields / (CELLS * ENTRIES * FIELDS));
  const places = Array.from({ length: tiles * CELLS * ENTRIES }, (_, index) => ({
    tile: tileOf(Math.floor(index / (CELLS * ENTRIES))),
    cell: Math.floor(index / ENTRIES) % CELLS,
    part: index % ENTRIES,
    customer: 'large',
  }));
  await interest.write(places.map((place) => entryOf(place, FIELDS)));
  await interest.write([entryOf({ tile: tileOf(0), cell: 0, part: 0, customer: 'small' }, 5)]);
  for (let back = 1; back <= backlogDays; back += 1) {
    for (let tile = 0; tile < tiles; tile += 1)
      await world.publish(tileOf(tile), addDays(TODAY, -back), START - DAY_MS);
  }
  await liveScenes(world);
  const unserved = NEW_SCENES - world.waits.length;
  const slowestSeconds = unserved > 0 ? Infinity : Math.max(...world.waits) / SECOND_MS;
  const [unitsDone, unitsLeft] = [world.done, (await world.openUnits()).length];
  const breaches = backlogDays > 0 ? await workOff(world) : [];
  return { slowestSeconds, unserved, unitsDone, unitsLeft, breaches };
}
