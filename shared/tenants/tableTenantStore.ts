import type { NewId } from '../ids.js';
import { TRANSACTION_LIMIT, type Action, type Etag, type Rows } from '../storage/rows.js';
import { GUARD, LOG_PREFIX, TableTenantReader, TENANT_PREFIX, TENANTS } from './tableTenantReader.js';
import type { TenantChange, TenantLogEntry, TenantStore } from './tenantPorts.js';
import type { TenantRow } from './tenantRegister.js';

interface LogRow {
  readonly at: string;
  readonly by: string;
  readonly action: string;
  readonly tid: string;
  readonly before?: string;
  readonly after?: string;
}

const instantText = (instant: number): string => new Date(instant).toISOString();

/** The register of tenants as the operators' command changes it. */
export class TableTenantStore extends TableTenantReader implements TenantStore {
  /** Two rows a change, and the guard. */
  readonly mostChanges = (TRANSACTION_LIMIT - 2) / 2;
  readonly #rows: Rows;
  readonly #newId: NewId;

  constructor(rows: Rows, newId: NewId) {
    super(rows);
    this.#rows = rows;
    this.#newId = newId;
  }

  async mark(): Promise<Etag | undefined> {
    return (await this.#rows.find(TENANTS, GUARD))?.etag;
  }

  async change(mark: Etag | undefined, changes: readonly TenantChange[]): Promise<boolean> {
    const guard: Action = mark === undefined ? { insert: GUARD, value: {} } : { update: GUARD, value: {}, etag: mark };
    const writes = changes.flatMap((change) => [rowAction(change), this.#logAction(change)]);
    return (await this.#rows.transact(TENANTS, [guard, ...writes])) !== undefined;
  }

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
    const value = {
      at: instantText(at),
      by,
      action,
      tid,
      before: before && textOf(before),
      after: after && textOf(after),
    };
    return { insert: `${LOG_PREFIX}${instantText(at)}_${this.#newId()}`, value };
  }
}

function rowAction({ tid, after }: TenantChange): Action {
  const rowKey = TENANT_PREFIX + tid;
  if (after === undefined) return { delete: rowKey };
  const { settings, disabledAt } = after;
  return {
    put: rowKey,
    value: { settings, disabledAt: disabledAt === undefined ? undefined : instantText(disabledAt) },
  };
}

/** A row as the log keeps it: its settings, and since when it is disabled. */
function textOf({ settings, disabledAt }: TenantRow): string {
  return disabledAt === undefined ? settings : `${settings} disabled since ${instantText(disabledAt)}`;
}
