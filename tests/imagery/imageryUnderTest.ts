import { MemoryRows } from '../support/memoryRows.js';
import type { CustomerStore } from '../../shared/access/customers/customerStore.js';
import type { EnrollmentKey, EnrollmentRequest } from '../../shared/enrollments/record/enrollment.js';
import { LEAVE, stopEnrollment } from '../../shared/enrollments/submission/stopEnrollment.js';
import { leaveKind } from '../../shared/imagery/interest/leaveIndex.js';
import { LATE_SCENE_DAYS } from '../../shared/enrollments/record/enrollment.js';
import type { FieldShape, ReadyField } from '../../shared/enrollments/fields/field.js';
import { checkField } from '../../shared/enrollments/upload/fieldShape.js';
import { WorkBudget } from '../../shared/geo/soundness/workBudget.js';
import type { MultiPolygon } from '../../shared/geo/shapes/geoJson.js';
import { expireImagery } from '../../shared/imagery/documents/expireImagery.js';
import type { GeoBox } from '../../shared/scenes/place/footprint.js';
import { coverOf } from '../../shared/scenes/place/footprint.js';
import type { Found, SceneCatalogue, SceneQuery, ShownItem } from '../../shared/scenes/stac/sceneCatalogue.js';
import type { FieldGeometrySource } from '../../shared/scenes/pixels/pixelPorts.js';
import { makeLayers } from '../../shared/scenes/layers/fieldLayers.js';
import type { ImageryThresholds } from '../../shared/imagery/records/judgement.js';
import { DEFAULT_THRESHOLDS } from '../../shared/scenes/layers/visibility.js';
import { askBackfill, askRetry, BACKFILL, PLAN } from '../../shared/imagery/discovery/backfill.js';
import { beginMonitoring, planKind, type PlanPorts } from '../../shared/imagery/discovery/planEnrollment.js';
import { backfillKind, type BackfillPorts } from '../../shared/imagery/discovery/runBackfill.js';
import { backfillsLaneOf, nameOf } from '../../shared/work/lanes/lane.js';
import { wantsSlot, type WorkItem, type WorkKey } from '../../shared/work/item/workItem.js';
import type { WorkKind } from '../../shared/work/item/workKind.js';
import type { CompareInterestPorts } from '../../shared/imagery/interest/indexEnrollment.js';
import type { Scene, UnusableScene } from '../../shared/scenes/item/scene.js';
import type { Facts } from '../../shared/kit/telemetry/telemetry.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { boxAround } from '../../shared/geo/shapes/box.js';
import { anEnrollment, aRequest } from '../enrollments/builders.js';
import { ManualClock } from '../support/manualClock.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../shared/enrollments/fields/fieldStore.js';
import { MemoryFieldDateStore, MemoryImageryStore, MemoryMakingStore } from '../support/memoryImageryStores.js';
import { forgetNotes } from '../../shared/imagery/units/sliceNotes.js';
import { InterestInMemory } from '../support/imageryInMemory.js';
import { MemorySliceNotesStore } from '../support/memorySliceNotesStore.js';
import { WorkInMemory } from '../support/workInMemory.js';
import { boxPolygon } from './builders.js';
import { PaintedReader } from './paintedReader.js';
import { nobodyListens } from '../support/nobodyListens.js';

/** A catalogue of scenes, each shown from an instant on. */
export class ListedCatalogue implements Pick<SceneCatalogue, 'search'> {
  readonly searches: SceneQuery[] = [];
  readonly scenes: { readonly scene: Scene | UnusableScene; readonly publishedAt: number }[] = [];
  fault: Error | undefined;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(scene: Scene | UnusableScene, publishedAt = 0): void {
    this.scenes.push({ scene, publishedAt });
  }

  search(query: SceneQuery): Promise<Found<ShownItem>> {
    this.searches.push(query);
    if (this.fault !== undefined) return Promise.reject(this.fault);
    const box = boxOf(query.area);
    const found = this.scenes.filter(
      ({ scene, publishedAt }) =>
        publishedAt <= this.#now() &&
        scene.takenAt >= query.from &&
        scene.takenAt <= query.to &&
        coverOf(scene.footprint, box) !== 'none',
    );
    return Promise.resolve({ items: found.map(({ scene }) => ({ scene })), pages: 1 });
  }
}

const boxOf = ({ type, coordinates }: SceneQuery['area']): GeoBox =>
  boxAround((type === 'Polygon' ? [coordinates] : coordinates).flat(2));

