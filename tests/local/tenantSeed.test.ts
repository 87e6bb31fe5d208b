import { describe, expect, test } from '@jest/globals';
import { plantTenants } from '../../infra/local/tenantSeed.js';
import { randomId } from '../../shared/kit/ids.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { MemoryRows } from '../support/memoryRows.js';

const DEMO = '50b0ae96-da21-553c-87b1-d1218dc3ff4f';
const OUTSIDE = 'af510500-4b1d-5d3c-a5c9-f82db43f674f';
const outside = { dataManagerUrl: 'http://127.0.0.1:2', partyIds: ['q'] };

async function settingsIn(rows: MemoryRows): Promise<Record<string, unknown>> {
  const listed = await new TenantStore(rows, randomId).list();
  return Object.fromEntries(listed.map(({ tid, settings }) => [tid, JSON.parse(settings)]));
}

describe('the tenants of the local environment', () => {
  test('are those of TENANTS, whatever a folder of an earlier version had at a data manager elsewhere', async () => {
    const rows = new MemoryRows();
    const earlier = { dataManagerUrl: 'http://127.0.0.1:1', partyIds: ['p'], createsPerSecond: 5 };
    await plantTenants(rows, JSON.stringify({ [DEMO]: earlier }));
    await plantTenants(rows, JSON.stringify({ [DEMO]: {}, [OUTSIDE]: outside }));
    await expect(settingsIn(rows)).resolves.toEqual({ [DEMO]: { createsPerSecond: 5 }, [OUTSIDE]: outside });
  });

  test('that TENANTS does not name stay where they are', async () => {
    const rows = new MemoryRows();
    await plantTenants(rows, JSON.stringify({ [OUTSIDE]: outside }));
    await plantTenants(rows, JSON.stringify({ [DEMO]: {} }));
    await expect(settingsIn(rows)).resolves.toEqual({ [DEMO]: {}, [OUTSIDE]: outside });
  });
});
