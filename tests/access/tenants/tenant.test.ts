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
const dataManagerUrl = 'https://contoso.farmbeats.azure.net';

describe('a tenant', () => {
  test('is read whole', () => {
    const tenant = {
      dataManagerUrl,
      keyVaultUrl: 'https://contoso.vault.azure.net',
      clientIdSecret: 'id',
      clientSecretSecret: 'secret',
      partyIds: ['a', 'b'],
      azureTenantId: '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11',
      createsPerSecond: 5,
      jobsAtWork: 40,
    };
    expect(tenantOf(tenant)).toEqual(tenant);
  });

  test.each([
    'https://CONTOSO.farmbeats.azure.net',
    'https://contoso.farmbeats.azure.net:443',
    'https://contoso.farmbeats.azure.net/',
    'https://contoso.farmbeats.azure.net.',
    'HTTPS://contoso.farmbeats.azure.net.:443/',
  ])('has one spelling of its data manager, not %s', (spelling) => {
    expect(tenantOf({ dataManagerUrl: spelling }).dataManagerUrl).toBe(dataManagerUrl);
  });

  test('keeps a port that is not the default one', () => {
    expect(tenantOf({ dataManagerUrl: 'http://127.0.0.1:7080' }).dataManagerUrl).toBe('http://127.0.0.1:7080');
  });

  test.each([
    ['a path', `${dataManagerUrl}/x`, /no path, query or user name/],
    ['a query', `${dataManagerUrl}/?x`, /no path, query or user name/],
    ['an empty query', `${dataManagerUrl}/?`, /no path, query or user name/],
    ['a fragment', `${dataManagerUrl}#x`, /no path, query or user name/],
    ['a user', 'https://a:b@contoso.farmbeats.azure.net', /user name/],
    ['an empty user', 'https://@contoso.farmbeats.azure.net', /user name/],
    ['no https', 'http://contoso.farmbeats.azure.net', /https address/],
    ['no address', 'contoso', /absolute URL/],
    ['no text', 7, /must be a text/],
  ])('is refused with %s in its data manager', (_what, dataManager, message) => {
    expect(faultOf({ dataManagerUrl: dataManager })).toMatch(message);
  });

  test.each([
    ['a vault on http', { keyVaultUrl: 'http://127.0.0.1:1' }, /keyVaultUrl must be an https address/],
    ['an empty vault', { keyVaultUrl: '' }, /keyVaultUrl must be an absolute URL/],
    ['an empty name of a secret', { clientIdSecret: '' }, /clientIdSecret must be the name of a secret/],
    ['a secret with a path', { clientSecretSecret: 'a/../b' }, /clientSecretSecret must be the name of a secret/],
    ['an Entra tenant by name', { azureTenantId: 'contoso.com' }, /azureTenantId must be the UUID/],
    ['no party at all', { partyIds: [] }, /partyIds must be a list of party ids, at least one/],
    ['parties that are no list', { partyIds: 'a' }, /partyIds must be a list/],
    ['a party that no data manager has', { partyIds: ['..', 'a/b'] }, /partyIds must be a list/],
    ['no create a second', { createsPerSecond: 0 }, /createsPerSecond must be a whole number from 1 to 1000/],
    ['half a job at work', { jobsAtWork: 0.5 }, /jobsAtWork must be a whole number from 1 to 1000/],
    ['a number as text', { jobsAtWork: '5' }, /jobsAtWork must be a whole number/],
    ['a member that it has not', { datamanagerUrl: 'x' }, /datamanagerUrl is no member of a tenant/],
    ['a member of every object', { constructor: 'x' }, /constructor is no member of a tenant/],
    ['more than a row holds', { partyIds: Array.from({ length: 1000 }, (_, i) => `${i}-`.padEnd(36, 'x')) }, /32000/],
  ])('is refused with %s', (_what, members, message) => {
    expect(faultOf({ dataManagerUrl, ...members })).toMatch(message);
  });

  test('is told all its faults at once, none by its value', () => {
    const faults = faultOf({ dataManagerUrl: 'canary', keyVaultUrl: 'http://canary', jobsAtWork: -1 });
    expect(faults).toMatch(/dataManagerUrl must.*keyVaultUrl must.*jobsAtWork must/);
    expect(faults).not.toContain('canary');
  });

  test('is the same when what was read is read again, whatever was written', () => {
    const host = fc.webUrl({ validSchemes: ['https'], withQueryParameters: false, withFragments: false });
    fc.assert(
      fc.property(host, (address) => {
        const read = tenantOf({ dataManagerUrl: new URL(address).origin });
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
