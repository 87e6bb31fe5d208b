import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { systemClock } from '../../../shared/kit/clock.js';
import type { DataManager } from '../../../shared/jobs/dataManager/dataManager.js';
import { jobFailureOf } from '../../../shared/jobs/dataManager/jobFailure.js';
import { boundaryFaults, boundaryJobFaults } from '../../../shared/kit/errors/boundaryFaults.js';
import type { FarmInsightStore } from '../../../shared/farm/insights/insightStore.js';
import type { LandStore } from '../../../shared/farm/land/landStore.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { SceneLibrary } from '../../../shared/scenes/library/sceneLibrary.js';
import { catalogueHttpClient } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import { CogSceneReader } from '../../../shared/scenes/pixels/cogSceneReader.js';
import { BlobInsightStore } from '../../../shared/jobs/insight/blobInsightStore.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { publishInsight } from '../../../shared/jobs/insight/publishInsight.js';
import { publicationOf } from '../../../shared/wiring/areas/insightKinds.js';
import type { Job, JobKey } from '../../../shared/jobs/job.js';
import type { JsonObject } from '../../../shared/kit/json/json.js';
import { farmDataOf } from '../../../shared/wiring/areas/jobServices.js';
import type { DataStorage } from '../../../shared/wiring/clients/storageClients.js';
import type { FieldFinding, FieldSearch } from '../../../shared/boundary/job/findField.js';
import { BoundaryRecord } from '../../../shared/boundary/record/boundaryRecord.js';
import { runSmartBoundaryJob } from '../../../shared/boundary/job/runSmartBoundaryJob.js';
import { faultsOf } from '../../../shared/kit/validation/validator.js';
import type { Log } from '../../../shared/kit/telemetry/telemetry.js';
import type { TableName } from '../../../shared/storage/names.js';
import type { WorkItem } from '../../../shared/work/item/workItem.js';
import { by, landInMemory, landKey, partyKey, TENANT } from '../../farm/landInMemory.js';
import { JobsInMemory } from '../../support/jobsInMemory.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import type { MemoryRows } from '../../support/memoryRows.js';

/** The farm of the jobs. */
export const ownFarm = { tenant: TENANT, partyId: 'party', farmId: 'farm' } as const;

interface OwnBoundaryOptions {
  /** Folder of STAC items with their files. */
  readonly scenes: string;
  readonly findField: (search: FieldSearch) => Promise<FieldFinding>;
  /** Sees every call of storage by the data manager. */
  readonly watched?: <T extends object>(name: string, target: T) => T;
}

/** Boundary jobs of a tenant, all in memory but for the catalogue. */
export interface OwnBoundaryWorld {
  readonly clock: ManualClock;
  readonly catalogue: StacStandIn;
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly rows: (name: TableName) => MemoryRows;
  readonly dataManager: DataManager;
  readonly published: Insight[];
  /** What was logged, each with its facts as JSON. */
  readonly events: readonly string[];
  /** The record of the latest insight. */
  readonly record: () => BoundaryRecord;
  readonly create: (changes?: JsonObject) => Promise<void>;
  readonly step: () => Promise<boolean>;
  readonly drain: () => Promise<number>;
  /** Minute by minute a sweep and every message it sends, for so long. */
  readonly sweepFor: (minutes: number) => Promise<void>;
  readonly job: () => Promise<Job>;
  readonly item: () => Promise<WorkItem | undefined>;
  readonly cancel: () => Promise<Job>;
  readonly close: () => Promise<void>;
}

/** What may be otherwise than usual. */
interface LibraryChanges {
  readonly log?: Log;
  /** Until a question to the catalogue is given up. */
  readonly timeoutMs?: number;
}

/** The scenes of a catalogue, as the service reads them; waits take no time. */
export function sceneLibraryAt({ apiUrl, host }: StacStandIn, changes: LibraryChanges = {}): SceneLibrary {
  const { log = () => undefined, timeoutMs = 30_000 } = changes;
  const clock = { ...systemClock, sleep: () => Promise.resolve() };
  const egress = egressGuard([host], { clock });
  const getJson = catalogueHttpClient({ fetch, clock, egress, random: () => 0, timeoutMs });
  return new SceneLibrary({
    catalogue: new StacClient({ catalogue: 'earth-search', url: apiUrl, getJson }),
    reader: new CogSceneReader({ clock, egress, random: () => 0 }),
    log,
  });
}

const asIs = <T>(_name: string, target: T): T => target;

export async function ownBoundaryWorld(options: OwnBoundaryOptions): Promise<OwnBoundaryWorld> {
  const { scenes, findField, watched = asIs } = options;
  const clock = new ManualClock('2026-06-20T15:00:00Z');
  const catalogue = await startStac({ folder: scenes, clock });
  const { land, insights, rows, blobs, ports } = landInMemory();
  const storage = {
    rows: (name: TableName) => watched(name, rows(name)),
    blobs: (name: string) => watched(name, blobs),
  } as unknown as DataStorage;
  const put = putLand(ports);
  await put(partyKey(ownFarm.partyId), { body: {}, by });
  await put(landKey('farm', ownFarm.farmId), { body: {}, by });
  const { newId, insightsPerDay } = ports;
  const ownOf = farmDataOf({ storage, clock, newId, insightsPerDay });
  const dataManagerFor = () => Promise.resolve(ownOf(TENANT));
  const published: Insight[] = [];
  const instance = new JobsInMemory(
    runSmartBoundaryJob({ dataManagerFor, scenes: sceneLibraryAt(catalogue), findField, clock }),
    {
      clock,
      failureOf: jobFailureOf(boundaryJobFaults),
    },
  );
  const publication = publishInsight({
    ...{ insights: new BlobInsightStore(new MemoryBlobs()), dataManagerFor, publicationOf },
  });
  instance.publishInsight = {
    ...publication,
    publish: (job, insight: Insight, attempt) => {
      published.push(insight);
      return publication.publish(job, insight, attempt);
    },
  };
  const key: JobKey = { tenant: TENANT, solution: 'partnerAgPowered.smartBoundary', jobId: 'north-field' };
  return {
    ...{ clock, catalogue, land, insights, rows, published },
    dataManager: ownOf(TENANT),
    get events() {
      return instance.kernel.logged.map(({ event, facts }) => `${event} ${JSON.stringify(facts)}`);
    },
    record: () => {
      const { record } = published.at(-1)!;
      const undescribed = faultsOf(BoundaryRecord, record);
      if (undescribed.length > 0) throw new Error(`The record is not as published: ${JSON.stringify(undescribed)}`);
      return record as unknown as BoundaryRecord;
    },
    create: async (changes = {}) => {
      const dates = { imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' };
      const { partyId, farmId: resourceId } = ownFarm;
      const parameters = { ...dates, partyId, resourceType: 'FARM', resourceId, ...changes };
      await instance.create(key, { parameters, exists: boundaryFaults.jobExists });
    },
    step: () => instance.step(),
    drain: () => instance.drain(),
    sweepFor: (minutes) => instance.sweepFor(minutes),
    job: () => instance.job(key),
    item: () => instance.item(key),
    cancel: () => instance.cancel(key),
    close: () => catalogue.close(),
  };
}