export interface FieldToEnrol {
  readonly fieldId: string;
  /** The field itself, or the box around its parts. */
  readonly box: GeoBox;
  readonly parts?: MultiPolygon['coordinates'];
}

export interface ToEnrol {
  readonly customer: string;
  readonly enrollmentId: string;
  readonly fields: readonly FieldToEnrol[];
  readonly request?: Partial<EnrollmentRequest>;
}

const asCustomer = (customer: string) => ({ customer, fieldLimit: 250, createdAt: 0 });

/** The lease of an attempt. */
export const LEASE_MS = 60_000;

/** The processing half of area C with everything around it in memory, and a clock that is moved by hand. */
export class ImageryUnderTest {
  readonly clock: ManualClock;
  readonly enrollmentRows = new MemoryRows();
  readonly fieldRows = new MemoryRows();
  readonly enrollments = new EnrollmentStore(this.enrollmentRows);
  readonly fields = new FieldStore(this.fieldRows);
  readonly makings = new MemoryMakingStore();
  readonly fieldDates = new MemoryFieldDateStore(this.makings);
  readonly imagery = new MemoryImageryStore(() => this.clock.now().getTime());
  readonly interest = new InterestInMemory();
  readonly notes = new MemorySliceNotesStore();
  readonly kernel: WorkInMemory;
  reader = new PaintedReader();
  readonly catalogue: ListedCatalogue;
  readonly log: { readonly event: string; readonly facts: Facts }[] = [];
  /** The customers that the sweep looks after; those who enrolled unless told otherwise. */
  customers: Pick<CustomerStore, 'list' | 'find'> = {
    list: () => Promise.resolve([...this.#customers].map(asCustomer)),
    find: (customer) => Promise.resolve(this.#customers.has(customer) ? asCustomer(customer) : undefined),
  };
  /** Days for which files are kept. */
  retentionDays = 1_100;
  thresholds: ImageryThresholds = { ...DEFAULT_THRESHOLDS, sceneCloudPercent: 95 };
  readonly #geometries = new Map<string, MultiPolygon>();
  readonly #customers = new Set<string>();

  constructor(start = '2026-06-15T12:00:00Z') {
    this.clock = new ManualClock(start);
    const now = (): number => this.clock.now().getTime();
    this.kernel = new WorkInMemory(() => this.clock);
    this.catalogue = new ListedCatalogue(now);
  }

  get ports(): BackfillPorts & PlanPorts & CompareInterestPorts & { readonly interest: InterestInMemory } {
    const { enqueuer } = this.kernel;
    const geometries: FieldGeometrySource = {
      read: (_customer, hash) =>
        Promise.resolve(this.#geometries.get(hash) ?? { type: 'MultiPolygon', coordinates: [] }),
    };
    return {
      ...nobodyListens,
      clock: this.clock,
      enrollments: this.enrollments,
      fields: this.fields,
      fieldDates: this.fieldDates,
      imagery: this.imagery,
      interest: this.interest,
      forgetNotes: forgetNotes(this.notes),
      enqueuer,
      askRetry: askRetry(enqueuer),
      lookThrough: async ({ customer, enrollmentId }, days) => {
        await askBackfill(enqueuer, { customer, enrollmentId, ...days, why: 'mended' });
      },
      catalogue: this.catalogue,
      reader: this.reader,
      geometries,
      makeLayers,
      software: 'test',
      thresholds: this.thresholds,
      retentionDays: this.retentionDays,
      turn: () => Promise.resolve(),
      customers: this.customers,
      log: (event, facts) => {
        this.log.push({ event, facts });
      },
    };
  }

  /** An enrollment as ingest leaves it. */
  async enrol({ customer, enrollmentId, fields, request }: ToEnrol): Promise<void> {
    this.#customers.add(customer);
    const enrollment = anEnrollment({
      customer,
      enrollmentId,
      status: 'completed',
      request: aRequest(request),
      createdAt: this.clock.now().getTime(),
    });
    await this.enrollments.insert(enrollment);
    const { startDate, endDate, layers } = enrollment.request;
    for (const [index, { fieldId, box, parts }] of fields.entries()) {
      const shape = this.#shapeOf(parts ?? [boxPolygon(box).coordinates]);
      const field: ReadyField = {
        customer,
        enrollmentId,
        index,
        fieldId,
        status: 'ready',
        shape,
        startDate,
        endDate,
        layers,
      };
      const activeUntil = addDays(endDate, LATE_SCENE_DAYS);
      const { geometryHash } = shape;
      const holder = { enrollmentId, fieldId, geometryHash, startDate, endDate, activeUntil, layers };
      const replaces = await this.fields.findClaim(customer, fieldId);
      const outline = { geometry: boxPolygon(box), bbox: shape.bbox, areaHa: shape.areaHa };
      await this.fields.write({ customer, enrollmentId }, [{ field, holder, replaces, outline }]);
    }
    await beginMonitoring(this.ports)(enrollment);
  }

  /** Ends the monitoring of an enrollment, the work for that included. */
  async stop({ customer, enrollmentId }: EnrollmentKey): Promise<void> {
    await stopEnrollment({ ...this.ports, enrollments: this.enrollments, fields: this.fields })({
      customer,
      enrollmentId,
    });
    await this.run({ kind: LEAVE, id: `${customer}|${enrollmentId}` });
  }

  /** Has the days around a day looked through once more. */
  async searchAgain(customer: string, enrollmentId: string, day: string): Promise<void> {
    const days = { from: addDays(day, -15), to: addDays(day, 15) };
    await askBackfill(this.kernel.enqueuer, { customer, enrollmentId, ...days, why: 'mended' });
    await this.drain();
  }

  /** What the timer does every minute. */
  sweep() {
    return this.kernel.sweep();
  }

  /** The backfills that are not done. */
  backfills(): Promise<readonly WorkItem[]> {
    return this.kernel.store.list(BACKFILL);
  }

  /** Ends what has had its time, as if it were the turn of all customers. */
  expire(): Promise<number> {
    return expireImagery({ ...this.ports, makings: this.makings }, this.retentionDays, 1)();
  }

  /** One attempt at work of a kind, told in the same log as everything else. */
  handle(key: WorkKey, kind: WorkKind, store = this.kernel.store): Promise<void> {
    const log = (event: string, facts: object = {}): void => {
      this.ports.log(event, { ...facts });
    };
    return this.kernel.handle(key, kind, log, store);
  }

  /** One attempt at the beginning or the end of an enrollment, or at a backfill. */
  run(key: WorkKey): Promise<void> {
    const { ports } = this;
    if (key.kind === LEAVE)
      return this.handle(key, leaveKind({ ...nobodyListens, ...ports, fields: this.fields }, LEASE_MS));
    return this.handle(key, key.kind === PLAN ? planKind(ports, LEASE_MS) : backfillKind(ports, LEASE_MS));
  }

  /** Handles every message of these kinds that is visible now, slots of lanes given at once. @returns what was handled */
  async drain(): Promise<readonly WorkKey[]> {
    const handled: WorkKey[] = [];
    for (let key = await this.take(); key !== undefined; key = await this.take()) {
      await this.run(key);
      handled.push(key);
    }
    return handled;
  }

  /** Takes the message of these kinds that was sent first, of those that are visible now. */
  async take(): Promise<WorkKey | undefined> {
    for (const customer of this.#customers) await this.#giveSlots(backfillsLaneOf(customer));
    const now = this.clock.now().getTime();
    const { sent } = this.kernel.messages;
    const isOwn = ({ kind }: WorkKey): boolean => [PLAN, BACKFILL, LEAVE].includes(kind);
    const keyOf = ({ text }: { readonly text: string }) => JSON.parse(text) as WorkKey;
    const next = sent.find((message) => message.visibleAt <= now && isOwn(keyOf(message)));
    if (next === undefined) return undefined;
    sent.splice(sent.indexOf(next), 1);
    return keyOf(next);
  }

  /** What the lane does within seconds: whoever is done, or asks later only, leaves its slot to the next. */
  async #giveSlots(lane: string): Promise<void> {
    const { store, lanes, laneStore } = this.kernel;
    const gone = new Set<string>();
    for (const holder of (await laneStore.read(lane, 0)).state.holders) {
      const stored = await store.find(holder);
      const isIn = stored !== undefined && wantsSlot(stored.item, lane, this.clock.now().getTime());
      if (!isIn) gone.add(nameOf(holder));
    }
    await lanes.fill(lane, { gone });
  }

  /** Everything that customers see: files and documents. */
  paths(): readonly string[] {
    return [...this.imagery.files.keys(), ...this.imagery.documents.keys()].sort();
  }

  #shapeOf(coordinates: MultiPolygon['coordinates']): FieldShape {
    const { shape, geometry } = checkField(coordinates, new WorkBudget());
    this.#geometries.set(shape.geometryHash, JSON.parse(new TextDecoder().decode(geometry)) as MultiPolygon);
    return shape;
  }
}
