import type { NewId } from '../../kit/ids.js';
import { TRANSACTION_LIMIT, type Action, type Etag, type Rows } from '../../storage/rows.js';
import type { TenantRow } from './tenantRegister.js';

/**
 * Rows of table `tenants`, all in one partition, so that a change and its log entry are one transaction:
 *
 * - RowKey `guard`: written with every change, so that a change fails when the register has changed since it was read
 * - RowKey `tenant_<tid>`: one tenant
 * - RowKey `log_<instant>_<id>`: who changed what
 */
const TENANTS = 'tenants';
const GUARD = 'guard';
const TENANT_PREFIX = 'tenant_';
const LOG_PREFIX = 'log_';

interface StoredTenant {
  readonly settings?: string;
  readonly disabledAt?: string;
}

type LogRow = Omit<TenantLogEntry, 'at'> & { readonly at: string };

const instantText = (instant: number): string => new Date(instant).toISOString();

/** One change of one row of the register; `before` or `after` is undefined when there was or is no row. */
export interface TenantChange {
  readonly tid: string;
  readonly action: string;
  /** Who asked for the change. */
  readonly by: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly before: TenantRow | undefined;
  readonly after: TenantRow | undefined;
}

/** A change as the log keeps it; the rows are texts for people. */
export interface TenantLogEntry extends Pick<TenantChange, 'action' | 'by' | 'at'> {
  readonly before?: string;
  readonly after?: string;
}

/** Reads the register of tenants; the identity of the service may do no more with the table. */
export class TenantReader {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Every row. */
  async list(): Promise<readonly TenantRow[]> {
    const rows = await this.#rows.range<StoredTenant>(TENANTS, { prefix: TENANT_PREFIX });
    return rows.map(({ rowKey, settings = '', disabledAt }) => ({
      tid: rowKey.slice(TENANT_PREFIX.length),
      settings,
      ...(disabledAt === undefined ? {} : { disabledAt: Date.parse(disabledAt) }),
    }));
  }
}

/** The register of tenants for the command of operators. */
export class TenantStore extends TenantReader {
  /** Most changes of one transaction: two rows for each change, and the guard. */
  readonly mostChanges = (TRANSACTION_LIMIT - 2) / 2;
  readonly #rows: Rows;
  readonly #newId: NewId;

  constructor(rows: Rows, newId: NewId) {
    super(rows);
    this.#rows = rows;
    this.#newId = newId;
  }

  /** ETag of the guard, to be read before `list`; undefined for a register that never had a tenant. */
  async guardEtag(): Promise<Etag | undefined> {
    return (await this.#rows.find(TENANTS, GUARD))?.etag;
  }

  /**
   * Makes all changes and their log entries in one transaction.
   *
   * @returns false when the register has changed since the ETag was read; then nothing is written
   */
  async change(etag: Etag | undefined, changes: readonly TenantChange[]): Promise<boolean> {
    const guard: Action = etag === undefined ? { insert: GUARD, value: {} } : { update: GUARD, value: {}, etag };
    const writes = changes.flatMap((change) => [rowAction(change), this.#logAction(change)]);
    return (await this.#rows.transact(TENANTS, [guard, ...writes])) !== undefined;
  }

  /** The changes of one tenant, oldest first. */
  async log(tid: string): Promise<readonly TenantLogEntry[]> {
    const where = { column: 'tid', equals: tid };
    const rows = await this.#rows.range<LogRow>(TENANTS, { prefix: LOG_PREFIX }, { where });
    return rows.map(({ at, by, action, before, after }) => ({
      at: Date.parse(at),
      by,
      action,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    }));
  }

  #logAction({ tid, at, by, action, before, after }: TenantChange): Action {
    const texts = { before: before && textOf(before), after: after && textOf(after) };
    const rowKey = `${LOG_PREFIX}${instantText(at)}_${this.#newId()}`;
    return { insert: rowKey, value: { at: instantText(at), by, action, tid, ...texts } };
  }
}

function rowAction({ tid, after }: TenantChange): Action {
  const rowKey = TENANT_PREFIX + tid;
  if (after === undefined) return { delete: rowKey };
  const { settings, disabledAt } = after;
  const value = { settings, disabledAt: disabledAt === undefined ? undefined : instantText(disabledAt) };
  return { put: rowKey, value };
}

/** A row as a text for the log: its settings, and since when it is disabled. */
function textOf({ settings, disabledAt }: TenantRow): string {
  return disabledAt === undefined ? settings : `${settings} disabled since ${instantText(disabledAt)}`;
}
