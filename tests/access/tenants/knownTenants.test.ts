import { describe, expect, test } from '@jest/globals';
import { KnownTenants } from '../../../shared/access/tenants/knownTenants.js';
import type { TenantRow } from '../../../shared/access/tenants/tenantRegister.js';
import { TenantHoldStore } from '../../../shared/access/tenants/tenantHoldStore.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryRows } from '../../support/memoryRows.js';

const keyVaultUrl = 'https://contoso.vault.azure.net';
const row = (tid: string, more: Partial<TenantRow> = {}): TenantRow => ({
  tid,
  settings: JSON.stringify({ keyVaultUrl: `https://${tid}.test` }),
  ...more,
});

/** A register whose rows a test can change, and whose storage it can take away. */
function aRegister(rows: readonly TenantRow[]) {
  const clock = new ManualClock();
  const storage = { rows, isAway: false, looks: 0 };
  const list = (): Promise<readonly TenantRow[]> => {
    storage.looks += 1;
    return storage.isAway ? Promise.reject(new Error('away')) : Promise.resolve(storage.rows);
  };
  const holds = new TenantHoldStore(new MemoryRows());
  const tenants = new KnownTenants({ rows: { list }, holds, clock }, { hasForeignApp: false });
  return { clock, storage, holds, tenants };
}
const MINUTE = 60_000;

describe('the known tenants', () => {
  test('are read once a minute, however many ask', async () => {
    const { clock, storage, tenants } = aRegister([row('a'), row('b')]);
    const all = await Promise.all(Array.from({ length: 50 }, (_, at) => tenants.find(at % 2 === 0 ? 'a' : 'b')));
    expect(all[0]).toEqual({ keyVaultUrl: 'https://a.test' });
    clock.jump(MINUTE);
    await tenants.find('a');
    expect(storage.looks).toBe(1);
    clock.jump(1);
    await tenants.find('a');
    expect(storage.looks).toBe(2);
  });

  test('follow a hold within a minute, and its end', async () => {
    const { clock, holds, tenants } = aRegister([row('a'), row('b')]);
    await tenants.find('a');
    await holds.hold('a', clock.now().getTime());
    clock.jump(MINUTE + 1);
    expect([await tenants.find('a'), await tenants.find('b')]).toEqual([undefined, expect.anything()]);
    await holds.release('a', clock.now().getTime());
    clock.jump(MINUTE + 1);
    expect(await tenants.find('a')).toBeDefined();
  });

  test('stay disabled when a hold of them ends', async () => {
    const { clock, holds, tenants } = aRegister([row('a', { disabledAt: 1 })]);
    await holds.hold('a', clock.now().getTime());
    await holds.release('a', clock.now().getTime());
    expect(await tenants.find('a')).toBeUndefined();
  });

  test('follow a change within a minute: a disabled one is unknown then', async () => {
    const { clock, storage, tenants } = aRegister([row('a')]);
    await tenants.find('a');
    storage.rows = [row('a', { disabledAt: 1 })];
    clock.jump(MINUTE + 1);
    expect(await tenants.find('a')).toBeUndefined();
  });

  test('include a new one within five seconds; made-up ones cause no more looks than that', async () => {
    const { clock, storage, tenants } = aRegister([row('a')]);
    expect(await tenants.find('new')).toBeUndefined();
    for (let second = 0; second < 5; second += 1) {
      clock.jump(1000);
      expect(await tenants.find(`made-up-${second}`)).toBeUndefined();
    }
    expect(storage.looks).toBe(1);
    storage.rows = [row('a'), row('new')];
    clock.jump(1);
    expect(await tenants.find('new')).toBeDefined();
    expect(storage.looks).toBe(2);
  });

  test('are served for ten minutes while storage is away, then 503', async () => {
    const { clock, storage, tenants } = aRegister([row('a')]);
    await tenants.find('a');
    storage.isAway = true;
    clock.jump(10 * MINUTE);
    expect(await tenants.find('a')).toBeDefined();
    clock.jump(1);
    await expect(tenants.find('a')).rejects.toMatchObject({ fault: { code: 'ServiceUnavailable', status: 503 } });
    storage.isAway = false;
    clock.jump(5_000);
    expect(await tenants.find('a')).toBeDefined();
  });

  test('keep nobody waiting for a storage that was just found away', async () => {
    const { clock, storage, tenants } = aRegister([row('a')]);
    await tenants.find('a');
    storage.isAway = true;
    clock.jump(2 * MINUTE);
    for (let call = 0; call < 10; call += 1) {
      await tenants.find('a');
      clock.jump(400);
    }
    expect(storage.looks).toBe(2);
  });

  test('answer 503 for a row that cannot be used, to its own tenant alone', async () => {
    const { tenants } = aRegister([row('a'), row('b', { settings: '{"keyVaultUrl":"https://canary"' })]);
    const refused = tenants.find('b');
    await expect(refused).rejects.toMatchObject({ fault: { code: 'TenantMisconfigured', status: 503 } });
    await expect(refused).rejects.not.toThrow(/canary/);
    expect(await tenants.find('a')).toBeDefined();
  });

  test('are none as long as nobody is registered; the first is seen within five seconds', async () => {
    const { clock, storage, tenants } = aRegister([]);
    expect(await tenants.isEmpty()).toBe(true);
    storage.rows = [{ tid: 'a', settings: JSON.stringify({ keyVaultUrl }) }];
    clock.jump(5_001);
    expect(await tenants.isEmpty()).toBe(false);
  });
});
