import type { TokenCredential } from '@azure/identity';
import { BlobServiceClient } from '@azure/storage-blob';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import { TableCustomerStore } from '../customers/tableCustomerStore.js';
import { TableEnrollmentStore } from '../enrollments/tableEnrollmentStore.js';
import { TableFieldStore } from '../enrollments/tableFieldStore.js';
import { TableScheduleStore } from '../enrollments/tableScheduleStore.js';
import type { NewId } from '../ids.js';
import { BlobFieldGeometrySource } from '../imagery/pixels/blobFieldGeometrySource.js';
import { AzureBlobs } from '../storage/azureBlobs.js';
import { BlobImageryStore } from '../imagery/documents/blobImageryStore.js';
import { catalogueHttpClient, type GetJson } from '../imagery/catalogue/catalogueHttpClient.js';
import { CogSceneReader } from '../imagery/pixels/cogSceneReader.js';
import { egressGuard, type EgressGuard } from '../imagery/catalogue/egressClient.js';
import { expireImagery } from '../imagery/records/expireImagery.js';
import { makeLayers, type LayerFile, type LayersToMake } from '../imagery/layers/fieldLayers.js';
import type { WorkKey, WorkKind } from '../imagery/work/imageryWork.js';
import type { ImageryThresholds } from '../imagery/records/judgement.js';
import { planetaryComputerSigner, type AddressFor } from '../imagery/catalogue/planetaryComputerClient.js';
import { planCustomer, type SearchDocument } from '../imagery/discovery/planImagery.js';
import { giveUpUnit, renderScenes, type RenderPorts } from '../imagery/units/renderScenes.js';
import type { RenderUnit } from '../imagery/units/renderUnit.js';
import { runWork, type RunWorkPorts, type WorkHandler } from '../imagery/work/runWork.js';
import { postponeSearch, searchScenes, type SearchPorts } from '../imagery/discovery/searchScenes.js';
import { imageryQueue, tilesQueue } from '../imagery/imageryQueue.js';
import { FeedClient } from '../imagery/catalogue/feedClient.js';
import { StacClient } from '../imagery/catalogue/stacClient.js';
import { readFeed, type FeedPoll } from '../imagery/discovery/readFeed.js';
import { planReconciliation, reconcileTiles } from '../imagery/discovery/reconcile.js';
import { searchTile } from '../imagery/discovery/searchTile.js';
import { TableFeedStore } from '../imagery/discovery/tableFeedStore.js';
import { TableSceneStore } from '../imagery/discovery/tableSceneStore.js';
import { revivePoisoned, sweepAllImagery, sweepImagery, type ImagerySweepCount } from '../imagery/work/sweepImagery.js';
import { tableWaitingWorkReader, waitingUnitsReader } from '../imagery/work/tableWaitingWorkReader.js';
import { watchImagery, type ImageryWatch } from '../imagery/work/watchImagery.js';
import { TableFieldDateStore } from '../imagery/records/tableFieldDateStore.js';
import { TableImageryWorkStore } from '../imagery/work/tableImageryWorkStore.js';
import { TableMakingStore } from '../imagery/records/tableMakingStore.js';
import { TableRetryStore } from '../imagery/records/tableRetryStore.js';
import { compareInterest, type InterestComparison } from '../imagery/interest/indexEnrollment.js';
import { TableInterestStore } from '../imagery/interest/tableInterestStore.js';
import { TableMarkStore } from '../openMarks/tableMarkStore.js';
import { measuredFetch } from '../telemetry/measuredFetch.js';
import { workLimits } from '../storage/limits.js';
import { imageryContainerName } from '../storage/names.js';
import type { Log } from '../telemetry/telemetry.js';
import { currentTraceparent } from '../telemetry/trace.js';
import type { WorkKind as Kind } from '../work/workKind.js';
import type { RunTask } from '../worker/tasks.js';
import type { DataStorage } from './storageClients.js';
import { askProductOf, unitKindsOf } from './unitServices.js';
import type { WorkPorts } from './workServices.js';

