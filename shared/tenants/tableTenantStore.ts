import type { TableClient, TransactionAction } from '@azure/data-tables';
import type { NewId } from '../ids.js';
import { unlessStatus } from '../storage/storageErrors.js';
import { listRows, TRANSACTION_LIMIT } from '../storage/tableRows.js';
import { GUARD, LOG_PREFIX, rowsOf, TableTenantReader, TENANT_PREFIX, TENANTS } from './tableTenantReader.js';
import type { TenantChange, TenantLogEntry, TenantStore } from './tenantPorts.js';
import type { TenantRow } from './tenantRegister.js';

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type GuardRow = { readonly revision: string };

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type LogRow = {
  readonly at: string;
  readonly by: string;
  readonly action: string;
  readonly tid: string;
  readonly before?: string;
  readonly after?: string;
};

const instantText = (instant: number): string => new Date(instant).toISOString();

/** The register of tenants as the operators' command changes it. */
export class TableTenantStore extends TableTenantReader implements TenantStore {
  /** Two rows a change, and the guard. */
  readonly mostChanges = (TRANSACTION_LIMIT - 2) / 2;
  readonly #table: TableClient;
  readonly #newId: NewId;

  constructor(table: TableClient, newId: NewId) {
    super(table);
    this.#table = table;
    this.#newId = newId;
  }

  async mark(): Promise<string | undefined> {
    const guard = await unlessStatus([404], () => this.#table.getEntity<GuardRow>(TENANTS, GUARD));
    return guard?.etag;
  }

  async change(mark: string | undefined, changes: readonly TenantChange[]): Promise<boolean> {
    const revision = this.#newId();
    const guard = { partitionKey: TENANTS, rowKey: GUARD, revision };
    const actions: TransactionAction[] = [
      mark === undefined ? ['create', guard] : ['update', guard, 'Replace', { etag: mark }],
      ...changes.flatMap((change) => [rowAction(change), this.#logAction(change)]),
    ];
    const answer = await unlessStatus([404, 409, 412], () => this.#table.submitTransaction(actions));
    if (answer !== undefined) return true;
    // The answer to our own write may have been lost, and the client's repetition refused.
    const current = await unlessStatus([404], () => this.#table.getEntity<GuardRow>(TENANTS, GUARD));
    return current?.revision === revision;
  }

  async log(tid: string): Promise<readonly TenantLogEntry[]> {
    const rows = await listRows<LogRow>(this.#table, `${rowsOf(LOG_PREFIX)} and tid eq '${tid}'`);
    return rows.map(({ at, by, action, before, after }) => ({
      at: Date.parse(at),
      by,
      action,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    }));
  }

  #logAction({ tid, at, by, action, before, after }: TenantChange): TransactionAction {
    const row = {
      partitionKey: TENANTS,
      rowKey: `${LOG_PREFIX}${instantText(at)}_${this.#newId()}`,
      at: instantText(at),
      by,
      action,
      tid,
      ...(before === undefined ? {} : { before: textOf(before) }),
      ...(after === undefined ? {} : { after: textOf(after) }),
    };
    return ['create', row];
  }
}

function rowAction({ tid, after }: TenantChange): TransactionAction {
  const keys = { partitionKey: TENANTS, rowKey: TENANT_PREFIX + tid };
  if (after === undefined) return ['delete', keys];
  const { settings, disabledAt } = after;
  const row = { ...keys, settings, ...(disabledAt === undefined ? {} : { disabledAt: instantText(disabledAt) }) };
  return ['upsert', row, 'Replace'];
}

/** A row as the log keeps it: its settings, and since when it is disabled. */
function textOf({ settings, disabledAt }: TenantRow): string {
  return disabledAt === undefined ? settings : `${settings} disabled since ${instantText(disabledAt)}`;
}
