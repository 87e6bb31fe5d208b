import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TokenCredential } from '@azure/identity';
import { smartBoundaryCreate } from '../../../functions/smartBoundary/create.js';
import { createExample } from '../../../functions/smartBoundary/examples.js';
import { runTenantCommand } from '../../../infra/local/tenants/tenantCommands.js';
import { openApiDocument } from '../../../shared/http/openApi/openApi.js';
import { randomId } from '../../../shared/kit/ids.js';
import type { LicenceStore } from '../../../shared/access/licence/imageryLicence.js';
import type { Services } from '../../../shared/wiring/services.js';
import { licencesOf } from '../../../shared/wiring/clients/licences.js';
import type { Facts } from '../../../shared/kit/telemetry/telemetry.js';
import { KnownTenants } from '../../../shared/access/tenants/knownTenants.js';
import { TenantStore } from '../../../shared/access/tenants/tenantStore.js';
import { succeeds } from '../../jobs/works.js';
import { JobsInMemory } from '../../support/jobsInMemory.js';
import { MemoryRows } from '../../support/memoryRows.js';

const A = '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11';
/** Nothing listens on port 9 (discard). */
const keyVaultUrl = 'https://127.0.0.1:9';

let jobs: JobsInMemory;
let tenants: TenantStore;
let logged: { readonly event: string; readonly facts: Facts }[];
/** How many vaults were turned to. */
let vaults: number;
let created = 0;
beforeEach(() => {
  jobs = new JobsInMemory(succeeds);
  tenants = new TenantStore(new MemoryRows(), randomId);
  [logged, vaults] = [[], 0];
});

/** What the operator types. */
const operate = (...argv: readonly string[]): Promise<unknown> =>
  runTenantCommand(argv, () => ({
    tenants,
    holds: { list: () => Promise.resolve([]) },
    hasJobs: () => Promise.resolve(false),
    hasFarmData: () => Promise.resolve(false),
    eraseTenant: () => Promise.reject(new Error('nothing is erased here')),
    exportTenant: () => Promise.reject(new Error('Nothing is exported here.')),
    clock: jobs.clock,
    whoAsks: () => Promise.resolve('ada@contoso.com'),
    seed: undefined,
  }));
const register = (...members: readonly string[]): Promise<unknown> => operate('add', A, 'jobsAtWork=5', ...members);

/** Licences as the register says now. */
function licences(): LicenceStore {
  const credential: TokenCredential = { getToken: () => Promise.reject(new Error('no token in tests')) };
  return licencesOf({
    tenants: new KnownTenants(
      { rows: tenants, holds: { list: () => Promise.resolve([]) }, clock: jobs.clock },
      { hasForeignApp: false },
    ),
    credentialOf: () => {
      vaults += 1;
      return credential;
    },
    clock: jobs.clock,
    limitMs: 2_000,
    log: (event, facts) => void logged.push({ event, facts }),
  });
}

/** Creates a job by the operation itself, each time another one. */
const create = (): Promise<{ readonly status: number }> => {
  const body = { ...createExample, requestPath: `/v1/smart-boundary/job-${(created += 1)}` };
  const services = { ...jobs.ports, licences: licences() } as unknown as Services;
  const request = { tenant: A, body } as unknown as Parameters<typeof smartBoundaryCreate.handle>[0];
  return smartBoundaryCreate.handle(request, services);
};
const missing = { fault: { code: 'IMG-04104', status: 403 } };

describe('a tenant', () => {
  test('needs the licence in its vault: a create without is refused and stores nothing', async () => {
    await register();
    await expect(create()).rejects.toMatchObject(missing);
    expect(jobs.kernel.rows.all()).toEqual([]);
    expect(logged).toEqual([]);
  });

  test('whose vault cannot be asked may send the create again', async () => {
    await register(`keyVaultUrl=${keyVaultUrl}`);
    await expect(create()).rejects.toMatchObject({ fault: { status: 503 } });
    expect(vaults).toBeGreaterThan(0);
  });

  test('registered for public imagery needs none, and the log says so', async () => {
    await register('imagery=public', `keyVaultUrl=${keyVaultUrl}`);
    await expect(create()).resolves.toMatchObject({ status: 202 });
    expect(logged).toEqual([{ event: 'Licence:Waived', facts: { tenant: A, imagery: 'public' } }]);
    expect(vaults).toBe(0);
  });

  test('is registered for public imagery by the operator, from one minute to the next, and back', async () => {
    await register();
    await operate('set', A, 'imagery=public');
    await expect(create()).resolves.toMatchObject({ status: 202 });
    jobs.clock.jump(61_000);
    await operate('set', A, 'imagery=licensed');
    await expect(create()).rejects.toMatchObject(missing);
    jobs.clock.jump(61_000);
    await operate('set', A, 'imagery=');
    await expect(create()).rejects.toMatchObject(missing);
  });

  test('is shown with its imagery, and so is who registered it for that', async () => {
    await register();
    jobs.clock.jump(1_000);
    await operate('set', A, 'imagery=public');
    await expect(operate('list')).resolves.toMatchObject([{ tid: A, imagery: 'public' }]);
    const shown = (await operate('show', A)) as { readonly changes: readonly object[] };
    expect(shown).toMatchObject({ imagery: 'public' });
    expect(shown.changes.at(-1)).toMatchObject({ action: 'set', by: 'ada@contoso.com' });
    expect(JSON.stringify(shown.changes.at(-1))).toContain('public');
  });

  test('is registered for licensed imagery or public imagery and nothing else', async () => {
    await expect(register('imagery=free')).rejects.toThrow(/imagery must be/);
  });
});

test('the documentation of the create names the exception', () => {
  const document = JSON.stringify(openApiDocument([smartBoundaryCreate]));
  expect(document).toContain('unless the operator has registered your tenant for public imagery');
});
