import { DefaultAzureCredential } from '@azure/identity';
import { systemClock } from '../../../shared/clock.js';
import { ConfigError, settings } from '../../../shared/config.js';
import { randomId } from '../../../shared/ids.js';
import type { ErasureCounts } from '../../../shared/farm/erase/erasure.js';
import { LandStore } from '../../../shared/farm/landStore.js';
import { JobStore } from '../../../shared/jobs/jobStore.js';
import { dataStorage } from '../../../shared/services/storageClients.js';
import { workLimits } from '../../../shared/storage/limits.js';
import type { ManageTenantsPorts } from '../../../shared/tenants/manageTenants.js';
import { TenantStore } from '../../../shared/tenants/tenantStore.js';
import { eraseAndWait } from '../farm/eraseCommand.js';
import { erasurePorts } from '../farm/farmOperator.js';
import { whoHolds } from '../operatorName.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the commands on tenants work with. */
export interface TenantOperator extends Omit<ManageTenantsPorts, 'by'> {
  /** Who the operator is, for the log. */
  readonly whoAsks: () => Promise<string>;
  /** TENANTS of the environment. */
  readonly seed: string | undefined;
  /** Has everything of a tenant deleted, and waits for the end. @returns how much was deleted */
  readonly eraseTenant: (tid: string) => Promise<ErasureCounts>;
}

/** The tables that the environment names, seen with the operator's identity. */
export function tenantOperator(environment: Variables): TenantOperator {
  const setting = settings.DATA_STORAGE__tableServiceUri;
  const address = environment['DATA_STORAGE__tableServiceUri'] ?? '';
  if (address === '') throw new ConfigError([`DATA_STORAGE__tableServiceUri is missing. ${setting.meaning}`]);
  const tableServiceUri = setting.parse(address);
  const credential = new DefaultAzureCredential();
  const storage = dataStorage(
    {
      DATA_STORAGE__tableServiceUri: tableServiceUri,
      // Tables alone are used.
      DATA_STORAGE__queueServiceUri: tableServiceUri,
      DATA_STORAGE__blobServiceUri: tableServiceUri,
    },
    credential,
    workLimits,
  );
  const jobs = new JobStore(storage.rows('work'));
  const land = new LandStore(storage.rows, storage.blobs('farm-data'));
  return {
    tenants: new TenantStore(storage.rows('tenants'), randomId),
    hasJobs: (tid) => jobs.hasJobsOf(tid),
    hasFarmData: (tid) => land.hasAnyOf(tid),
    eraseTenant: (tid) => eraseAndWait(erasurePorts(storage.rows, systemClock), { tenant: tid }),
    clock: systemClock,
    whoAsks: () => whoHolds(credential),
    seed: environment['TENANTS'],
  };
}
