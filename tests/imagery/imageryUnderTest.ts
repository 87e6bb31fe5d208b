import { MemoryRows } from '../support/memoryRows.js';
import type { CustomerStore } from '../../shared/customers/customerPorts.js';
import type { EnrollmentRequest } from '../../shared/enrollments/enrollment.js';
import { LATE_SCENE_DAYS } from '../../shared/enrollments/enrollment.js';
import type { FieldShape, ReadyField } from '../../shared/enrollments/field.js';
import { checkField } from '../../shared/enrollments/fieldShape.js';
import { firstSchedule } from '../../shared/enrollments/schedule.js';
import { WorkBudget } from '../../shared/enrollments/workBudget.js';
import type { MultiPolygon } from '../../shared/geo/geoJson.js';
import { expireImagery } from '../../shared/imagery/records/expireImagery.js';
import type { GeoBox } from '../../shared/imagery/catalogue/footprint.js';
import { coverOf } from '../../shared/imagery/catalogue/footprint.js';
import type { FieldGeometrySource, SceneCatalogue, SceneQuery } from '../../shared/imagery/imageryPorts.js';
import type { WorkKey } from '../../shared/imagery/work/imageryWork.js';
import { makeLayers } from '../../shared/imagery/layers/fieldLayers.js';
import type { ImageryThresholds } from '../../shared/imagery/records/judgement.js';
import { DEFAULT_THRESHOLDS } from '../../shared/imagery/layers/visibility.js';
import { planCustomer, searchesOf, type SearchDocument } from '../../shared/imagery/discovery/planImagery.js';
import { giveUpUnit, renderScenes, type RenderPorts } from '../../shared/imagery/units/renderScenes.js';
import type { RenderUnit } from '../../shared/imagery/units/renderUnit.js';
import { activateNext, runWork, type RunWorkPorts } from '../../shared/imagery/work/runWork.js';
import type { CompareInterestPorts } from '../../shared/imagery/interest/indexEnrollment.js';
import type { Scene, UnusableScene } from '../../shared/imagery/catalogue/scene.js';
import { postponeSearch, searchScenes } from '../../shared/imagery/discovery/searchScenes.js';
import { sweepImagery } from '../../shared/imagery/work/sweepImagery.js';
import type { Facts } from '../../shared/telemetry/telemetry.js';
import { addDays } from '../../shared/validation/calendar.js';
import { boxAround } from '../../shared/raster/grid.js';
import { anEnrollment, aRequest } from '../enrollments/builders.js';
import { ManualClock } from '../support/manualClock.js';
import { TableEnrollmentStore } from '../../shared/enrollments/tableEnrollmentStore.js';
import { TableScheduleStore } from '../../shared/enrollments/tableScheduleStore.js';
import { TableFieldStore } from '../../shared/enrollments/tableFieldStore.js';
import {
  MemoryFieldDateStore,
  MemoryImageryQueue,
  MemoryImageryStore,
  MemoryImageryWorkStore,
  MemoryMakingStore,
  MemoryRetryStore,
} from '../support/memoryImageryStores.js';
import { InterestInMemory, MarksInMemory } from '../support/imageryInMemory.js';
import { boxPolygon } from './builders.js';
import { PaintedReader } from './paintedReader.js';

/** A catalogue of scenes, each shown from an instant on. */
export class ListedCatalogue implements SceneCatalogue {
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

