import { odata, type TableClient } from '@azure/data-tables';
import { listRows } from '../storage/tableRows.js';
import type { TenantRowReader } from './tenantPorts.js';
import type { TenantRow } from './tenantRegister.js';

/**
 * Rows of table `tenants`, all in one partition, so that a change and its log entry are one transaction:
 *
 * - RowKey `guard`: changes with every change of the register, so that each is made on what was last seen
 * - RowKey `tenant_<tid>`: one tenant
 * - RowKey `log_<instant>_<id>`: who changed what
 */
export const TENANTS = 'tenants';
export const GUARD = 'guard';
export const TENANT_PREFIX = 'tenant_';
export const LOG_PREFIX = 'log_';

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type StoredTenant = { readonly settings?: string; readonly disabledAt?: string };

/** The filter of all rows whose key begins so. @param prefix ends with an underscore, whose successor is a backtick */
export const rowsOf = (prefix: string): string =>
  odata`PartitionKey eq ${TENANTS} and RowKey ge ${prefix} and RowKey lt ${prefix.replace(/_$/, '`')}`;

/** Reads the register of tenants; the identity of the service may do no more with the table. */
export class TableTenantReader implements TenantRowReader {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async list(): Promise<readonly TenantRow[]> {
    const rows = await listRows<StoredTenant>(this.#table, rowsOf(TENANT_PREFIX));
    return rows.map(({ rowKey, settings = '', disabledAt }) => ({
      tid: rowKey.slice(TENANT_PREFIX.length),
      settings,
      ...(disabledAt === undefined ? {} : { disabledAt: Date.parse(disabledAt) }),
    }));
  }
}
