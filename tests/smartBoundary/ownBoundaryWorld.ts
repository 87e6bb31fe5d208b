import { startStac, type StacStandIn } from '../../infra/local/standIns/stac.js';
import { SEED } from '../../infra/local/standIns/dataManager/seed.js';
import { systemClock } from '../../shared/clock.js';
import type { DataManager } from '../../shared/dataManager/dataManager.js';
import { jobFailureOf } from '../../shared/dataManager/jobFailure.js';
import { boundaryFaults, boundaryJobFaults } from '../../shared/errors/boundaryFaults.js';
import { FarmInsightStore } from '../../shared/farm/insightStore.js';
import { partyKeyOf } from '../../shared/farm/land.js';
import { LandStore } from '../../shared/farm/landStore.js';
import { putLand } from '../../shared/farm/putLand.js';
import { SceneLibrary } from '../../shared/farm/sceneLibrary.js';
import { catalogueHttpClient } from '../../shared/imagery/catalogue/catalogueHttpClient.js';
import { egressGuard } from '../../shared/imagery/catalogue/egressClient.js';
import { StacClient } from '../../shared/imagery/catalogue/stacClient.js';
import { CogSceneReader } from '../../shared/imagery/pixels/cogSceneReader.js';
import { BlobInsightStore } from '../../shared/insights/blobInsightStore.js';
import type { Insight } from '../../shared/insights/parts/insight.js';
import { publishInsight } from '../../shared/insights/publishInsight.js';
import type { Job, JobKey } from '../../shared/jobs/job.js';
import type { JsonObject } from '../../shared/json.js';
import { ownDataManagers } from '../../shared/services/ownDataManagers.js';
import type { DataStorage } from '../../shared/services/storageClients.js';
import type { FieldFinding, FieldSearch } from '../../shared/smartBoundary/findField.js';
import { runSmartBoundaryJob } from '../../shared/smartBoundary/runSmartBoundaryJob.js';
import type { LicenceStore } from '../../shared/licence/imageryLicence.js';
import type { Log } from '../../shared/telemetry/telemetry.js';
import type { WorkItem } from '../../shared/work/workItem.js';
import { JobsInMemory } from '../support/jobsInMemory.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { MemoryRows } from '../support/memoryRows.js';

const [{ id: partyId, farms }] = SEED;
const farmId = farms[0]?.id ?? '';
export const ownFarm = { partyId, farmId } as const;
/** Tenants are UUIDs where the service keeps their farm data. */
export const OWN_TENANT = '7c1b6f0e-52a4-4f3f-9d0a-3f1f2f6f0a11';

export interface OwnBoundaryOptions {
  /** Folder of STAC items with their files. */
  readonly scenes: string;
  readonly findField: (search: FieldSearch) => Promise<FieldFinding>;
  /** Public imagery when absent: no licence is needed. */
  readonly licences?: LicenceStore;
  /** Sees every call of storage by the data manager. */
  readonly watched?: <T extends object>(name: string, target: T) => T;
}

/** Boundary jobs of a tenant whose farm data the service itself keeps, all in memory but for the catalogue. */
export interface OwnBoundaryWorld {
  readonly clock: ManualClock;
  readonly catalogue: StacStandIn;
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly rows: (name: string) => MemoryRows;
  readonly dataManager: DataManager;
  readonly published: Insight[];
  readonly create: (changes?: JsonObject) => Promise<void>;
  readonly step: () => Promise<boolean>;
  readonly drain: () => Promise<number>;
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
  const { scenes, findField, watched = asIs, licences = { get: () => Promise.resolve(undefined) } } = options;
  const clock = new ManualClock('2026-06-20T15:00:00Z');
  const catalogue = await startStac({ folder: scenes, clock });
  const tables = new Map<string, MemoryRows>();
  const rows = (name: string): MemoryRows => {
    const table = tables.get(name) ?? new MemoryRows();
    tables.set(name, table);
    return table;
  };
  const blobs = new MemoryBlobs(() => clock.now().getTime());
  let ids = 0;
  const newId = (): string => `id-${(ids += 1)}`;
  const storage = {
    rows: (name: string) => watched(name, rows(name)),
    blobs: (name: string) => watched(name, blobs),
  } as unknown as DataStorage;
  const ownOf = ownDataManagers({ storage, scenes: sceneLibraryAt(catalogue), clock, newId });
  const land = new LandStore(rows);
  await plantFarm(land, clock, newId);
  const dataManagerFor = () => Promise.resolve({ dataManager: ownOf(OWN_TENANT) });
  const published: Insight[] = [];
  const instance: JobsInMemory = new JobsInMemory(
    (...job) =>
      runSmartBoundaryJob({
        ...{ dataManagerFor, licences, findField, clock, lanes: instance.kernel.lanes },
        ingestsLaneOf: () => Promise.resolve(undefined),
      })(...job),
    { clock, failureOf: jobFailureOf(boundaryJobFaults) },
  );
  const publication = publishInsight({ insights: new BlobInsightStore(new MemoryBlobs()), dataManagerFor });
  instance.publishInsight = {
    ...publication,
    publish: (job, insight: Insight, attempt) => {
      published.push(insight);
      return publication.publish(job, insight, attempt);
    },
  };
  const key: JobKey = { tenant: OWN_TENANT, solution: 'partnerAgPowered.smartBoundary', jobId: 'north-field' };
  return {
    ...{ clock, catalogue, land, rows, published },
    insights: new FarmInsightStore(rows('farmInsights'), blobs),
    dataManager: ownOf(OWN_TENANT),
    create: async (changes = {}) => {
      const dates = { imageStartDate: '2026-06-01', imageEndDate: '2026-06-12' };
      const parameters = { ...dates, partyId, resourceType: 'FARM', resourceId: farmId, ...changes };
      await instance.create(key, { parameters, exists: boundaryFaults.jobExists });
    },
    step: () => instance.step(),
    drain: () => instance.drain(),
    job: () => instance.job(key),
    item: () => instance.item(key),
    cancel: () => instance.cancel(key),
    close: () => catalogue.close(),
  };
}

async function plantFarm(land: LandStore, clock: ManualClock, newId: () => string): Promise<void> {
  const put = putLand({ land, clock, newId, checkQuota: () => Promise.resolve() });
  await put(partyKeyOf(OWN_TENANT, partyId), { body: {}, by: 'someone' });
  await put({ kind: 'farm', tenant: OWN_TENANT, partyId, id: farmId }, { body: {}, by: 'someone' });
}