/** What the functions of imagery do. */
export interface ImageryServices {
  /** Counts the imagery that customers wait for. */
  readonly watchImagery: () => Promise<ImageryWatch>;
  /** Ends the days whose images have had their time. */
  readonly expireImagery: () => Promise<number>;
  readonly imagery: {
    /** Plans what is due of one customer, such as an enrollment that was just ingested. */
    readonly plan: (customer: string) => Promise<number>;
    /** Looks after the work of the customers whose mark is due. */
    readonly sweep: () => Promise<ImagerySweepCount>;
    /** The same for every customer. */
    readonly sweepAll: () => Promise<ImagerySweepCount>;
    /** Compares the index of who wants images of which place with the enrollments. */
    readonly compareInterest: () => Promise<InterestComparison>;
    /** Takes in what the catalogue has shown since the last time. */
    readonly readFeed: () => Promise<FeedPoll>;
    /** Leaves a message for each group of tiles of which anybody wants images. */
    readonly planReconciliation: () => Promise<{ readonly tiles: number }>;
    /** Holds the last days of tiles against the catalogue. */
    readonly reconcileTiles: (tiles: readonly string[]) => Promise<void>;
    /** One attempt at a piece of work. */
    readonly run: Readonly<Record<WorkKind, (key: WorkKey) => Promise<void>>>;
    /** Decides about work whose message the host has given up. */
    readonly revive: (key: WorkKey) => Promise<void>;
  };
  /** The kinds of imagery by place, for all customers, as work. */
  readonly imageryKinds: readonly Kind[];
}

