import { describe, expect, test } from '@jest/globals';
import type { TokenCredential } from '@azure/identity';
import { licencesOf } from '../../../shared/wiring/clients/licences.js';
import { TenantNotServed } from '../../../shared/access/tenants/servedTenant.js';
import type { Tenant } from '../../../shared/access/tenants/tenant.js';
import type { Tenants } from '../../../shared/access/tenants/tenantPorts.js';

/** A credential that notes what tokens are asked of it. */
function aCredential(): TokenCredential & { readonly scopes: string[] } {
  const scopes: string[] = [];
  return {
    scopes,
    getToken: (scope) => {
      scopes.push(...[scope].flat());
      return Promise.reject(new Error('no token in tests'));
    },
  };
}
const aRegister = (tenants: Readonly<Record<string, Tenant>>): Tenants => ({
  find: (tid) => Promise.resolve(tenants[tid]),
  isEmpty: () => Promise.resolve(false),
});
const log = (): void => undefined;
const clock = { now: () => new Date(), sleep: () => Promise.resolve(), every: () => () => undefined };

describe('the licences of tenants', () => {
  test('of one without a key vault are missing, and no token is asked for', async () => {
    const credential = aCredential();
    const tenants = aRegister({ a: {} });
    const licences = licencesOf({ tenants, credentialOf: () => credential, clock, limitMs: 500, log });
    await expect(licences.require('a')).rejects.toMatchObject({ kind: 'missing' });
    await expect(licences.require('stranger')).rejects.toBeInstanceOf(TenantNotServed);
    expect(credential.scopes).toEqual([]);
  });

  test('in a vault that cannot be reached are unavailable', async () => {
    const credential = aCredential();
    // Nothing listens on port 9 (discard).
    const tenants = aRegister({ a: { keyVaultUrl: 'https://127.0.0.1:9' } });
    const licences = licencesOf({ tenants, credentialOf: () => credential, clock, limitMs: 2_000, log });
    await expect(licences.require('a')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('are looked for where the register says now', async () => {
    const found: Record<string, Tenant> = { a: {} };
    const licences = licencesOf({
      tenants: aRegister(found),
      credentialOf: () => aCredential(),
      clock,
      limitMs: 2_000,
      log,
    });
    await expect(licences.require('a')).rejects.toMatchObject({ kind: 'missing' });
    found['a'] = { keyVaultUrl: 'https://127.0.0.1:9' };
    await expect(licences.require('a')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
