import { systemClock } from '../../shared/kit/clock.js';
import { randomId } from '../../shared/kit/ids.js';
import type { Rows } from '../../shared/storage/rows.js';
import { importTenants, setTenant, type ManageTenantsPorts } from '../../shared/access/tenants/manageTenants.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';

/**
 * Imports TENANTS into the register of the local environment, as `npm run tenants -- import` does anywhere.
 *
 * @param rows of the table `tenants`
 * @param tenants TENANTS: JSON by tenant id
 */
export async function plantTenants(rows: Rows, tenants: string): Promise<void> {
  const store = new TenantStore(rows, randomId);
  const isThere = (): Promise<boolean> => Promise.resolve(true); // Nothing is removed here.
  const ports = { tenants: store, hasJobs: isThere, hasFarmData: isThere, clock: systemClock, by: 'npm start' };
  await bringHome(ports, tenants);
  await importTenants(ports)(tenants);
}

/** An import leaves what it does not name: a folder of an earlier version still has `demo` at a data manager elsewhere. */
async function bringHome(ports: ManageTenantsPorts, tenants: string): Promise<void> {
  const wanted = JSON.parse(tenants) as Readonly<Record<string, { readonly dataManagerUrl?: string }>>;
  for (const { tid, settings } of await ports.tenants.list()) {
    const before = JSON.parse(settings) as { readonly dataManagerUrl?: string };
    const isOwn = tid in wanted && wanted[tid]?.dataManagerUrl === undefined;
    if (isOwn && before.dataManagerUrl !== undefined) {
      await setTenant(ports)(tid, { dataManagerUrl: undefined, partyIds: undefined });
    }
  }
}