export interface ImagerySurroundings {
  readonly forWork: DataStorage;
  /** Where work is kept, and how it comes up. */
  readonly work: Pick<WorkPorts, 'store' | 'work'>;
  readonly credential: TokenCredential;
  /** A process for the layers of large fields. */
  readonly runTask: RunTask;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Software tag of every file; a change of the layers' bytes for the same input deserves a new number. */
const SOFTWARE = 'partner-field-service layers 1';
/** Larger windows are computed beside the event loop: 256 × 256 pixels take about 50 ms. */
const INLINE_PIXELS = 65_536;
/** Searches are short; two at a time keep the renders of a customer fed. */
const SEARCHES_PER_CUSTOMER = 2;

function storesOf({ forWork, clock }: ImagerySurroundings) {
  const sending = { clock, traceparent: currentTraceparent };
  return {
    customers: new TableCustomerStore(forWork.rows('customers')),
    enrollments: new TableEnrollmentStore(forWork.rows('enrollments')),
    schedule: new TableScheduleStore(forWork.rows('enrollments')),
    fields: new TableFieldStore(forWork.rows('fields')),
    fieldDates: new TableFieldDateStore(forWork.rows('fieldDates')),
    geometries: new BlobFieldGeometrySource(forWork.blobs('enrollment-inputs')),
    work: new TableImageryWorkStore(forWork.rows('fieldDates'), clock),
    retries: new TableRetryStore(forWork.rows('fieldDates')),
    makings: new TableMakingStore(forWork.rows('fieldDates')),
    marks: new TableMarkStore(forWork.rows('marks')),
    interest: new TableInterestStore(forWork.rows('interest')),
    scenes: new TableSceneStore(forWork.rows('scenes')),
    feed: new TableFeedStore(forWork.rows('feed')),
    tilesQueue: tilesQueue(forWork.messages('imagery-tiles'), sending),
    queue: imageryQueue(
      { search: forWork.messages('imagery-search'), render: forWork.messages('imagery-render') },
      sending,
    ),
  };
}

function imageryStoreOf(config: Config, credential: TokenCredential): BlobImageryStore {
  const { tryMs, tries } = workLimits;
  const account = new BlobServiceClient(config.IMAGERY_STORAGE__blobServiceUri, credential, {
    retryOptions: { maxTries: tries, tryTimeoutInMs: tryMs, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  });
  return new BlobImageryStore(new AzureBlobs(account.getContainerClient(imageryContainerName)));
}

function thresholdsOf(config: Config): ImageryThresholds {
  const clear = config.IMAGERY_MIN_CLEAR_PERCENT / 100;
  const scouting = config.IMAGERY_MIN_CLEAR_SCOUTING_PERCENT / 100;
  return {
    coverageFraction: config.IMAGERY_MIN_COVERAGE_PERCENT / 100,
    clearFraction: { ndvi: clear, vegetation: clear, scouting, 'true-color': clear },
    sceneCloudPercent: config.IMAGERY_MAX_SCENE_CLOUD_PERCENT,
  };
}

/** The catalogue of the settings and what reads its files. */
function catalogueOf(config: Config, egress: EgressGuard, { clock, log }: Pick<ImagerySurroundings, 'clock' | 'log'>) {
  const getJson: GetJson = catalogueHttpClient({ fetch: measuredFetch, clock, egress, random: Math.random });
  const isPlanetary = config.IMAGERY_SOURCE === 'planetary-computer';
  const url = isPlanetary ? `${config.PLANETARY_COMPUTER_URL}/stac/v1` : config.EARTH_SEARCH_URL;
  const sasUrl = `${config.PLANETARY_COMPUTER_URL}/sas/v1`;
  const sign: AddressFor | undefined = isPlanetary
    ? planetaryComputerSigner({ url: sasUrl, getJson, clock })
    : undefined;
  const options = { catalogue: config.IMAGERY_SOURCE, url, getJson };
  return {
    catalogue: new StacClient({ ...options, log }),
    sceneFeed: new FeedClient(options),
    reader: new CogSceneReader({ clock, egress, random: Math.random, ...(sign === undefined ? {} : { sign }) }),
  };
}

const layersBeside =
  (runTask: RunTask) =>
  async (order: LayersToMake): Promise<readonly LayerFile[]> => {
    const { width, height } = order.scene;
    return width * height <= INLINE_PIXELS ? makeLayers(order) : runTask('makeLayers', order);
  };

function searchHandler(ports: SearchPorts): WorkHandler {
  return {
    run: (customer, document, hold) => searchScenes(ports)(customer, document as SearchDocument, hold),
    giveUp: (customer, document, { reason }) => postponeSearch(ports)(customer, document as SearchDocument, reason),
  };
}

function renderHandler(ports: RenderPorts): WorkHandler {
  return {
    run: (customer, document, hold) => renderScenes(ports)(customer, document as RenderUnit, hold),
    giveUp: (customer, document, end) => giveUpUnit(ports)(customer, document as RenderUnit, end),
  };
}

/** Builds the clients and use cases of imagery; nothing is called yet. */
export function imageryServices(config: Config, surroundings: ImagerySurroundings): ImageryServices {
  const { credential, runTask, clock, log, work } = surroundings;
  const stores = storesOf(surroundings);
  const shared: RunWorkPorts = {
    work: stores.work,
    queue: stores.queue,
    clock,
    log,
    random: Math.random,
    leaseMs: config.JOB_LEASE_SECONDS * 1000,
    activeLimits: { search: SEARCHES_PER_CUSTOMER, render: config.IMAGERY_RENDERS_PER_CUSTOMER },
  };
  const egress = egressGuard(config.IMAGERY_HOSTS, { clock });
  const { catalogue, sceneFeed, reader } = catalogueOf(config, egress, surroundings);
  const ports = { ...stores, ...shared, imagery: imageryStoreOf(config, credential) };
  const render: RenderPorts = {
    ...ports,
    reader,
    thresholds: thresholdsOf(config),
    makeLayers: layersBeside(runTask),
    software: SOFTWARE,
    turn: async () => {
      await turn();
    },
  };
  const discovery = {
    ...ports,
    askProduct: askProductOf(work.work),
    catalogueName: config.IMAGERY_SOURCE,
    sceneFeed,
    searchTile: searchTile(ports),
  };
  const retentionDays = config.IMAGERY_RETENTION_DAYS;
  const listWaiting = tableWaitingWorkReader(surroundings.forWork.rows('fieldDates'));
  const listWaitingUnits = waitingUnitsReader(work.store);
  return {
    watchImagery: watchImagery({ customers: stores.customers, listWaiting, listWaitingUnits, clock }),
    expireImagery: expireImagery(ports, retentionDays),
    imagery: {
      plan: planCustomer(ports),
      sweep: sweepImagery(ports),
      sweepAll: sweepAllImagery(ports),
      compareInterest: compareInterest(ports),
      readFeed: readFeed(discovery),
      planReconciliation: planReconciliation(discovery),
      reconcileTiles: reconcileTiles(discovery),
      run: {
        search: runWork(shared, searchHandler({ ...ports, catalogue, retentionDays })),
        render: runWork(shared, renderHandler(render)),
      },
      revive: revivePoisoned(ports),
    },
    imageryKinds: unitKindsOf(config, { ...render, clock }, { ...surroundings, enqueuer: work.work }),
  };
}
