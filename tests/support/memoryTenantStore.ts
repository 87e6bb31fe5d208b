import type { TenantChange, TenantLogEntry, TenantStore } from '../../shared/tenants/tenantPorts.js';
import type { TenantRow } from '../../shared/tenants/tenantRegister.js';

/** The register of tenants in memory, for tests. */
export class MemoryTenantStore implements TenantStore {
  readonly mostChanges = 49;
  readonly #rows = new Map<string, TenantRow>();
  readonly #log: TenantChange[] = [];
  #revision = 0;

  list(): Promise<readonly TenantRow[]> {
    return Promise.resolve([...this.#rows.values()]);
  }

  mark(): Promise<string | undefined> {
    return Promise.resolve(this.#mark());
  }

  change(mark: string | undefined, changes: readonly TenantChange[]): Promise<boolean> {
    if (mark !== this.#mark()) return Promise.resolve(false);
    this.#revision += 1;
    for (const change of changes) {
      if (change.after === undefined) this.#rows.delete(change.tid);
      else this.#rows.set(change.tid, change.after);
      this.#log.push(change);
    }
    return Promise.resolve(true);
  }

  #mark(): string | undefined {
    return this.#revision === 0 ? undefined : String(this.#revision);
  }

  log(tid: string): Promise<readonly TenantLogEntry[]> {
    const entries = this.#log.filter((change) => change.tid === tid);
    return Promise.resolve(
      entries.map(({ at, by, action, before, after }) => ({
        at,
        by,
        action,
        ...(before === undefined ? {} : { before: textOf(before) }),
        ...(after === undefined ? {} : { after: textOf(after) }),
      })),
    );
  }
}

const textOf = ({ settings, disabledAt }: TenantRow): string =>
  disabledAt === undefined ? settings : `${settings} disabled since ${new Date(disabledAt).toISOString()}`;
