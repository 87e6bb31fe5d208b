import { randomId } from '../../shared/ids.js';
import { MemoryRows } from '../support/memoryRows.js';
import { TableTenantStore } from '../../shared/tenants/tableTenantStore.js';
import { describeTenantStore } from './tenantStoreSuite.js';

describeTenantStore('in memory', () => Promise.resolve(new TableTenantStore(new MemoryRows(), randomId)));
