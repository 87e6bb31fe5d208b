import { DefaultAzureCredential, type TokenCredential } from '@azure/identity';
import { systemClock } from '../../../shared/clock.js';
import { ConfigError, settings } from '../../../shared/config.js';
import { randomId } from '../../../shared/ids.js';
import { TableJobStore } from '../../../shared/jobs/tableJobStore.js';
import { dataStorage } from '../../../shared/services/storageClients.js';
import { workLimits } from '../../../shared/storage/limits.js';
import type { ManageTenantsPorts } from '../../../shared/tenants/manageTenants.js';
import { TableTenantStore } from '../../../shared/tenants/tableTenantStore.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** What the commands on tenants work with. */
export interface TenantOperator extends Omit<ManageTenantsPorts, 'by'> {
  /** Who the operator is, for the log. */
  readonly whoAsks: () => Promise<string>;
  /** TENANTS of the environment. */
  readonly seed: string | undefined;
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
  const jobs = new TableJobStore(storage.table('jobs'), randomId);
  return {
    tenants: new TableTenantStore(storage.table('tenants'), randomId),
    hasJobs: (tid) => jobs.hasJobsOf(tid),
    clock: systemClock,
    whoAsks: () => whoHolds(credential),
    seed: environment['TENANTS'],
  };
}

/** The name, else the id, that the operator's token for storage carries; storage checks the token, we only read it. */
async function whoHolds(credential: TokenCredential): Promise<string> {
  const { token } = (await credential.getToken('https://storage.azure.com/.default')) ?? { token: '' };
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  const claims = JSON.parse(payload === '' ? '{}' : payload) as Record<string, unknown>;
  const names = [claims['upn'], claims['unique_name'], claims['oid'], claims['appid']];
  return names.find((name): name is string => typeof name === 'string') ?? 'unknown';
}
