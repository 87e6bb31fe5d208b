import type { Rows } from '../../storage/rows.js';

/** A tenant that is not served for now, whatever the register says. */
export interface TenantHold {
  readonly tid: string;
  /** Milliseconds since 1970 UTC. */
  readonly since: number;
}

/**
 * Partition of table `limits`; rows by tenant. The service may write here and not to the register: it can hold a tenant and
 * release it, and it can't enable one that the register has disabled.
 */
const HOLDS = 'holds';
/** The same of releases: what was refused before counts no more. */
const RELEASES = 'releases';

/** The tenants that operators hold. */
export class TenantHoldStore {
  readonly #rows: Rows;

  /** @param rows of table `limits` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(tid: string): Promise<TenantHold | undefined> {
    const row = await this.#rows.find<{ readonly since: string }>(HOLDS, tid);
    return row && { tid, since: Date.parse(row.since) };
  }

  async list(): Promise<readonly TenantHold[]> {
    const rows = await this.#rows.range<{ readonly since: string }>(HOLDS, {});
    return rows.map(({ rowKey, since }) => ({ tid: rowKey, since: Date.parse(since) }));
  }

  /** Holds a tenant; one that is held stays so since then. @returns the hold as it is now */
  async hold(tid: string, now: number): Promise<TenantHold> {
    await this.#rows.insert(HOLDS, tid, { since: new Date(now).toISOString() });
    return (await this.find(tid)) ?? { tid, since: now };
  }

  async release(tid: string, now: number): Promise<void> {
    // First: whoever sees no hold any more must see the release.
    await this.#rows.put(RELEASES, tid, { at: new Date(now).toISOString() });
    await this.#rows.delete(HOLDS, tid);
  }

  /** When a tenant was released last, milliseconds since 1970 UTC; undefined when it never was. */
  async releasedAt(tid: string): Promise<number | undefined> {
    const row = await this.#rows.find<{ readonly at: string }>(RELEASES, tid);
    return row && Date.parse(row.at);
  }
}
