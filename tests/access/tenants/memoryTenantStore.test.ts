import { randomId } from '../../../shared/kit/ids.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { TenantStore } from '../../../shared/access/tenants/tenantStore.js';
import { describeTenantStore } from './tenantStoreSuite.js';

describeTenantStore('in memory', () => Promise.resolve(new TenantStore(new MemoryRows(), randomId)));
