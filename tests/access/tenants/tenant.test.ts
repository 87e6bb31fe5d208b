import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tenantOf, TenantFault } from '../../../shared/access/tenants/tenant.js';

const faultOf = (value: unknown): string => {
  try {
    tenantOf(value);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(TenantFault);
    return (error as Error).message;
  }
};
const AZURE_TENANT = '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11';
const keyVaultUrl = 'https://contoso.vault.azure.net';

describe('a tenant', () => {
  test('is read whole', () => {
    const tenant = {
      keyVaultUrl,
      clientIdSecret: 'id',
      clientSecretSecret: 'secret',
      azureTenantId: AZURE_TENANT,
      createsPerSecond: 5,
      jobsAtWork: 40,
    };
    expect(tenantOf(tenant)).toEqual(tenant);
  });

  test.each([
    'https://CONTOSO.vault.azure.net',
    'https://contoso.vault.azure.net:443',
    'https://contoso.vault.azure.net/',
    'https://contoso.vault.azure.net.',
    'HTTPS://contoso.vault.azure.net.:443/',
  ])('has one spelling of its vault, not %s', (spelling) => {
    expect(tenantOf({ keyVaultUrl: spelling }).keyVaultUrl).toBe(keyVaultUrl);
  });

  test('keeps a port that is not the default one', () => {
    expect(tenantOf({ keyVaultUrl: 'https://127.0.0.1:7080' }).keyVaultUrl).toBe('https://127.0.0.1:7080');
  });

  test.each([
    ['a path', `${keyVaultUrl}/x`, /no path, query or user name/],
    ['a query', `${keyVaultUrl}/?x`, /no path, query or user name/],
    ['an empty query', `${keyVaultUrl}/?`, /no path, query or user name/],
    ['a fragment', `${keyVaultUrl}#x`, /no path, query or user name/],
    ['a user', 'https://a:b@contoso.vault.azure.net', /user name/],
    ['an empty user', 'https://@contoso.vault.azure.net', /user name/],
    ['no https', 'http://contoso.vault.azure.net', /https address/],
    ['no address', 'contoso', /absolute URL/],
    ['no text', 7, /must be a text/],
  ])('is refused with %s in its vault', (_what, vault, message) => {
    expect(faultOf({ keyVaultUrl: vault })).toMatch(message);
  });

  test.each([
    ['an empty vault', { keyVaultUrl: '' }, /keyVaultUrl must be an absolute URL/],
    ['an empty name of a secret', { clientIdSecret: '' }, /clientIdSecret must be the name of a secret/],
    ['a secret with a path', { clientSecretSecret: 'a/../b' }, /clientSecretSecret must be the name of a secret/],
    ['an Entra tenant by name', { azureTenantId: 'contoso.com' }, /azureTenantId must be the UUID/],
    ['no create a second', { createsPerSecond: 0 }, /createsPerSecond must be a whole number from 1 to 1000/],
    ['half a job at work', { jobsAtWork: 0.5 }, /jobsAtWork must be a whole number from 1 to 1000/],
    ['a number as text', { jobsAtWork: '5' }, /jobsAtWork must be a whole number/],
    [
      'a vault in another Entra tenant, and no vault',
      { keyVaultUrl: undefined, azureTenantId: AZURE_TENANT },
      /there is none/,
    ],
    ['a member that it has not', { keyvaultUrl: 'x' }, /keyvaultUrl is no member of a tenant/],
    ['a member of every object', { constructor: 'x' }, /constructor is no member of a tenant/],
  ])('is refused with %s', (_what, members, message) => {
    expect(faultOf({ keyVaultUrl, ...members })).toMatch(message);
  });

  test('is told all its faults at once, none by its value', () => {
    const faults = faultOf({ imagery: 'canary', keyVaultUrl: 'http://canary', jobsAtWork: -1 });
    expect(faults).toMatch(/imagery must.*keyVaultUrl must.*jobsAtWork must/);
    expect(faults).not.toContain('canary');
  });

  test('is the same when what was read is read again, whatever was written', () => {
    const host = fc.webUrl({ validSchemes: ['https'], withQueryParameters: false, withFragments: false });
    fc.assert(
      fc.property(host, (address) => {
        const read = tenantOf({ keyVaultUrl: new URL(address).origin });
        expect(tenantOf(read)).toEqual(read);
      }),
    );
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['a text', 'x'],
  ])('is not %s', (_what, value) => {
    expect(faultOf(value)).toMatch(/must be an object/);
  });
});
