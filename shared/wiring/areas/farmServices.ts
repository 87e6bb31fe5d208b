import type { KeptTombstones } from '../../operate/backup/keptTombstones.js';
import type { Clock } from '../../kit/clock.js';
import type { Config } from '../settings/config.js';
import type { CascadeJob } from '../../farm/cascade/cascadeJob.js';
import { cascadeKind } from '../../farm/cascade/cascadeKind.js';
import type { StartCascadePorts } from '../../farm/cascade/startCascade.js';
import { sweepUp, WRITER_MS } from '../../farm/cascade/sweepUp.js';
import { countFarmData } from '../../farm/upkeep/countFarmData.js';
import { eraseKind, type ErasurePart } from '../../farm/erase/eraseKind.js';
import type { Erasure } from '../../farm/erase/erasure.js';
import { erasureMark, farmParts } from '../../farm/erase/farmParts.js';
import { jsonBytesOf } from '../../farm/land/packedShape.js';
import { doesShapeMeet, featureShape, pointOfShape, type ShapeWork } from '../../farm/land/shapeWork.js';
import { TombstoneStore } from '../../farm/erase/tombstoneStore.js';
import { FarmCountStore, type LandCounts } from '../../farm/land/farmCounts.js';
import { FarmRequests } from '../../farm/upkeep/farmRequests.js';
import { FarmWorkStore } from '../../farm/upkeep/farmWorkStore.js';
import { ImportFault } from '../../farm/files/importFault.js';
import { ImportFileStore } from '../../farm/upkeep/importFileStore.js';
import type { ImportJob } from '../../farm/imports/importJob.js';
import { importKind } from '../../farm/imports/importKind.js';
import { compareLand, type FeaturesToPrepare } from '../../farm/imports/importTasks.js';
import type { GetImportPorts, StartImportPorts } from '../../farm/imports/startImport.js';
import type { SameLand } from '../../farm/imports/fieldsByPlace.js';
import { positionsOf } from '../../geo/shapes/intersects.js';
import { FarmInsightStore } from '../../farm/insights/insightStore.js';
import { isSameKey } from '../../farm/land/land.js';
import { landQuota } from '../../farm/land/landQuota.js';
import { LandStore } from '../../farm/land/landStore.js';
import { tenantOfFile, type ShapeFiles } from '../../farm/land/shapeStore.js';
import type { PutLandPorts } from '../../farm/operations/putLand.js';
import type { RemoveLandPorts } from '../../farm/operations/removeLand.js';
import { invalidRequest } from '../../farm/wire/resourceRules.js';
import { removeSearchFields } from '../../farm/operations/removeSearchFields.js';
import { sweepFarmData } from '../../farm/upkeep/sweepFarmData.js';
import type { NewId } from '../../kit/ids.js';
import { BlobInsightStore } from '../../jobs/insight/blobInsightStore.js';
import { eraseJobs } from '../../jobs/operations/eraseJobs.js';
import type { Job } from '../../jobs/job.js';
import { JobStore } from '../../jobs/jobStore.js';
import type { PurgeJobsPorts } from '../../jobs/operations/purgeJobs.js';
import { limiter } from '../../kit/limiter.js';
import { searchFieldsOf } from '../../boundary/job/searchFieldsOf.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { TenantReader } from '../../access/tenants/tenantStore.js';
import type { WorkKind } from '../../work/item/workKind.js';
import { TaskExhausted } from '../beside/taskProcess.js';
import type { RunTask } from '../beside/tasks.js';
import { ownerOfTenant } from '../../notices/log/noticeOwner.js';
import { eraseNotices } from '../../notices/managing/noticeBelongings.js';
import { TenantTurns, type TurnLimits } from '../../access/rates/tenantTurns.js';
import type { DataStorage } from '../clients/storageClients.js';
import type { WorkPorts } from './workServices.js';

/** What the use cases of farm data work with. */
export interface FarmServices
  extends PutLandPorts, RemoveLandPorts, StartCascadePorts, StartImportPorts, GetImportPorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly imports: FarmWorkStore<ImportJob>;
  readonly shapes: ShapeWork;
  readonly clock: Clock;
}

/** What the service does about farm data of itself, each a duty. */
export interface FarmUpkeep {
  readonly sweepFarmData: ReturnType<typeof sweepFarmData>;
  readonly countFarmData: ReturnType<typeof countFarmData>;
  /** Removes what a job has made beside its insight. */
  readonly removeLeftovers: (job: Job) => Promise<void>;
}

