import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  addTenant,
  importTenants,
  removeTenant,
  setTenant,
  switchTenant,
  TenantRefusal,
  type ManageTenantsPorts,
} from '../../../shared/access/tenants/manageTenants.js';
import { randomId } from '../../../shared/kit/ids.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { ManualClock } from '../../support/manualClock.js';
import { TenantStore, type TenantChange } from '../../../shared/access/tenants/tenantStore.js';

const A = '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11';
const B = '1a1b2c3d-3c52-4d2b-9a63-6c1f0a5d7b22';
const keyVaultUrl = 'https://contoso.vault.azure.net';

let clock: ManualClock;
let store: TenantStore;
let withJobs: Set<string>;
let withLand: Set<string>;
let ports: ManageTenantsPorts;
beforeEach(() => {
  clock = new ManualClock();
  store = new TenantStore(new MemoryRows(), randomId);
  withJobs = new Set();
  withLand = new Set();
  ports = {
    tenants: store,
    hasJobs: (tid) => Promise.resolve(withJobs.has(tid)),
    hasFarmData: (tid) => Promise.resolve(withLand.has(tid)),
    clock,
    by: 'ada',
  };
});
const stored = async (tid: string): Promise<unknown> => {
  const row = (await store.list()).find((candidate) => candidate.tid === tid);
  return row === undefined ? undefined : JSON.parse(row.settings);
};
/** Puts a row there as only a hand can. */
const put = async (tid: string, settings: string): Promise<void> => {
  const row = { tid, settings };
  const change = { tid, action: 'by hand', by: 'eve', at: 0, before: undefined, after: row };
  await store.change(await store.guardEtag(), [change]);
};

describe('adding a tenant', () => {
  test('stores it in one spelling and logs who did it', async () => {
    await addTenant(ports)(A, { keyVaultUrl: 'https://CONTOSO.vault.azure.net:443/', jobsAtWork: 8 });
    await expect(stored(A)).resolves.toEqual({ keyVaultUrl, jobsAtWork: 8 });
    await expect(store.log(A)).resolves.toMatchObject([{ action: 'add', by: 'ada', at: clock.now().getTime() }]);
  });

  test('that exists is refused', async () => {
    await addTenant(ports)(A, { keyVaultUrl });
    await expect(addTenant(ports)(A, { keyVaultUrl })).rejects.toThrow(/exists already; set changes it/);
  });

  test.each([
    ['contoso.com', { keyVaultUrl }, /contoso.com is no tenant id/],
    [A.toUpperCase(), { keyVaultUrl }, /in lower case/],
    [A, { keyVaultUrl, imagery: 'free' }, /imagery must be licensed or public/],
    [A, { keyVaultUrl: `${keyVaultUrl}/?x` }, /no path, query or user name/],
    [A, { keyVaultUrl, colour: 'green' }, /colour is no member of a tenant/],
  ])('%s %j is refused', async (tid, members, message) => {
    await expect(addTenant(ports)(tid, members)).rejects.toThrow(message);
    await expect(store.list()).resolves.toEqual([]);
  });
});

describe('setting members of a tenant', () => {
  test('changes and takes away what is named and leaves the rest', async () => {
    await addTenant(ports)(A, { keyVaultUrl, imagery: 'licensed', createsPerSecond: 5 });
    await setTenant(ports)(A, { createsPerSecond: undefined, jobsAtWork: 3 });
    await expect(stored(A)).resolves.toEqual({ keyVaultUrl, imagery: 'licensed', jobsAtWork: 3 });
  });

  test('mends a row that cannot be used', async () => {
    await put(A, '{"keyVaultUrl"');
    await setTenant(ports)(A, { keyVaultUrl });
    await expect(stored(A)).resolves.toEqual({ keyVaultUrl });
    await put(B, '{"keyVaultUrl":"https://b.test","colour":"green"}');
    await expect(setTenant(ports)(B, { jobsAtWork: 1 })).rejects.toThrow(/colour is no member/);
    await setTenant(ports)(B, { colour: undefined, jobsAtWork: 1 });
    await expect(stored(B)).resolves.toEqual({ keyVaultUrl: 'https://b.test', jobsAtWork: 1 });
  });

  test('is refused for one that is not there', async () => {
    await expect(setTenant(ports)(A, { jobsAtWork: 1 })).rejects.toThrow(/There is no tenant/);
  });

  test('mends one of an earlier version by taking its data manager elsewhere and its parties away', async () => {
    await put(A, '{"dataManagerUrl":"https://a.test","partyIds":["p"],"jobsAtWork":2}');
    await expect(setTenant(ports)(A, { jobsAtWork: 3 })).rejects.toThrow(/dataManagerUrl is no member/);
    await setTenant(ports)(A, { dataManagerUrl: undefined, partyIds: undefined });
    await expect(stored(A)).resolves.toEqual({ jobsAtWork: 2 });
  });

  test('is refused when somebody else was faster, and changes nothing', async () => {
    await addTenant(ports)(A, { keyVaultUrl });
    const interrupted: ManageTenantsPorts['tenants'] = {
      mostChanges: store.mostChanges,
      guardEtag: () => store.guardEtag(),
      log: (tid) => store.log(tid),
      change: (etag: string | undefined, changes: readonly TenantChange[]) => store.change(etag, changes),
      list: async () => {
        const rows = await store.list();
        await setTenant(ports)(A, { jobsAtWork: 1 });
        return rows;
      },
    };
    const slow = setTenant({ ...ports, tenants: interrupted })(A, { jobsAtWork: 2 });
    await expect(slow).rejects.toThrow(/Somebody else has changed the register/);
    await expect(stored(A)).resolves.toMatchObject({ jobsAtWork: 1 });
  });
});

