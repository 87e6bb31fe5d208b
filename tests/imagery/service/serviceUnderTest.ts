/**
 * The imagery of the service as people outside see it: customers enrol and stop, a catalogue shows scenes, hours pass, files
 * lie in folders. What the service is made of is known in this file alone; the tests beside it say what has to come out.
 */
import { stopEnrollment } from '../../../shared/enrollments/submission/stopEnrollment.js';
import { StacClient, type StacOptions } from '../../../shared/scenes/stac/stacClient.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import type { FieldStore } from '../../../shared/enrollments/fields/fieldStore.js';
import { FeedUnderTest } from '../discovery/feedUnderTest.js';
import type { ToEnrol } from '../imageryUnderTest.js';
import { clearFields } from '../paintedReader.js';
import { ShownCatalogue, URL_OF_CATALOGUE } from './shownCatalogue.js';

const HOUR_MS = 3_600_000;
/** When the work of a night is due, UTC; the same time of day and three others are enough for days of which nothing is asked. */
const NIGHT = '05:30';
const LOOKS_OF_A_DAY = [NIGHT, '11:30', '17:30', '23:30'];
/** Digital numbers of this collection carry the offset of 1,000. */
const WITH_OFFSET = 'sentinel-2-c1-l2a';
const STORES = ['enrollments', 'fields', 'fieldDates', 'interest'];
const STORES_BY_PLACE = ['scenes', 'feed', 'notes'];

/** The same store. @param count is called before each of its calls */
const counted = <T extends object>(store: T, count: () => void): T =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        count();
        return Reflect.apply(member, target, given);
      };
    },
  });

/** The same ports. @param count is called before each call of one of the named stores */
function withCount<T extends object>(ports: T, stores: readonly string[], count: () => void): T {
  const entries = Object.entries(ports).map(([name, port]: [string, unknown]) =>
    stores.includes(name) ? [name, counted(port as object, count)] : [name, port],
  );
  return Object.fromEntries(entries) as T;
}

/** Today's classes, with a catalogue that is asked over its wire protocol and stores that count. */
class Parts extends FeedUnderTest {
  /** Calls of stores so far. */
  operations = 0;
  readonly shown = new ShownCatalogue(() => this.clock.now().getTime());
  override readonly kernel = new WorkInMemory(() => this.clock, {
    rows: counted(new MemoryRows(), () => {
      this.count();
    }),
  });

  override get ports() {
    const catalogue = new StacClient(this.catalogueOptions);
    return {
      ...withCount(super.ports, STORES, () => {
        this.count();
      }),
      catalogue,
    };
  }

  override get unitPorts() {
    return withCount(super.unitPorts, STORES_BY_PLACE, () => {
      this.count();
    });
  }

  override get discovery() {
    const catalogue = new StacClient(this.catalogueOptions);
    return {
      ...withCount(super.discovery, STORES_BY_PLACE, () => {
        this.count();
      }),
      catalogue,
    };
  }

  // The class before asks for ports while it is built: no private members, and nothing of this class before it is used.
  private get catalogueOptions(): StacOptions {
    return { catalogue: 'earth-search', url: URL_OF_CATALOGUE, getJson: (call) => this.shown.getJson(call) };
  }

  private count(): void {
    this.operations += 1;
  }
}

/** A death before a piece of work has come to its end. */
class Died extends Error {}

export class ServiceUnderTest {
  readonly #parts: Parts;

  /** @param start ISO 8601; hours pass from then on, so that half past is when the nightly work is due */
  constructor(start: `${string}:30:00Z`) {
    this.#parts = new Parts(start);
    this.#parts.reader.paint = (scene, file, place) =>
      clearFields(scene, file, place) + (scene.collection === WITH_OFFSET && file !== 'scl' ? 1_000 : 0);
  }

  get catalogue(): ShownCatalogue {
    return this.#parts.shown;
  }

  get now(): Date {
    return this.#parts.clock.now();
  }

  /** Requests to storage so far, but for those of files and documents. */
  get operations(): number {
    return this.#parts.operations;
  }

  /** A submission that was ingested. */
  enrol(submission: ToEnrol): Promise<void> {
    return this.#parts.enrol(submission);
  }

  async stop(customer: string, enrollmentId: string): Promise<void> {
    await this.#parts.stop({ customer, enrollmentId });
  }

  /** A stop whose process dies after the enrollment is stopped, before whoever makes images is told. */
  async stopDying(customer: string, enrollmentId: string): Promise<void> {
    const { enrollments, clock, kernel } = this.#parts;
    const fields = Object.assign(Object.create(this.#parts.fields) as FieldStore, {
      release: () => Promise.reject(new Died()),
    });
    const stop = stopEnrollment({ enrollments, fields, clock, enqueuer: kernel.enqueuer });
    await stop({ customer, enrollmentId }).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
  }

  /** The host of a scene's files answers 403 from now on. */
  refuse(sceneId: string): void {
    const refusal = new RasterError('refused', 'access was refused (403)', { isTransient: true });
    this.#parts.reader.faults.set(sceneId, refusal);
  }

  /** Lets hours pass: the service works in each of them, and at night does what is due then. */
  async pass(hours: number): Promise<void> {
    for (let hour = 0; hour < hours; hour += 1) await this.#hour(true);
  }

  /** Lets days pass in which no hour counts: the service works four times in each. */
  async passDays(days: number): Promise<void> {
    for (let hour = 0; hour < 24 * days; hour += 1) await this.#hour(LOOKS_OF_A_DAY.includes(this.#time));
  }

  /** Paths of all layer files of a customer, in order. */
  images(customer: string): readonly string[] {
    return [...this.#parts.imagery.files.keys()].filter((path) => path.startsWith(`${customer}/`)).sort();
  }

  /** Paths of the layer files that were written so far, in the order of writing. */
  imageWrites(): readonly string[] {
    return this.#parts.imagery.writes.filter((path) => path.endsWith('.tiff'));
  }

  /** What is recorded of the days of a customer's field. */
  async outcomes(customer: string, fieldId: string): Promise<Readonly<Record<string, string>>> {
    const days = await this.#parts.fieldDates.list(customer, fieldId);
    return Object.fromEntries(days.map(({ date, outcome }) => [date, outcome]));
  }

  /** The index of who wants images of which place loses everything of a customer. */
  async loseIndex(customer: string): Promise<void> {
    await this.#parts.interest.remove(this.#parts.interest.entries.filter((row) => row.customer === customer));
  }

  /** Whether the index knows a customer. */
  isIndexed(customer: string): boolean {
    return this.#parts.interest.entries.some((row) => row.customer === customer);
  }

  /** What is kept of scenes, and of fields beside their records. */
  get kept(): { readonly products: number; readonly notes: number } {
    return { products: this.#parts.scenes.products.length, notes: this.#parts.notes.notes.size };
  }

  get #time(): string {
    return this.now.toISOString().slice(11, 16);
  }

  async #hour(isWorking: boolean): Promise<void> {
    if (isWorking) await this.#work();
    await this.#parts.clock.advance(HOUR_MS);
  }

  async #work(): Promise<void> {
    const parts = this.#parts;
    // A timer that fails is due again at its next time.
    if (this.#time === NIGHT) {
      await parts.expire();
      await parts.night().catch(() => undefined);
    }
    await parts.poll().catch(() => undefined);
    await parts.sweep();
    await parts.drainAll();
  }
}
