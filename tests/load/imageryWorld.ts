/** Customers with fields in the storage of a running service, and the imagery of them worked on in this process. */
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '../../shared/clock.js';
import { ingestKind, ingestWork } from '../../shared/enrollments/ingestEnrollment.js';
import { inspectFields } from '../../shared/enrollments/uploadTasks.js';
import { catalogueHttpClient } from '../../shared/imagery/catalogue/catalogueHttpClient.js';
import { egressGuard } from '../../shared/imagery/catalogue/egressClient.js';
import { FeedClient } from '../../shared/imagery/catalogue/feedClient.js';
import { StacClient, type StacOptions } from '../../shared/imagery/catalogue/stacClient.js';
import { readFeed } from '../../shared/imagery/discovery/readFeed.js';
import { planCustomer, type SearchDocument } from '../../shared/imagery/discovery/planImagery.js';
import { postponeSearch, searchScenes } from '../../shared/imagery/discovery/searchScenes.js';
import { makeLayers } from '../../shared/imagery/layers/fieldLayers.js';
import type { ImageryThresholds } from '../../shared/imagery/records/judgement.js';
import { DEFAULT_THRESHOLDS } from '../../shared/imagery/layers/visibility.js';
import { CogSceneReader } from '../../shared/imagery/pixels/cogSceneReader.js';
import type { Polygon } from '../../shared/geo/geoJson.js';
import { indexEnrollment } from '../../shared/imagery/interest/indexEnrollment.js';
import { isUsable } from '../../shared/imagery/catalogue/sceneOfItem.js';
import { productKeyOf, withScene, type ProductKey } from '../../shared/imagery/discovery/product.js';
import { fanOut } from '../../shared/imagery/units/fanOut.js';
import { runUnit } from '../../shared/imagery/units/runUnit.js';
import { sweepUnits } from '../../shared/imagery/units/sweepUnits.js';
import { openedUnit, type Lane, type UnitNotice } from '../../shared/imagery/units/unitWork.js';
import { blockShare } from '../../shared/raster/blockShare.js';
import { giveUpUnit, renderScenes } from '../../shared/imagery/units/renderScenes.js';
import type { RenderUnit } from '../../shared/imagery/units/renderUnit.js';
import type { WorkKey } from '../../shared/imagery/work/imageryWork.js';
import { runWork, type WorkHandler } from '../../shared/imagery/work/runWork.js';
import { sweepImagery } from '../../shared/imagery/work/sweepImagery.js';
import { addDays } from '../../shared/validation/calendar.js';
import { handleWork } from '../../shared/work/handleWork.js';
import { lanesOf } from '../../shared/work/lanes.js';
import { sweepLanes } from '../../shared/work/sweepLanes.js';
import { sweepWork } from '../../shared/work/sweepWork.js';
import { newItem } from '../../shared/work/workItem.js';
import { anEnrollment } from '../enrollments/builders.js';
import type { CountedService } from './countedService.js';
import { StorageOfService } from './storageOfService.js';
import { ALL_LAYERS, type Harvest } from './workCosts.js';

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
  readonly #messages: WorkKey[] = [];
  readonly #unitMessages: UnitNotice[] = [];
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
      ...this.#stores(),
      clock,
      catalogue: new StacClient(ofCatalogue),
      reader: new CogSceneReader({ clock, egress, random: Math.random }),
      queue: {
        enqueue: (key: WorkKey) => {
          this.#messages.push(key);
          return this.#counted();
        },
      },
      unitQueue: {
        enqueue: (_lane: Lane, notice: UnitNotice) => {
          this.#unitMessages.push(notice);
          return this.#counted();
        },
      },
      newId: randomUUID,
      newShare: () => blockShare(SHARE_BYTES),
      planImagery: () => Promise.resolve(),
      queues: () => ({ send: () => this.#counted(), servedUntil: (now: number) => Promise.resolve(now) }),
      makeLayers,
      software: 'growth',
      thresholds: { ...DEFAULT_THRESHOLDS, sceneCloudPercent: 95 },
      retentionDays: 1_100,
      leaseMs: LEASE_MS,
      random: Math.random,
      activeLimits: { search: 2, render: 2 },
      turn: () => Promise.resolve(),
      log: () => undefined,
      inspectFields: async (key: { customer: string; enrollmentId: string }) =>
        inspectFields(await this.#storage.inputs.readGeoJson(key)),
    };
    this.#poll = readFeed({
      ...this.#ports,
      catalogueName: 'earth-search',
      sceneFeed: new FeedClient(ofCatalogue),
      feed: storage.feed,
      sceneQueue: { enqueue: () => this.#counted() },
    });
  }

  #stores() {
    const {
      customers,
      enrollments,
      schedule,
      fields,
      inputs,
      fieldDates,
      work,
      retries,
      marks,
      interest,
      geometries,
      imagery,
      scenes,
      units,
      notes,
    } = this.#storage;
    return {
      customers,
      enrollments,
      schedule,
      fields,
      inputs,
      fieldDates,
      work,
      retries,
      marks,
      interest,
      geometries,
      imagery,
      scenes,
      units,
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
      for (const due of await this.#storage.schedule.listDue(customer, today)) {
        await this.#storage.schedule.remove(due);
      }
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
    const kind = ingestKind(this.#ports, LEASE_MS);
    await handleWork(this.#workPorts(), new Map([[kind.kind, kind]]))(ingestWork(enrollment));
    await indexEnrollment(this.#ports)(enrollment, await this.#storage.fields.listFields(enrollment));
  }

  /** Plans and does everything that is due of these customers. */
  async workOff(customers: readonly string[]): Promise<void> {
    await forEachOf(customers, (customer) => planCustomer(this.#ports)(customer));
    while (this.#messages.length > 0) await forEachOf(this.#messages.splice(0), (key) => this.#run(key));
  }

  #workPorts() {
    const { openWork: store, laneStore } = this.#storage;
    const lanes = lanesOf({ ...this.#ports, laneStore, slotsOf: () => Promise.resolve(1) });
    return { ...this.#ports, store, laneStore, lanes };
  }

  #unitPorts() {
    return { ...this.#ports, thresholds: { ...this.#ports.thresholds, clearFraction: this.#clearFraction } };
  }

  #run(key: WorkKey): Promise<void> {
    const ports = this.#ports;
    const handlers: Readonly<Record<WorkKey['kind'], WorkHandler>> = {
      search: {
        run: (customer, document, hold) => searchScenes(ports)(customer, document as SearchDocument, hold),
        giveUp: (customer, document, { reason }) => postponeSearch(ports)(customer, document as SearchDocument, reason),
      },
      render: {
        run: (customer, document, hold) => renderScenes(ports)(customer, document as RenderUnit, hold),
        giveUp: (customer, document, end) => giveUpUnit(ports)(customer, document as RenderUnit, end),
      },
    };
    return runWork(ports, handlers[key.kind])(key);
  }

  /** Leaves work of each of these customers whose message was lost. */
  async loseMessages(customers: readonly string[]): Promise<void> {
    for (const customer of customers) {
      const now = Date.now();
      await this.#storage.marks.raise({ kind: 'imagery', customer, checkAt: now, raisedAt: now });
      const document = { enrollmentId: 'none', group: 'none', from: '2026-05-01', to: '2026-05-02' };
      await this.#storage.work.add(customer, 'search', [{ id: 'lost', document }]);
      await this.#storage.work.promote(customer, 'search', 1);
    }
  }

  /** Takes up what was lost. */
  async workOffLost(): Promise<void> {
    while (this.#messages.length > 0) await forEachOf(this.#messages.splice(0), (key) => this.#run(key));
  }

  /** The sweeps of one minute. */
  async sweep(): Promise<void> {
    await sweepWork(this.#workPorts())();
    await sweepLanes(this.#workPorts())();
    await sweepImagery(this.#ports)();
    await sweepUnits(this.#ports)();
  }

  /** One look at what the catalogue shows anew. */
  async poll(): Promise<void> {
    await this.#poll();
  }

  /** Leaves units whose message was lost; nobody has fields there. */
  async loseUnits(count: number): Promise<void> {
    const now = Date.now();
    for (let cell = 0; cell < count; cell += 1) {
      const facts = { tile: '01CCV', date: '2020-01-01', version: '', lane: 'live', publishedAt: now } as const;
      const unit = openedUnit({ cell, part: '0', from: '', to: '' }, facts, now);
      await this.#storage.units.write(facts.tile, facts.date, [{ unit }]);
    }
  }

  /** The catalogue shows the scene of a day to everybody's tiles. @returns its products */
  async publish(day: string): Promise<readonly ProductKey[]> {
    const { features } = JSON.parse(this.#harvest.geojson) as { features: readonly { geometry: Polygon }[] };
    const query = { area: features[0]?.geometry ?? emptyArea, from: `${day}T00:00:00Z`, to: `${day}T23:59:59Z` };
    const found = (await this.#ports.catalogue.search(query)).filter(isUsable);
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

  /** Opens the units of some products. */
  async fanOut(keys: readonly ProductKey[]): Promise<void> {
    for (const key of keys) await fanOut(this.#ports)(key);
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
    while (this.#unitMessages.length > 0) {
      await forEachOf(this.#unitMessages.splice(0), (key) => runUnit(this.#unitPorts())(key), UNITS_AT_ONCE);
    }
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
