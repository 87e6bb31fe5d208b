import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import type { CascadeJob } from '../farm/cascade/cascadeJob.js';
import { cascadeKind } from '../farm/cascade/cascadeKind.js';
import type { StartCascadePorts } from '../farm/cascade/startCascade.js';
import { sweepUp, WRITER_MS } from '../farm/cascade/sweepUp.js';
import { countFarmData } from '../farm/countFarmData.js';
import { eraseKind, type ErasurePart } from '../farm/erase/eraseKind.js';
import type { Erasure } from '../farm/erase/erasure.js';
import { erasureMark, farmParts } from '../farm/erase/farmParts.js';
import { TombstoneStore } from '../farm/erase/tombstoneStore.js';
import { FarmCountStore } from '../farm/farmCounts.js';
import { FarmRequests } from '../farm/farmRequests.js';
import { FarmWorkStore } from '../farm/farmWorkStore.js';
import { FarmInsightStore } from '../farm/insightStore.js';
import { isSameKey } from '../farm/land.js';
import { landQuota } from '../farm/landQuota.js';
import { LandStore } from '../farm/landStore.js';
import type { PutLandPorts } from '../farm/putLand.js';
import type { RemoveLandPorts } from '../farm/removeLand.js';
import { removeSearchFields } from '../farm/removeSearchFields.js';
import { sweepFarmData } from '../farm/sweepFarmData.js';
import type { NewId } from '../ids.js';
import { BlobInsightStore } from '../insights/blobInsightStore.js';
import { eraseJobs } from '../jobs/eraseJobs.js';
import type { Job } from '../jobs/job.js';
import { JobStore } from '../jobs/jobStore.js';
import type { PurgeJobsPorts } from '../jobs/purgeJobs.js';
import { searchFieldsOf } from '../smartBoundary/searchFieldsOf.js';
import type { Log } from '../telemetry/telemetry.js';
import { TenantReader } from '../tenants/tenantStore.js';
import type { WorkKind } from '../work/workKind.js';
import type { DataStorage } from './storageClients.js';
import type { WorkPorts } from './workServices.js';

/** What the use cases of farm data work with. */
export interface FarmServices extends PutLandPorts, RemoveLandPorts, StartCascadePorts {
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
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
  readonly work: Pick<WorkPorts, 'work' | 'lanes'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

type QuotaConfig = Pick<Config, 'FARM_PARTIES_PER_TENANT' | 'FARM_FARMS_PER_TENANT' | 'FARM_FIELDS_PER_TENANT'>;

const storesOf = (storage: Pick<DataStorage, 'rows' | 'blobs'>) => ({
  land: new LandStore((table) => storage.rows(table)),
  insights: new FarmInsightStore(storage.rows('farmInsights'), storage.blobs('farm-data')),
  cascades: new FarmWorkStore<CascadeJob>(storage.rows('work')),
  requests: new FarmRequests(storage.rows('work'), storage.blobs('farm-data')),
  counts: new FarmCountStore(storage.rows('limits')),
});

/** Builds the stores and use cases of farm data; nothing is called yet. */
export function farmServices(config: QuotaConfig, surroundings: FarmSurroundings): FarmServices {
  const { forRequests, work, clock, newId } = surroundings;
  const { land, insights, cascades, counts } = storesOf(forRequests);
  const quotas = {
    party: config.FARM_PARTIES_PER_TENANT,
    farm: config.FARM_FARMS_PER_TENANT,
    field: config.FARM_FIELDS_PER_TENANT,
  };
  return {
    ...{ land, insights, cascades, clock, newId },
    lanes: work.lanes,
    sweepUp: sweepUp({ work: work.work, clock, newId }),
    checkQuota: landQuota({ counts, clock }, quotas),
  };
}

/** What the service does about farm data of itself. */
export function farmUpkeep(
  { FARM_INSIGHT_DAYS }: Pick<Config, 'FARM_INSIGHT_DAYS'>,
  { forWork, clock, log }: Pick<FarmSurroundings, 'forWork' | 'clock' | 'log'>,
): FarmUpkeep {
  const tenants = new TenantReader(forWork.rows('tenants'));
  const listTenants = async (): Promise<readonly string[]> => (await tenants.list()).map(({ tid }) => tid);
  const ports = { ...storesOf(forWork), listTenants, clock, log };
  return {
    sweepFarmData: sweepFarmData(ports, FARM_INSIGHT_DAYS),
    countFarmData: countFarmData(ports),
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
  { JOB_LEASE_SECONDS }: Pick<Config, 'JOB_LEASE_SECONDS'>,
  { forWork, clock, log }: FarmSurroundings,
): readonly WorkKind[] {
  const stores = storesOf(forWork);
  const leaseMs = JOB_LEASE_SECONDS * 1000;
  const erasing = {
    erasures: new FarmWorkStore<Erasure>(forWork.rows('work')),
    tombstones: new TombstoneStore(forWork.rows('farmParties')),
    mark: erasureMark(stores, () => clock.now().getTime()),
    parts: erasureParts(forWork, { clock, leaseMs }),
  };
  return [cascadeKind({ ...stores, clock, log }, leaseMs), eraseKind({ ...erasing, clock, log }, leaseMs)];
}

/** What an erasure of a party or of a tenant goes through; whatever else belongs to them is named here, too. */
export function erasureParts(
  storage: Pick<DataStorage, 'rows' | 'blobs'>,
  { clock, leaseMs }: { readonly clock: Clock; readonly leaseMs: number },
): readonly ErasurePart[] {
  const stores = storesOf(storage);
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
      yield {};
    },
  ];
}
