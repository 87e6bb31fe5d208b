import { systemClock } from '../../shared/kit/clock.js';
import { randomId } from '../../shared/kit/ids.js';
import type { Rows } from '../../shared/storage/rows.js';
import { importTenants } from '../../shared/access/tenants/manageTenants.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';

/**
 * Imports TENANTS into the register of the local environment, as `npm run tenants -- import` does anywhere.
 *
 * @param rows of the table `tenants`
 * @param tenants TENANTS: JSON by tenant id
 */
export async function plantTenants(rows: Rows, tenants: string): Promise<void> {
  const isThere = (): Promise<boolean> => Promise.resolve(true); // Nothing is removed here.
  const store = new TenantStore(rows, randomId);
  await importTenants({
    tenants: store,
    hasJobs: isThere,
    hasFarmData: isThere,
    clock: systemClock,
    by: 'npm start',
  })(tenants);
}
