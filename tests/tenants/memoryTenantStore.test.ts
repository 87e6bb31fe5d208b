import { MemoryTenantStore } from '../support/memoryTenantStore.js';
import { describeTenantStore } from './tenantStoreSuite.js';

describeTenantStore('in memory', () => Promise.resolve(new MemoryTenantStore()));
