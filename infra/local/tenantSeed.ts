import { TableClient } from '@azure/data-tables';
import { readFileSync } from 'node:fs';
import { AzureRows } from '../../shared/storage/azureRows.js';
import { systemClock } from '../../shared/clock.js';
import { randomId } from '../../shared/ids.js';
import { importTenants } from '../../shared/tenants/manageTenants.js';
import { TenantStore } from '../../shared/tenants/tenantStore.js';

export interface TenantSeedOptions {
  /** Connection string of the data account. */
  readonly connectionString: string;
  readonly caFile: string;
  /** TENANTS: JSON by tenant id. */
  readonly tenants: string;
}

/** Imports TENANTS into the register of the local environment, as `npm run tenants -- import` does anywhere. */
export async function plantTenants({ connectionString, caFile, tenants }: TenantSeedOptions): Promise<void> {
  // This process may not trust the certificate by itself: Node takes further roots at its start only.
  const table = TableClient.fromConnectionString(connectionString, 'tenants', {
    tlsOptions: { ca: readFileSync(caFile, 'utf8') },
  });
  const store = new TenantStore(new AzureRows(table, randomId), randomId);
  const isThere = (): Promise<boolean> => Promise.resolve(true); // Nothing is removed here.
  await importTenants({ tenants: store, hasJobs: isThere, hasFarmData: isThere, clock: systemClock, by: 'npm start' })(
    tenants,
  );
}
