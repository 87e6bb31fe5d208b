/** Customers with fields in the storage of a running service, and the imagery of them worked on in this process. */
import { scenesFound } from '../support/scenesFound.js';
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '../../shared/kit/clock.js';
import type { EnrollmentKey } from '../../shared/enrollments/record/enrollment.js';
import { ingestKind, ingestWork } from '../../shared/enrollments/ingest/ingestEnrollment.js';
import { inspectFields, standingField, type GeometryPair } from '../../shared/enrollments/upload/uploadTasks.js';
import { catalogueHttpClient } from '../../shared/scenes/stac/catalogueHttpClient.js';
import { egressGuard } from '../../shared/kit/outbound/egressClient.js';
import { StacClient, type StacOptions } from '../../shared/scenes/stac/stacClient.js';
import { planOf } from '../../shared/imagery/discovery/backfill.js';
import { planKind } from '../../shared/imagery/discovery/planEnrollment.js';
import { readFeed } from '../../shared/imagery/discovery/readFeed.js';
import { backfillKind } from '../../shared/imagery/discovery/runBackfill.js';
import { makeLayers } from '../../shared/scenes/layers/fieldLayers.js';
import type { ImageryThresholds } from '../../shared/imagery/records/judgement.js';
import { DEFAULT_THRESHOLDS } from '../../shared/scenes/layers/visibility.js';
import { CogSceneReader } from '../../shared/scenes/pixels/cogSceneReader.js';
import type { Polygon } from '../../shared/geo/shapes/geoJson.js';
import { indexEnrollment } from '../../shared/imagery/interest/indexEnrollment.js';
import { isUsable } from '../../shared/scenes/item/sceneOfItem.js';
import { productKeyOf, withScene, workOfProduct, type ProductKey } from '../../shared/imagery/products/product.js';
import { productKind } from '../../shared/imagery/units/fanOut.js';
import { orderOf } from '../../shared/imagery/units/unit.js';
import { unitKind } from '../../shared/imagery/units/unitKind.js';
import { blockShare } from '../../shared/raster/read/blockShare.js';
import { addDays } from '../../shared/kit/validation/calendar.js';
import { enqueuer } from '../../shared/work/enqueue.js';
import { handleWork } from '../../shared/work/handleWork.js';
import { backfillsLaneOf } from '../../shared/work/lanes/lane.js';
import { lanesOf } from '../../shared/work/lanes/lanes.js';
import { sweepLanes } from '../../shared/work/upkeep/sweepLanes.js';
import { sweepWork } from '../../shared/work/upkeep/sweepWork.js';
import { newItem, type WorkKey } from '../../shared/work/item/workItem.js';
import type { WorkKind } from '../../shared/work/item/workKind.js';
import { anEnrollment } from '../enrollments/builders.js';
import type { CountedService } from './countedService.js';
import { StorageOfService } from './storageOfService.js';
import { ALL_LAYERS, type Harvest } from './workCosts.js';
import { nobodyListens } from '../support/nobodyListens.js';

