import type { Rows } from '../storage/rows.js';
import type { TenantRowReader } from './tenantPorts.js';
import type { TenantRow } from './tenantRegister.js';

/**
 * Rows of table `tenants`, all in one partition, so that a change and its log entry are one transaction:
 *
 * - RowKey `guard`: written with every change of the register, so that each is made on what was last seen
 * - RowKey `tenant_<tid>`: one tenant
 * - RowKey `log_<instant>_<id>`: who changed what
 */
export const TENANTS = 'tenants';
export const GUARD = 'guard';
export const TENANT_PREFIX = 'tenant_';
export const LOG_PREFIX = 'log_';

interface StoredTenant {
  readonly settings?: string;
  readonly disabledAt?: string;
}

/** Reads the register of tenants; the identity of the service may do no more with the table. */
export class TableTenantReader implements TenantRowReader {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async list(): Promise<readonly TenantRow[]> {
    const rows = await this.#rows.range<StoredTenant>(TENANTS, { prefix: TENANT_PREFIX });
    return rows.map(({ rowKey, settings = '', disabledAt }) => ({
      tid: rowKey.slice(TENANT_PREFIX.length),
      settings,
      ...(disabledAt === undefined ? {} : { disabledAt: Date.parse(disabledAt) }),
    }));
  }
}
