import { DefaultAzureCredential } from '@azure/identity';
import { systemClock } from '../../../shared/kit/clock.js';
import { ConfigError, settings } from '../../../shared/wiring/settings/config.js';
import { randomId } from '../../../shared/kit/ids.js';
import type { ErasureCounts } from '../../../shared/farm/erase/erasure.js';
import { FarmInsightStore } from '../../../shared/farm/insights/insightStore.js';
import { LandStore } from '../../../shared/farm/land/landStore.js';
import { JobStore } from '../../../shared/jobs/jobStore.js';
import { dataStorage } from '../../../shared/wiring/clients/storageClients.js';
import { workLimits } from '../../../shared/storage/timeLimits.js';
import type { ManageTenantsPorts } from '../../../shared/access/tenants/manageTenants.js';
import { TenantHoldStore } from '../../../shared/access/tenants/tenantHoldStore.js';
import { TenantStore } from '../../../shared/access/tenants/tenantStore.js';
import { eraseAndWait } from '../farm/eraseCommand.js';
import { erasurePorts } from '../farm/farmOperator.js';
import { filesOfTenant } from '../exports/filesOfTenant.js';
import { webhooksToExport } from '../exports/webhookFile.js';
import { writeZips, type ZipCounts } from '../exports/zipFolder.js';
import { whoHolds } from '../operatorName.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the commands on tenants work with. */
export interface TenantOperator extends Omit<ManageTenantsPorts, 'by'> {
  /** Who the operator is, for the log. */
  readonly whoAsks: () => Promise<string>;
  /** Those that the service was told to hold. */
  readonly holds: Pick<TenantHoldStore, 'list'>;
  /** TENANTS of the environment. */
  readonly seed: string | undefined;
  /** Has everything of a tenant deleted, and waits for the end. @returns how much was deleted */
  readonly eraseTenant: (tid: string) => Promise<ErasureCounts>;
  /** Everything of a tenant as zip files in a folder. */
  readonly exportTenant: (tid: string, folder: string) => Promise<ZipCounts>;
}

const missing = (name: 'DATA_STORAGE__tableServiceUri' | 'DATA_STORAGE__blobServiceUri'): string =>
  `${name} is missing. ${settings[name].meaning}`;

function blobAddressOf(environment: Variables): string | undefined {
  const address = environment['DATA_STORAGE__blobServiceUri'] ?? '';
  return address === '' ? undefined : settings.DATA_STORAGE__blobServiceUri.parse(address);
}

/** The storage that the environment names, seen with the operator's identity. */
export function tenantOperator(environment: Variables): TenantOperator {
  const address = environment['DATA_STORAGE__tableServiceUri'] ?? '';
  if (address === '') throw new ConfigError([missing('DATA_STORAGE__tableServiceUri')]);
  const tableServiceUri = settings.DATA_STORAGE__tableServiceUri.parse(address);
  const blobServiceUri = blobAddressOf(environment);
  const credential = new DefaultAzureCredential();
  const storage = dataStorage(
    {
      DATA_STORAGE__tableServiceUri: tableServiceUri,
      // No queue is used, and blobs by an export alone.
      DATA_STORAGE__queueServiceUri: tableServiceUri,
      DATA_STORAGE__blobServiceUri: blobServiceUri ?? tableServiceUri,
    },
    credential,
    workLimits,
  );
  const tenants = new TenantStore(storage.rows('tenants'), randomId);
  const jobs = new JobStore(storage.rows('work'));
  const land = new LandStore(storage.rows, storage.blobs('farm-data'));
  const insights = new FarmInsightStore(storage.rows('farmInsights'), storage.blobs('farm-data'));
  return {
    tenants,
    holds: new TenantHoldStore(storage.rows('limits')),
    hasJobs: (tid) => jobs.hasJobsOf(tid),
    hasFarmData: (tid) => land.hasAnyOf(tid),
    eraseTenant: (tid) => eraseAndWait(erasurePorts(storage.rows, systemClock), { tenant: tid }),
    exportTenant: async (tid, folder) => {
      if (blobServiceUri === undefined) throw new ConfigError([missing('DATA_STORAGE__blobServiceUri')]);
      const results = storage.blobs('insights');
      const webhooks = webhooksToExport(storage.rows);
      return writeZips(filesOfTenant({ tenants, jobs, webhooks, land, insights, results }, tid), { folder, name: tid });
    },
    clock: systemClock,
    whoAsks: () => whoHolds(credential),
    seed: environment['TENANTS'],
  };
}