/** Customers beyond so many are there to be many: one field each. */
const MOST_WITH_FIELDS = 10;
const WORKERS = 16;
/** As many as the host takes from the queue at once. */
const UNITS_AT_ONCE = 4;
const SHARE_BYTES = 128 * 1024 * 1024;
const emptyArea: Polygon = { type: 'Polygon', coordinates: [] };
const LEASE_MS = 10 * 60_000;

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** Does something for each, some at a time. */
export async function forEachOf<T>(
  all: readonly T[],
  one: (entry: T, index: number) => Promise<unknown>,
  atOnce = WORKERS,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < all.length) {
      const index = next++;
      await one(all[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Customers of some fields each, all in one district, and everything that is done for their imagery. */
export class ImageryWorld {
  /** Calls of the catalogue's search so far. */
  catalogueRequests = 0;
  /** Messages sent so far. */
  messagesSent = 0;
  /** Ahead of the machine's clock by so much. */
  aheadMs = 0;
  readonly customers: string[] = [];
  #clearFraction: ImageryThresholds['clearFraction'] = DEFAULT_THRESHOLDS.clearFraction;
  readonly #storage: StorageOfService;
  readonly #harvest: Harvest;
  readonly #fieldsEach: number;
  readonly #poll: () => Promise<unknown>;
  readonly #workMessages: WorkKey[] = [];
  readonly #ports;

  constructor({ loaded, storage }: CountedService, harvest: Harvest, fieldsEach: number) {
    this.#storage = storage;
    this.#harvest = harvest;
    this.#fieldsEach = fieldsEach;
    const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + this.aheadMs) };
    const egress = egressGuard((loaded.settings['IMAGERY_HOSTS'] ?? '').split(','), { clock });
    const getJson = catalogueHttpClient({ fetch, clock, egress, random: Math.random });
    const ofCatalogue: StacOptions = {
      catalogue: 'earth-search',
      url: loaded.settings['EARTH_SEARCH_URL'] ?? '',
      getJson: (call, signal) => {
        this.catalogueRequests += 1;
        return getJson(call, signal);
      },
    };
    this.#ports = {
      ...nobodyListens,
      ...this.#stores(),
      clock,
      catalogue: new StacClient(ofCatalogue),
      reader: new CogSceneReader({ clock, egress, random: Math.random }),
      newId: randomUUID,
      newShare: () => blockShare(SHARE_BYTES),
      askRetry: () => this.#counted(),
      forgetNotes: () => this.#counted(),
      // The index and the backfills come when a column is made.
      beginMonitoring: () => Promise.resolve(),
      queues: () => ({
        send: (key: WorkKey) => {
          this.#workMessages.push(key);
          return this.#counted();
        },
        servedUntil: (now: number) => Promise.resolve(now),
      }),
      makeLayers,
      software: 'growth',
      thresholds: { ...DEFAULT_THRESHOLDS, sceneCloudPercent: 95 },
      retentionDays: 1_100,
      leaseMs: LEASE_MS,
      random: Math.random,
      turn: () => Promise.resolve(),
      log: () => undefined,
      inspectFields: async (key: { customer: string; enrollmentId: string }) =>
        inspectFields(await this.#storage.inputs.readGeoJson(key)),
      standingField: (pair: GeometryPair) => Promise.resolve(standingField(pair)),
    };
    this.#poll = readFeed({
      ...this.#ports,
      catalogueName: 'earth-search',
      catalogue: new StacClient(ofCatalogue),
      feed: storage.feed,
      askProduct: () => this.#counted(),
      compareAll: () => Promise.resolve(),
    });
  }

  #stores() {
    const { customers, enrollments, fields, inputs, fieldDates, interest, geometries, imagery, scenes, notes } =
      this.#storage;
    return {
      customers,
      enrollments,
      fields,
      inputs,
      fieldDates,
      interest,
      geometries,
      imagery,
      scenes,
      notes,
    };
  }

  /** Messages go to no queue here; each counts as the request that it would be. */
  #counted(): Promise<void> {
    this.messagesSent += 1;
    return Promise.resolve();
  }

  /** As many customers as that, each with an enrollment that is looked through to today. */
  async growTo(count: number): Promise<void> {
    const more = Array.from({ length: count - this.customers.length }, () => randomUUID());
    await forEachOf(more, async (customer, index) => {
      const today = dayOf(Date.now());
      const place = this.customers.length + index;
      const fields = place < MOST_WITH_FIELDS ? this.#fieldsEach : 1;
      await this.enrol(customer, place, { from: addDays(today, -30), to: addDays(today, 60), fields });
    });
    this.customers.push(...more);
  }

  /** A customer's enrollment, ingested and in the index. */
  async enrol(
    customer: string,
    index: number,
    { from, to, fields = this.#fieldsEach }: { readonly from: string; readonly to: string; readonly fields?: number },
  ): Promise<void> {
    const request = { imageSource: 'sentinel-2-l2a' as const, startDate: from, endDate: to, layers: ALL_LAYERS };
    const enrollment = anEnrollment({ customer, request, totalFields: fields, createdAt: Date.now() });
    const { features } = JSON.parse(this.#harvest.geojson) as { readonly features: readonly object[] };
    const first = (index * this.#fieldsEach) % features.length;
    const own = { type: 'FeatureCollection', features: features.slice(first, first + fields) };
    await this.#storage.customers.insert({ customer, fieldLimit: 250, createdAt: Date.now() });
    const bytes = new TextEncoder().encode(JSON.stringify(own));
    await this.#storage.inputs.put(enrollment, { request: new Uint8Array(), geojson: bytes });
    await this.#storage.enrollments.insert(enrollment);
    await this.#storage.openWork.insert(newItem(ingestWork(enrollment), Date.now()));
    await this.#attempt(ingestKind(this.#ports, LEASE_MS))(ingestWork(enrollment));
    await indexEnrollment(this.#ports)(enrollment, await this.#storage.fields.listFields(enrollment));
  }

  /** Plans and does everything that is due of these customers. */
  async workOff(customers: readonly string[]): Promise<void> {
    const ports = { ...this.#ports, enqueuer: this.#enqueuer };
    await forEachOf(customers, async (customer) => {
      for (const key of await this.#enrollmentsOf(customer)) await ports.enqueuer.ask(planOf(key));
    });
    await this.#workOffKind(planKind(ports, LEASE_MS), WORKERS);
    for (const customer of customers) await this.#workPorts().lanes.fill(backfillsLaneOf(customer));
    await this.#workOffKind(backfillKind(ports, LEASE_MS), WORKERS);
  }

  async #enrollmentsOf(customer: string): Promise<readonly EnrollmentKey[]> {
    const listed = await this.#storage.enrollments.list(customer, { limit: 100 });
    return listed.map(({ enrollment }) => enrollment);
  }

  #workPorts() {
    const { openWork: store, laneStore } = this.#storage;
    const lanes = lanesOf({ ...this.#ports, laneStore, slotsOf: () => Promise.resolve(1) });
    return { ...this.#ports, store, laneStore, lanes, isHeld: () => Promise.resolve(false) };
  }

  #attempt(kind: WorkKind): (key: WorkKey) => Promise<void> {
    return handleWork(this.#workPorts(), new Map([[kind.kind, kind]]));
  }

  /** Handles every message of a kind. */
  async #workOffKind(kind: WorkKind, atOnce: number): Promise<void> {
    const attempt = this.#attempt(kind);
    for (;;) {
      const keys = this.#workMessages.filter((key) => key.kind === kind.kind);
      if (keys.length === 0) return;
      const others = this.#workMessages.filter((key) => key.kind !== kind.kind);
      this.#workMessages.splice(0, Infinity, ...others);
      await forEachOf(keys, attempt, atOnce);
    }
  }

  get #enqueuer() {
    return enqueuer(this.#workPorts());
  }

  /** Leaves work of each of these customers whose message was lost; nobody has fields there. */
  async loseMessages(customers: readonly string[]): Promise<void> {
    const [enrollmentId, now] = [randomUUID(), Date.now()];
    for (const customer of customers)
      await this.#storage.openWork.insert(newItem(planOf({ customer, enrollmentId }), now));
  }

  /** Takes up what was lost. */
  async workOffLost(): Promise<void> {
    await this.#workOffKind(planKind({ ...this.#ports, enqueuer: this.#enqueuer }, LEASE_MS), WORKERS);
  }

  /** The sweeps of one minute. */
  async sweep(): Promise<void> {
    await sweepWork(this.#workPorts())();
    await sweepLanes(this.#workPorts())();
  }

  /** One look at what the catalogue shows anew. */
  async poll(): Promise<void> {
    await this.#poll();
  }

  /** Leaves units whose message was lost; nobody has fields there. */
  async loseUnits(count: number): Promise<void> {
    const now = Date.now();
    for (let cell = 0; cell < count; cell += 1) {
      const place = { tile: '01CCV', date: '2020-01-01', cell, part: '0' };
      const unit = orderOf({ ...place, from: '', to: '', lane: 'live', publishedAt: now });
      await this.#storage.openWork.insert(newItem(unit, now));
    }
  }

  /** The catalogue shows the scene of a day to everybody's tiles. @returns its products */
  async publish(day: string): Promise<readonly ProductKey[]> {
    const { features } = JSON.parse(this.#harvest.geojson) as { features: readonly { geometry: Polygon }[] };
    const query = { area: features[0]?.geometry ?? emptyArea, from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` };
    const found = (await scenesFound(this.#ports.catalogue, query)).filter(isUsable);
    const keys: ProductKey[] = [];
    const now = new Date().toISOString();
    for (const tile of await this.#tiles()) {
      for (const scene of found) {
        const shown = { ...scene, tile };
        const key = productKeyOf(shown);
        if (key === undefined) throw new Error('The scenes of the harvest name no tile.');
        const known = await this.#storage.scenes.find(key);
        const { product } = withScene(undefined, key, { scene: shown, publishedAt: now, seenAt: now });
        await this.#storage.scenes.put(product, known?.etag);
        keys.push(key);
      }
    }
    return keys;
  }

  /** The tiles in which somebody has fields. */
  async #tiles(): Promise<readonly string[]> {
    const keys = await this.#storage.interest.listEnded('9999-12-31');
    return [...new Set(keys.map(({ tile }) => tile))];
  }

  /** Asks for the work of some products, which asks for their units. */
  async fanOut(keys: readonly ProductKey[]): Promise<void> {
    for (const key of keys) await this.#enqueuer.ask(workOfProduct(key));
    await this.#workOffKind(productKind({ ...this.#ports, enqueuer: this.#enqueuer }, LEASE_MS), 1);
  }

  /** Does something while no field is seen clearly enough. */
  async underClouds(work: () => Promise<void>): Promise<void> {
    const { clearFraction } = DEFAULT_THRESHOLDS;
    this.#clearFraction = { ndvi: 2, vegetation: 2, scouting: 2, 'true-color': 2 };
    await work();
    this.#clearFraction = clearFraction;
  }

  /** Does every unit that is open. */
  async workUnitsOff(): Promise<void> {
    const thresholds = { ...this.#ports.thresholds, clearFraction: this.#clearFraction };
    await this.#workOffKind(unitKind({ ...this.#ports, thresholds }, LEASE_MS), UNITS_AT_ONCE);
  }

  /** Fields on days that are recorded as made. */
  async madeOf(customers: readonly string[]): Promise<number> {
    let made = 0;
    await forEachOf(customers, async (customer) => {
      for (const { fieldId } of await this.#storage.fields.listFieldsOf(customer, { limit: 250 })) {
        const days = await this.#storage.fieldDates.list(customer, fieldId);
        made += days.filter(({ outcome }) => outcome === 'done').length;
      }
    });
    return made;
  }
}
