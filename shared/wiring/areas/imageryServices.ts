import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.js';
import type { Config } from '../settings/config.js';
import { CustomerStore } from '../../access/customers/customerStore.js';
import { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../enrollments/fields/fieldStore.js';
import type { NewId } from '../../kit/ids.js';
import { BlobFieldGeometrySource } from '../../scenes/pixels/blobFieldGeometrySource.js';
import { BlobImageryStore } from '../../imagery/documents/blobImageryStore.js';
import { catalogueHttpClient, type GetJson } from '../../scenes/stac/catalogueHttpClient.js';
import { CogSceneReader } from '../../scenes/pixels/cogSceneReader.js';
import { egressGuard, type EgressGuard } from '../../kit/outbound/egressClient.js';
import { expireImagery } from '../../imagery/documents/expireImagery.js';
import { makeLayers, type LayerFile, type LayersToMake } from '../../scenes/layers/fieldLayers.js';
import type { ImageryThresholds } from '../../imagery/records/judgement.js';
import { planetaryComputerSigner, type AddressFor } from '../../scenes/stac/planetaryComputerClient.js';
import { StacClient } from '../../scenes/stac/stacClient.js';
import { readFeed, type FeedPoll } from '../../imagery/discovery/readFeed.js';
import { planReconciliation, tilesKind } from '../../imagery/discovery/reconcile.js';
import { TableFeedStore } from '../../imagery/discovery/tableFeedStore.js';
import { TableSceneStore } from '../../imagery/products/tableSceneStore.js';
import { waitingWork, watchImagery, type ImageryWatch } from '../../imagery/watchImagery.js';
import { askBackfill, askRetry } from '../../imagery/discovery/backfill.js';
import { planKind } from '../../imagery/discovery/planEnrollment.js';
import { backfillKind } from '../../imagery/discovery/runBackfill.js';
import { BlobSliceNotesStore } from '../../imagery/units/blobSliceNotesStore.js';
import type { RenderPorts } from '../../imagery/units/renderScenes.js';
import { forgetNotes } from '../../imagery/units/sliceNotes.js';
import { TableFieldDateStore } from '../../imagery/records/tableFieldDateStore.js';
import { TableMakingStore } from '../../imagery/records/tableMakingStore.js';
import { compareInterest, type InterestComparison } from '../../imagery/interest/indexEnrollment.js';
import { leaveKind } from '../../imagery/interest/leaveIndex.js';
import { TableInterestStore } from '../../imagery/interest/tableInterestStore.js';
import { measuredFetch } from '../../kit/telemetry/measuredFetch.js';
import type { Blobs } from '../../storage/blobs.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import type { WorkKind } from '../../work/item/workKind.js';
import type { SceneLibraryPorts } from '../../scenes/library/sceneLibrary.js';
import type { RunTask } from '../beside/tasks.js';
import type { Tellers } from './noticeServices.js';
import type { DataStorage } from '../clients/storageClients.js';
import { askProductOf, unitKindsOf } from './unitServices.js';
import type { WorkPorts } from './workServices.js';

/** What the functions of imagery do. */
export interface ImageryServices {
  /** Counts the imagery that customers wait for. */
  readonly watchImagery: () => Promise<ImageryWatch>;
  /** Ends the days whose images have had their time. */
  readonly expireImagery: () => Promise<number>;
  readonly imagery: {
    /** Compares the index of who wants images of which place with the enrollments. */
    readonly compareInterest: () => Promise<InterestComparison>;
    /** Takes in what the catalogue has shown since the last time. */
    readonly readFeed: () => Promise<FeedPoll>;
    /** Has the last days of all tiles of which anybody wants images held against the catalogue. */
    readonly planReconciliation: () => Promise<{ readonly tiles: number }>;
  };
  /** The catalogue of satellite scenes and what reads its files. */
  readonly sceneSources: Pick<SceneLibraryPorts, 'catalogue' | 'reader'>;
  /** The kinds of work on images. */
  readonly imageryKinds: readonly WorkKind[];
}

export interface ImagerySurroundings {
  readonly forWork: DataStorage;
  /** Where work is kept, and how it comes up. */
  readonly work: Pick<WorkPorts, 'store' | 'work'>;
  /** The container of images. */
  readonly images: Blobs;
  /** How customers are told. */
  readonly tellers: Tellers;
  /** A process for the layers of large fields. */
  readonly runTask: RunTask;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Software tag of every file; a change of the layers' bytes for the same input deserves a new number. */
const SOFTWARE = 'partner-field-service layers 2';
/** Larger windows are computed beside the event loop: 256 × 256 pixels take about 50 ms. */
const INLINE_PIXELS = 65_536;

function storesOf({ forWork, tellers }: ImagerySurroundings) {
  return {
    customers: new CustomerStore(forWork.rows('customers')),
    enrollments: new EnrollmentStore(forWork.rows('enrollments')),
    fields: new FieldStore(forWork.rows('fields')),
    fieldDates: new TableFieldDateStore(forWork.rows('fieldDates'), tellers.tellOfImages),
    geometries: new BlobFieldGeometrySource(forWork.blobs('enrollment-inputs')),
    makings: new TableMakingStore(forWork.rows('fieldDates')),
    interest: new TableInterestStore(forWork.rows('interest')),
    scenes: new TableSceneStore(forWork.rows('scenes')),
    feed: new TableFeedStore(forWork.rows('feed')),
  };
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
function catalogueOf(config: Config, egress: EgressGuard, { clock }: Pick<ImagerySurroundings, 'clock'>) {
  const getJson: GetJson = catalogueHttpClient({ fetch: measuredFetch, clock, egress, random: Math.random });
  const isPlanetary = config.IMAGERY_SOURCE === 'planetary-computer';
  const url = isPlanetary ? `${config.PLANETARY_COMPUTER_URL}/stac/v1` : config.EARTH_SEARCH_URL;
  const sasUrl = `${config.PLANETARY_COMPUTER_URL}/sas/v1`;
  const sign: AddressFor | undefined = isPlanetary
    ? planetaryComputerSigner({ url: sasUrl, getJson, clock })
    : undefined;
  return {
    catalogue: new StacClient({ catalogue: config.IMAGERY_SOURCE, url, getJson }),
    reader: new CogSceneReader({ clock, egress, random: Math.random, ...(sign === undefined ? {} : { sign }) }),
  };
}

const layersBeside =
  (runTask: RunTask) =>
  async (order: LayersToMake): Promise<readonly LayerFile[]> => {
    const { width, height } = order.scene;
    return width * height <= INLINE_PIXELS ? makeLayers(order) : runTask('makeLayers', order);
  };

/** Builds the clients and use cases of imagery; nothing is called yet. */
export function imageryServices(config: Config, surroundings: ImagerySurroundings): ImageryServices {
  const { images, runTask, tellers, clock, log, work } = surroundings;
  const stores = storesOf(surroundings);
  const enqueuer = work.work;
  const egress = egressGuard(config.IMAGERY_HOSTS, { clock });
  const { catalogue, reader } = catalogueOf(config, egress, surroundings);
  const imagery = new BlobImageryStore(images);
  const notes = new BlobSliceNotesStore(surroundings.forWork.blobs('enrollment-inputs'));
  const leaving = { forgetNotes: forgetNotes(notes) };
  const ports = { ...stores, ...leaving, ...tellers, enqueuer, askRetry: askRetry(enqueuer), clock, log, imagery };
  const render: RenderPorts & typeof ports = {
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
    askProduct: askProductOf(enqueuer),
    catalogueName: config.IMAGERY_SOURCE,
    catalogue,
  };
  const compareAll = planReconciliation(discovery);
  const retentionDays = config.IMAGERY_RETENTION_DAYS;
  const leaseMs = config.JOB_LEASE_SECONDS * 1000;
  return {
    watchImagery: watchImagery({ listWaiting: waitingWork(work.store), clock }),
    expireImagery: expireImagery(ports, retentionDays),
    imagery: {
      compareInterest: compareInterest({
        ...ports,
        lookThrough: async ({ customer, enrollmentId }, days) => {
          await askBackfill(enqueuer, { customer, enrollmentId, ...days, why: 'mended' });
        },
      }),
      readFeed: readFeed({ ...discovery, compareAll: () => compareAll('silence') }),
      planReconciliation: () => compareAll('night'),
    },
    sceneSources: { catalogue, reader },
    imageryKinds: [
      planKind(ports, leaseMs),
      leaveKind(ports, leaseMs),
      tilesKind(discovery, leaseMs),
      backfillKind({ ...render, catalogue, retentionDays }, leaseMs),
      ...unitKindsOf({ ...render, notes }, leaseMs),
    ],
  };
}