describe('disabling, enabling and removing a tenant', () => {
  const disabledAt = async (): Promise<number | undefined> => (await store.list())[0]?.disabledAt;

  test('keep what is registered until it is removed', async () => {
    await addTenant(ports)(A, { keyVaultUrl });
    clock.jump(1_000);
    await switchTenant(ports, 'disable')(A);
    await expect(disabledAt()).resolves.toBe(clock.now().getTime());
    clock.jump(1_000);
    await switchTenant(ports, 'enable')(A);
    await expect(disabledAt()).resolves.toBeUndefined();
    await expect(stored(A)).resolves.toEqual({ keyVaultUrl });
    const actions = (await store.log(A)).map(({ action }) => action);
    expect(actions).toEqual(['add', 'disable', 'enable']);
  });

  test('twice is refused', async () => {
    await addTenant(ports)(A, { keyVaultUrl });
    await expect(switchTenant(ports, 'enable')(A)).rejects.toThrow(/enabled already/);
    await switchTenant(ports, 'disable')(A);
    await expect(switchTenant(ports, 'disable')(A)).rejects.toThrow(/disabled already/);
  });

  test('remove it only when no instance can know it and neither job nor farm data is left', async () => {
    await addTenant(ports)(A, { keyVaultUrl });
    await expect(removeTenant(ports)(A)).rejects.toThrow(/is enabled; disable it first/);
    await switchTenant(ports, 'disable')(A);
    clock.jump(60_000);
    await expect(removeTenant(ports)(A)).rejects.toThrow(/wait 60 s/);
    clock.jump(60_000);
    withJobs.add(A);
    await expect(removeTenant(ports)(A)).rejects.toThrow(/has jobs/);
    withJobs.delete(A);
    withLand.add(A);
    await expect(removeTenant(ports)(A)).rejects.toThrow(/Purge it first/);
    withLand.delete(A);
    await removeTenant(ports)(A);
    await expect(store.list()).resolves.toEqual([]);
    expect((await store.log(A)).at(-1)).toMatchObject({
      action: 'remove',
      before: expect.stringContaining('disabled'),
    });
  });
});

describe('importing tenants', () => {
  const seed = (members: object = {}): string => JSON.stringify({ [A]: { keyVaultUrl, ...members } });

  test('adds those that are missing, and repeating it changes nothing', async () => {
    await expect(importTenants(ports)(seed())).resolves.toEqual({ added: [A], changed: [], unchanged: [] });
    const mark = await store.guardEtag();
    await expect(importTenants(ports)(seed())).resolves.toEqual({ added: [], changed: [], unchanged: [A] });
    await expect(store.guardEtag()).resolves.toBe(mark);
  });

  test('sets what it names, and leaves budgets, others and the disabled as they are', async () => {
    await addTenant(ports)(A, { keyVaultUrl: 'https://old.test', createsPerSecond: 5 });
    await addTenant(ports)(B, { keyVaultUrl: 'https://b.test' });
    await switchTenant(ports, 'disable')(A);
    await expect(importTenants(ports)(seed())).resolves.toMatchObject({ changed: [A] });
    await expect(stored(A)).resolves.toEqual({ keyVaultUrl, createsPerSecond: 5 });
    expect((await store.list()).map(({ tid, disabledAt }) => [tid, disabledAt !== undefined])).toEqual([
      [A, true],
      [B, false],
    ]);
  });

  test('takes none when one of them cannot be', async () => {
    const broken = JSON.stringify({ [A]: { keyVaultUrl }, [B]: { jobsAtWork: 0 } });
    await expect(importTenants(ports)(broken)).rejects.toThrow(/jobsAtWork must be/);
    await expect(importTenants(ports)(JSON.stringify({ [A]: { keyVaultUrl }, b: {} }))).rejects.toThrow(TenantRefusal);
    await expect(store.list()).resolves.toEqual([]);
  });

  test('takes more than one transaction holds', async () => {
    const tids = Array.from({ length: 120 }, (_, at) => `${String(at).padStart(8, '0')}${A.slice(8)}`);
    const text = JSON.stringify(Object.fromEntries(tids.map((tid) => [tid, { keyVaultUrl: `https://${tid}.test` }])));
    await importTenants(ports)(text);
    expect((await store.list()).map(({ tid }) => tid).sort()).toEqual(tids);
  });

  test.each(['', '[]', 'null', '{"a":1}', '{'])('refuses %j, and does not repeat it', async (text) => {
    await expect(importTenants(ports)(text)).rejects.toThrow(/must be a JSON object/);
  });
});
