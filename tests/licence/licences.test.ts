import { describe, expect, test } from '@jest/globals';
import type { TokenCredential } from '@azure/identity';
import type { Config } from '../../shared/config.js';
import { licencesOf } from '../../shared/services/licences.js';

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
const config = (tenants: object): Config =>
  ({ TENANTS: new Map(Object.entries(tenants)), LICENCE_APP_CLIENT_ID: 'app' }) as unknown as Config;
const clock = { now: () => new Date(), sleep: () => Promise.resolve(), every: () => () => undefined };

describe('the licences of tenants', () => {
  test('of one without a key vault are missing, and no token is asked for', async () => {
    const credential = aCredential();
    const licences = licencesOf(config({ a: { dataManagerUrl: 'https://a.test' } }), {
      credential,
      clock,
      limitMs: 500,
    });
    await expect(licences.get('a')).rejects.toMatchObject({ kind: 'missing' });
    await expect(licences.get('stranger')).rejects.toMatchObject({ kind: 'missing' });
    expect(credential.scopes).toEqual([]);
  });

  test('in a vault that cannot be reached are unavailable', async () => {
    const credential = aCredential();
    // Nothing listens on port 9 (discard).
    const tenants = { a: { dataManagerUrl: 'https://a.test', keyVaultUrl: 'https://127.0.0.1:9' } };
    const licences = licencesOf(config(tenants), { credential, clock, limitMs: 2_000 });
    await expect(licences.get('a')).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
