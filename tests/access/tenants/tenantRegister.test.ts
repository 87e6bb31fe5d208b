import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '../../../shared/access/tenants/tenant.js';
import { registerOf, type TenantRow } from '../../../shared/access/tenants/tenantRegister.js';

const row = (tid: string, tenant: Tenant | object, more: Partial<TenantRow> = {}): TenantRow => ({
  tid,
  settings: JSON.stringify(tenant),
  ...more,
});
const statesOf = (rows: readonly TenantRow[], hasForeignApp = true) =>
  Object.fromEntries([...registerOf(rows, { hasForeignApp })].map(([tid, { state }]) => [tid, state]));
const dataManagerUrl = 'https://contoso.farmbeats.azure.net';

describe('the register of tenants', () => {
  test('tells who is served, who is disabled and whose row cannot be used', () => {
    const rows = [
      row('served', { dataManagerUrl }),
      row('off', { dataManagerUrl: 'https://off.test' }, { disabledAt: 1 }),
      row('own', {}),
      row('wrong', { dataManagerUrl: 'https://wrong.test', jobsAtWork: 0 }),
      { tid: 'torn', settings: '{"dataManagerUrl"' },
      { tid: 'bare', settings: '' },
    ];
    expect(statesOf(rows)).toEqual({
      served: 'enabled',
      off: 'disabled',
      own: 'enabled',
      wrong: 'unusable',
      torn: 'unusable',
      bare: 'unusable',
    });
  });

  // Before, each of these started without partyIds, and either tenant could name the other's parties.
  test.each([
    'https://CONTOSO.farmbeats.azure.net',
    'https://contoso.farmbeats.azure.net:443',
    'https://contoso.farmbeats.azure.net/',
    'https://contoso.farmbeats.azure.net.',
  ])('sees that %s is the data manager of another tenant', (spelling) => {
    const rows = [row('a', { dataManagerUrl }), row('b', { dataManagerUrl: spelling })];
    expect(statesOf(rows)).toEqual({ a: 'unusable', b: 'unusable' });
  });

  test('serves those who share a data manager and list their parties', () => {
    const rows = [row('a', { dataManagerUrl, partyIds: ['p'] }), row('b', { dataManagerUrl, partyIds: ['q'] })];
    expect(statesOf(rows)).toEqual({ a: 'enabled', b: 'enabled' });
  });

  test('does not serve the one that lists none, and nobody else suffers', () => {
    const rows = [row('a', { dataManagerUrl, partyIds: ['p'] }), row('b', { dataManagerUrl })];
    expect(statesOf(rows)).toEqual({ a: 'enabled', b: 'unusable' });
  });

  test('counts a disabled tenant as one whose parties are still there', () => {
    const rows = [row('a', { dataManagerUrl }), row('b', { dataManagerUrl, partyIds: ['q'] }, { disabledAt: 1 })];
    expect(statesOf(rows)).toEqual({ a: 'unusable', b: 'disabled' });
  });

  test('does not serve a tenant in another Entra tenant without the application for it', () => {
    const rows = [row('a', { dataManagerUrl, azureTenantId: '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11' })];
    expect(statesOf(rows, true)).toEqual({ a: 'enabled' });
    expect(statesOf(rows, false)).toEqual({ a: 'unusable' });
  });
});