  search(query: SceneQuery): Promise<readonly (Scene | UnusableScene)[]> {
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
    return Promise.resolve(found.map(({ scene }) => scene));
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

/** The processing half of area C with everything around it in memory, and a clock that is moved by hand. */
export class ImageryUnderTest {
  readonly clock: ManualClock;
  readonly enrollmentRows = new MemoryRows();
  readonly fieldRows = new MemoryRows();
  readonly enrollments = new TableEnrollmentStore(this.enrollmentRows);
  readonly fields = new TableFieldStore(this.fieldRows);
  readonly makings = new MemoryMakingStore();
  readonly fieldDates = new MemoryFieldDateStore(this.makings);
  readonly imagery = new MemoryImageryStore(() => this.clock.now().getTime());
  readonly retries = new MemoryRetryStore();
  readonly marks = new MarksInMemory('imagery');
  readonly interest = new InterestInMemory();
  reader = new PaintedReader();
  readonly work: MemoryImageryWorkStore;
  readonly queue: MemoryImageryQueue;
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
    this.work = new MemoryImageryWorkStore(now);
    this.queue = new MemoryImageryQueue(now);
    this.catalogue = new ListedCatalogue(now);
  }

  get ports(): RenderPorts &
    RunWorkPorts &
    CompareInterestPorts &
    Parameters<typeof sweepImagery>[0] &
    Parameters<typeof searchScenes>[0] {
    const geometries: FieldGeometrySource = {
      read: (_customer, hash) =>
        Promise.resolve(this.#geometries.get(hash) ?? { type: 'MultiPolygon', coordinates: [] }),
    };
    return {
      clock: this.clock,
      enrollments: this.enrollments,
      schedule: new TableScheduleStore(this.enrollmentRows),
      fields: this.fields,
      fieldDates: this.fieldDates,
      imagery: this.imagery,
      retries: this.retries,
      marks: this.marks,
      interest: this.interest,
      work: this.work,
      queue: this.queue,
      catalogue: this.catalogue,
      reader: this.reader,
      geometries,
      makeLayers,
      software: 'test',
      thresholds: this.thresholds,
      retentionDays: this.retentionDays,
      leaseMs: 60_000,
      random: () => 1,
      activeLimits: { search: 2, render: 2 },
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
    const now = this.clock.now().getTime();
    await this.marks.raise({ kind: 'imagery', customer, checkAt: now, raisedAt: now });
    const stored = (await this.enrollments.find(enrollment))!;
    await this.enrollments.endIngest(stored, enrollment, firstSchedule(enrollment));
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
  }

  plan(customer: string): Promise<number> {
    return planCustomer(this.ports)(customer);
  }

  /** Has the month around a day searched once more, as a failure has its day. */
  async searchAgain(customer: string, enrollmentId: string, day: string): Promise<void> {
    const ready = (await this.fields.listFields({ customer, enrollmentId })).filter(
      (field) => field.status === 'ready',
    );
    const period = { from: addDays(day, -15), to: addDays(day, 15) };
    await this.work.add(customer, 'search', searchesOf({ enrollmentId }, ready, [period]));
    await activateNext(this.ports)(customer, 'search');
    await this.drain();
  }

  sweep() {
    return sweepImagery(this.ports)();
  }

  /** Ends what has had its time. */
  expire(): Promise<number> {
    return expireImagery({ ...this.ports, makings: this.makings }, this.retentionDays)();
  }

  /** Handles one message. */
  async run(key: WorkKey): Promise<void> {
    const { ports } = this;
    const handlers = {
      search: {
        run: (customer: string, document: unknown, hold: Parameters<ReturnType<typeof searchScenes>>[2]) =>
          searchScenes(ports)(customer, document as SearchDocument, hold),
        giveUp: (customer: string, document: unknown, { reason }: { readonly reason: string }) =>
          postponeSearch(ports)(customer, document as SearchDocument, reason),
      },
      render: {
        run: (customer: string, document: unknown, hold: Parameters<ReturnType<typeof renderScenes>>[2]) =>
          renderScenes(ports)(customer, document as RenderUnit, hold),
        giveUp: (customer: string, document: unknown, end: Parameters<ReturnType<typeof giveUpUnit>>[2]) =>
          giveUpUnit(ports)(customer, document as RenderUnit, end),
      },
    };
    await runWork(ports, handlers[key.kind])(key);
  }

  /** Handles every message that is visible now, in the order of the queue. @returns what was handled */
  async drain(): Promise<readonly WorkKey[]> {
    const handled: WorkKey[] = [];
    for (let key = this.queue.take(); key !== undefined; key = this.queue.take()) {
      await this.run(key);
      handled.push(key);
    }
    return handled;
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
