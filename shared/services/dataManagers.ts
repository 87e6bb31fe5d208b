/** Builds the clients of the tenants' data managers: one for each data manager, made when it is first needed. */
import type { Clock } from '../clock.js';
import type { Config } from '../config.js';
import type { DataManager } from '../dataManager/dataManager.js';
import { DataManagerClient } from '../dataManager/dataManagerClient.js';
import type { TenantDataManager } from '../dataManager/tenantDataManager.js';
import { measuredFetch } from '../telemetry/measuredFetch.js';
import { servedTenant } from '../tenants/servedTenant.js';
import type { Tenant } from '../tenants/tenant.js';
import type { Tenants } from '../tenants/tenantPorts.js';
import type { CredentialOf } from './tenantCredentials.js';

export interface DataManagerSurroundings {
  readonly tenants: Tenants;
  readonly credentialOf: CredentialOf;
  /** The data manager that the service itself is for a tenant. */
  readonly ownOf: (tid: string) => DataManager;
  readonly clock: Clock;
}

/** The data manager of each tenant, as the register has it now. The function throws TenantNotServed. */
export function dataManagersOf(
  config: Pick<Config, 'DATA_MANAGER_API_VERSION' | 'DATA_MANAGER_SCOPE'>,
  { tenants, credentialOf, ownOf, clock }: DataManagerSurroundings,
): (tid: string) => Promise<TenantDataManager> {
  const clients = new Map<string, DataManager>();
  const served = servedTenant(tenants);
  const clientOf = (tid: string, { dataManagerUrl, azureTenantId }: Tenant): DataManager => {
    if (dataManagerUrl === undefined) return ownOf(tid);
    const key = `${dataManagerUrl} ${azureTenantId ?? ''}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const credential = credentialOf(azureTenantId);
    const client = new DataManagerClient({
      baseUrl: dataManagerUrl,
      apiVersion: config.DATA_MANAGER_API_VERSION,
      getToken: async () => (await credential.getToken(config.DATA_MANAGER_SCOPE))?.token ?? '',
      clock,
      fetch: measuredFetch,
      random: Math.random,
    });
    clients.set(key, client);
    return client;
  };
  return async (tid) => {
    const tenant = await served(tid);
    const { partyIds } = tenant;
    return { dataManager: clientOf(tid, tenant), ...(partyIds === undefined ? {} : { partyIds }) };
  };
}