export interface FarmSurroundings {
  readonly forRequests: DataStorage;
  readonly forWork: DataStorage;
  /** Asks for work with the limits of requests. */
  readonly work: Pick<WorkPorts, 'work' | 'lanes' | 'store' | 'isHeld'>;
  /** Runs a task beside the event loop. */
  readonly runTask: RunTask;
  readonly keptTombstones: KeptTombstones;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

type QuotaConfig = Pick<Config, 'FARM_PARTIES_PER_TENANT' | 'FARM_FARMS_PER_TENANT' | 'FARM_FIELDS_PER_TENANT'>;

const storesOf = (storage: Pick<DataStorage, 'rows' | 'blobs'>, shapes: ShapeFiles = storage.blobs('farm-data')) => ({
  land: new LandStore((table) => storage.rows(table), shapes),
  insights: new FarmInsightStore(storage.rows('farmInsights'), storage.blobs('farm-data')),
  cascades: new FarmWorkStore<CascadeJob>(storage.rows('work')),
  imports: new FarmWorkStore<ImportJob>(storage.rows('work')),
  importFiles: new ImportFileStore(storage.blobs('farm-data')),
  requests: new FarmRequests(storage.rows('work'), new ImportFileStore(storage.blobs('farm-data'))),
  counts: new FarmCountStore(storage.rows('limits')),
});

/** How many of each kind a tenant may have. */
const quotasOf = (config: QuotaConfig): LandCounts => ({
  party: config.FARM_PARTIES_PER_TENANT,
  farm: config.FARM_FARMS_PER_TENANT,
  field: config.FARM_FIELDS_PER_TENANT,
});

const quotaOf = (config: QuotaConfig, counts: FarmCountStore, clock: Clock): PutLandPorts['checkQuota'] =>
  landQuota({ counts, clock }, quotasOf(config));

/** Imports of one process at the same time, each with its file in memory. */
const IMPORTS_AT_ONCE = 2;

/** Pieces of work on large geometries of one tenant that wait for each other. */
const COMPARED_IN_TURN: TurnLimits = { most: 16 };
/** Reads of large geometries of one tenant that wait for each other, and are refused in their turn where storage hangs. */
const READ_IN_TURN: TurnLimits = { most: 64, waitMs: 5_000 };

/** Builds the stores and use cases of farm data; nothing is called yet. */
export function farmServices(config: QuotaConfig, surroundings: FarmSurroundings): FarmServices {
  const { forRequests, work, runTask, clock, newId } = surroundings;
  const stores = storesOf(forRequests, readInTurn(forRequests.blobs('farm-data')));
  return {
    ...{ ...stores, clock, newId },
    lanes: work.lanes,
    sweepUp: sweepUp({ work: work.work, clock, newId }),
    checkQuota: quotaOf(config, stores.counts, clock),
    checkBeside: geometryCheck(runTask),
    shapes: shapesBeside(runTask),
    openWork: work.store,
  };
}

/** Geometries of which one of each tenant is read at a time: twenty at once keep everybody else's calls of storage waiting. */
export const readInTurn = (files: ShapeFiles, turns = new TenantTurns(READ_IN_TURN)): ShapeFiles => ({
  read: (name) => turns.run(tenantOfFile(name), () => files.read(name)),
  write: (...write) => files.write(...write),
  delete: (...named) => files.delete(...named),
  list: (prefix) => files.list(prefix),
});

/** Bytes of JSON that are read in the event loop: some 2,000 positions. */
const MOST_BYTES_HERE = 64 * 1024;
/** Bytes of JSON times positions of the area: some 5 ms. */
const MOST_COMPARED_HERE = 100 * MOST_BYTES_HERE;

/** What is much is done beside the event loop, one piece of each tenant at a time. */
export const shapesBeside = (run: RunTask, turns = new TenantTurns(COMPARED_IN_TURN)): ShapeWork => ({
  doesMeet: (tenant, shape) => {
    const bytes = jsonBytesOf(shape.packed);
    const isMuch = bytes > MOST_BYTES_HERE || bytes * positionsOf(shape.area.geometry).length > MOST_COMPARED_HERE;
    return isMuch ? turns.run(tenant, () => run('doesShapeMeet', shape)) : doesShapeMeet(shape);
  },
  feature: (tenant, packed) =>
    jsonBytesOf(packed) > MOST_BYTES_HERE ? turns.run(tenant, () => run('featureShape', packed)) : featureShape(packed),
  point: (tenant, packed) =>
    jsonBytesOf(packed) > MOST_BYTES_HERE ? turns.run(tenant, () => run('pointOfShape', packed)) : pointOfShape(packed),
});

/** Large geometries are checked in a process of their own: one that takes too much memory or time ends alone. */
export function geometryCheck(runTask: RunTask): NonNullable<PutLandPorts['checkBeside']> {
  return async (geometryJson) => {
    try {
      const found = await runTask('inspectGeometry', geometryJson);
      if ('wrong' in found) throw invalidRequest(found.wrong);
      return found;
    } catch (error) {
      if (!(error instanceof TaskExhausted)) throw error;
      throw invalidRequest(
        'geometry takes too much memory or time to be checked. Simplify it, or make several fields of it.',
      );
    }
  };
}

/** What the service does about farm data of itself. */
export function farmUpkeep(
  config: Pick<Config, 'FARM_INSIGHT_DAYS'> & QuotaConfig,
  { forWork, clock, log }: Pick<FarmSurroundings, 'forWork' | 'clock' | 'log'>,
): FarmUpkeep {
  const tenants = new TenantReader(forWork.rows('tenants'));
  const listTenants = async (): Promise<readonly string[]> => (await tenants.list()).map(({ tid }) => tid);
  const ports = { ...storesOf(forWork), listTenants, clock, log };
  return {
    sweepFarmData: sweepFarmData(ports, config.FARM_INSIGHT_DAYS),
    countFarmData: countFarmData({ ...ports, quotas: quotasOf(config) }),
    removeLeftovers: leftoversOf(ports),
  };
}

const leftoversOf =
  (ports: Parameters<typeof removeSearchFields>[0]): FarmUpkeep['removeLeftovers'] =>
  async (job) => {
    const found = searchFieldsOf(job);
    if (found !== undefined) await removeSearchFields(ports)(job.tenant, found.partyId, found.fieldIds);
  };

/** The work on farm data. */
export function farmKinds(
  config: Pick<Config, 'JOB_LEASE_SECONDS'> & QuotaConfig,
  { forRequests, forWork, work, runTask, keptTombstones, clock, log }: FarmSurroundings,
): readonly WorkKind[] {
  const leaseMs = config.JOB_LEASE_SECONDS * 1000;
  const stores = storesOf(forWork);
  const tombstones = new TombstoneStore(forWork.rows('farmParties'));
  const imports = {
    ...stores,
    tombstones,
    // What an import has checked must still hold when it writes.
    land: storesOf(forRequests).land,
    checkQuota: quotaOf(config, stores.counts, clock),
    inTurn: limiter(IMPORTS_AT_ONCE),
    isHeld: work.isHeld,
    featureSpans: (bytes: Uint8Array) => readable(runTask('featureSpans', bytes)),
    prepareFeatures: (input: FeaturesToPrepare) => readable(runTask('prepareFeatures', input)),
    isSameLand: landComparison(runTask),
    clock,
    log,
  };
  const erasing = {
    erasures: new FarmWorkStore<Erasure>(forWork.rows('work')),
    tombstones,
    keptTombstones,
    mark: erasureMark(stores, () => clock.now().getTime()),
    parts: erasureParts(forWork, { clock, leaseMs }),
  };
  return [
    cascadeKind({ ...stores, clock, log }, leaseMs),
    importKind(imports, leaseMs),
    eraseKind({ ...erasing, clock, log }, leaseMs),
  ];
}

/** Two large geometries are compared beside the event loop; equal bytes need no comparison. */
const landComparison =
  (runTask: RunTask): SameLand =>
  async (one, other) => {
    if (Buffer.compare(one, other) === 0) return true;
    const isMuch = jsonBytesOf(one) + jsonBytesOf(other) > MOST_BYTES_HERE;
    return isMuch ? readable(runTask('compareLand', [one, other])) : compareLand([one, other]);
  };

/** What came of a task. @throws ImportFault when the file takes too much memory or time */
async function readable<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof TaskExhausted)) throw error;
    const text = 'The file takes too much memory or time to be read. Simplify the geometries, or split it.';
    throw new ImportFault(text, { cause: error });
  }
}

