import { afterAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { TableServiceClient } from '@azure/data-tables';
import { readFileSync } from 'node:fs';
import { randomId } from '../../shared/kit/ids.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { describeTenantStore } from '../access/tenants/tenantStoreSuite.js';
import { service } from './service.js';
import { settings, rowsOf, type Exchange } from './storage.js';

/** A register of its own: the one of the running service belongs to the other tests. */
const TABLE = `tenants${randomUUID().replaceAll('-', '')}`;
const tables = TableServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', {
  tlsOptions: { ca: readFileSync(service.caFile, 'utf8') },
});
afterAll(async () => {
  await tables.deleteTable(TABLE);
});
const created = tables.createTable(TABLE);
const storeOn = async (around?: Exchange): Promise<TenantStore> => {
  await created;
  return new TenantStore(rowsOf(TABLE, around), randomId);
};

describeTenantStore('in a table', () => storeOn());

describe('a change of the register whose answer is lost', () => {
  test('is recognised as our own', async () => {
    let isLost = false;
    const store = await storeOn(async (send) => {
      await send();
      if (isLost) return;
      isLost = true;
      throw Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });
    });
    const plain = await storeOn();
    const tid = randomUUID();
    const after = { tid, settings: '{}' };
    const change = { tid, action: 'add', by: 'ada', at: Date.now(), before: undefined, after };
    await expect(store.change(await plain.guardEtag(), [change])).resolves.toBe(true);
    expect(isLost).toBe(true);
    await expect(plain.log(tid)).resolves.toHaveLength(1);
  });
});
