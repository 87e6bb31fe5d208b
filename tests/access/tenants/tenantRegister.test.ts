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

describe('the register of tenants', () => {
  test('tells who is served, who is disabled and whose row cannot be used', () => {
    const rows = [
      row('served', {}),
      row('off', { jobsAtWork: 1 }, { disabledAt: 1 }),
      row('wrong', { jobsAtWork: 0 }),
      { tid: 'torn', settings: '{"jobsAtWork"' },
      { tid: 'bare', settings: '' },
    ];
    expect(statesOf(rows)).toEqual({
      served: 'enabled',
      off: 'disabled',
      wrong: 'unusable',
      torn: 'unusable',
      bare: 'unusable',
    });
  });

  test('does not serve a tenant in another Entra tenant without the application for it', () => {
    const rows = [
      row('a', {
        keyVaultUrl: 'https://contoso.vault.azure.net',
        azureTenantId: '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11',
      }),
    ];
    expect(statesOf(rows, true)).toEqual({ a: 'enabled' });
    expect(statesOf(rows, false)).toEqual({ a: 'unusable' });
  });
});