/** What an erasure of a party or of a tenant goes through; whatever else belongs to them is named here, too. */
export function erasureParts(
  storage: Pick<DataStorage, 'rows' | 'blobs'>,
  { clock, leaseMs }: { readonly clock: Clock; readonly leaseMs: number },
): readonly ErasurePart[] {
  const stores = storesOf(storage);
  const [work, webhooks, notices] = [storage.rows('work'), storage.rows('webhooks'), storage.rows('notices')];
  const noticeTables = { work, webhooks, notices };
  const jobs: PurgeJobsPorts = {
    jobs: new JobStore(storage.rows('work')),
    insights: new BlobInsightStore(storage.blobs('insights')),
    removeLeftovers: leftoversOf(stores),
    clock,
  };
  return [
    ...farmParts({ ...stores, files: storage.blobs('farm-data') }),
    ({ tenant, partyId }) =>
      eraseJobs(jobs, tenant, {
        isMeant: ({ parameters: { partyId: named } }) =>
          partyId === undefined || (typeof named === 'string' && isSameKey(named, partyId)),
        ...{ leaseMs, writerMs: WRITER_MS },
      }),
    async function* ({ tenant, partyId }) {
      if (partyId === undefined) await stores.counts.remove(tenant);
      if (partyId === undefined) await eraseNotices(noticeTables, ownerOfTenant(tenant));
      yield {};
    },
  ];
}
