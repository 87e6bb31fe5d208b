import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomId } from '../../../shared/kit/ids.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { runTenantCommand } from '../../../infra/local/tenants/tenantCommands.js';
import { NOTHING_ERASED } from '../../../shared/farm/erase/erasure.js';
import type { TenantOperator } from '../../../infra/local/tenants/tenantOperator.js';
import { ManualClock } from '../../support/manualClock.js';
import { TenantHoldStore } from '../../../shared/access/tenants/tenantHoldStore.js';
import { TenantStore } from '../../../shared/access/tenants/tenantStore.js';

const A = '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11';
// As a line of the log names it.
const FINGERPRINT = '450ec8938053';
const keyVaultUrl = 'https://contoso.vault.azure.net';

let operator: TenantOperator;
let holds: TenantHoldStore;
let clock: ManualClock;
let hasFarmData: boolean;
beforeEach(() => {
  clock = new ManualClock();
  hasFarmData = false;
  holds = new TenantHoldStore(new MemoryRows());
  operator = {
    tenants: new TenantStore(new MemoryRows(), randomId),
    holds,
    hasJobs: () => Promise.resolve(false),
    hasFarmData: () => Promise.resolve(hasFarmData),
    eraseTenant: (tid) => {
      hasFarmData = false;
      return Promise.resolve({ ...NOTHING_ERASED, parties: tid === A ? 1 : 0 });
    },
    exportTenant: (tid, folder) => Promise.resolve({ archives: [`${folder}/${tid}-1.zip`], files: 3, bytes: 7 }),
    clock,
    whoAsks: () => Promise.resolve('ada@contoso.com'),
    seed: JSON.stringify({ [A]: { keyVaultUrl } }),
  };
});
const run = (...argv: readonly string[]): Promise<unknown> => runTenantCommand(argv, () => operator);

describe('npm run tenants', () => {
  test('leads a tenant from its first day to its last', async () => {
    await expect(run('add', A, `keyVaultUrl=${keyVaultUrl}`, 'imagery=public')).resolves.toEqual({
      tid: A,
      keyVaultUrl,
      imagery: 'public',
    });
    clock.jump(1_000);
    await run('set', A, 'createsPerSecond=5', 'jobsAtWork=40', 'imagery=');
    await expect(run('list')).resolves.toEqual([
      { tid: A, fingerprint: FINGERPRINT, state: 'enabled', keyVaultUrl, createsPerSecond: 5, jobsAtWork: 40 },
    ]);
    clock.jump(1_000);
    await expect(run('disable', A)).resolves.toEqual({ tid: A, state: 'disabled' });
    clock.jump(120_000);
    await expect(run('remove', A)).resolves.toEqual({ removed: A });
    await expect(run('show', A)).resolves.toMatchObject({
      tid: A,
      state: 'removed',
      changes: ['add', 'set', 'disable', 'remove'].map((action) => ({ action, by: 'ada@contoso.com' })),
    });
  });

  test.each(['list', 'show'])('says since when a tenant is held: %s', async (name) => {
    await run('add', A);
    await holds.hold(A, clock.now().getTime());
    const shown = await run(name, ...(name === 'show' ? [A] : []));
    expect([shown].flat()[0]).toMatchObject({ tid: A, state: 'enabled', heldSince: clock.now().toISOString() });
  });

  test('purges a tenant that is disabled, with its consent, and then forgets it', async () => {
    hasFarmData = true;
    await run('add', A);
    await expect(run('purge', A, '--yes')).rejects.toThrow('enabled; disable it first');
    await run('disable', A);
    await expect(run('purge', A, '--yes')).rejects.toThrow('wait 120 s');
    clock.jump(120_000);
    await expect(run('remove', A)).rejects.toThrow('has parties, farms or fields. Purge it first.');
    await expect(run('purge', A)).resolves.toMatchObject({ wouldPurge: A });
    expect(hasFarmData).toBe(true);
    await expect(run('purge', A, '--no')).rejects.toThrow('npm run tenants -- purge');
    await expect(run('purge', A, '--yes')).resolves.toMatchObject({ purged: A, erased: { parties: 1 } });
    await expect(run('remove', A)).resolves.toEqual({ removed: A });
  });

  test('imports the variable TENANTS', async () => {
    await expect(run('import')).resolves.toEqual({ added: [A], changed: [], unchanged: [] });
    await expect(run('show', A)).resolves.toMatchObject({ state: 'enabled', keyVaultUrl });
  });

  test('shows why a row cannot be used', async () => {
    const after = { tid: A, settings: '{"jobsAtWork":0}' };
    const change = { tid: A, action: 'by hand', by: 'eve', at: 0, before: undefined, after };
    await operator.tenants.change(undefined, [change]);
    await expect(run('list')).resolves.toEqual([
      {
        tid: A,
        fingerprint: FINGERPRINT,
        state: 'unusable',
        reason: 'jobsAtWork must be a whole number from 1 to 1000.',
      },
    ]);
  });

  test.each([
    [[]],
    [['constructor', A]],
    [['add']],
    [['set', A]],
    [['set', A, 'jobsAtWork']],
    [['purge']],
    [['disable']],
    [['disable', A, 'now']],
    [['list', A, 'x']],
  ])('%j is refused with what can be asked', async (argv) => {
    await expect(run(...argv)).rejects.toThrow(/npm run tenants -- add <tid>/);
  });

  test.each([
    [['show', A], /There is no tenant/],
    [['disable', A], /There is no tenant/],
    [['add', A, 'keyVaultUrl=http://contoso.test'], /https address/],
    [['add', A, `keyVaultUrl=${keyVaultUrl}`, 'jobsAtWork=many'], /jobsAtWork must be a whole number/],
  ])('%j says what is wrong', async (argv, message) => {
    await expect(run(...argv)).rejects.toThrow(message);
  });
});
