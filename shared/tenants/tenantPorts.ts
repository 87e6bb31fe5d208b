import type { Tenant } from './tenant.js';
import type { TenantRow } from './tenantRegister.js';

/** Reads the stored register of tenants; all that the service itself may do with it. */
export interface TenantRowReader {
  /** Every row. */
  list(): Promise<readonly TenantRow[]>;
}

/** The tenants that the service serves now. */
export interface Tenants {
  /**
   * The tenant with this claim `tid`; undefined when it isn't registered, or is disabled.
   *
   * @throws ServiceError 503 when its registration can't be used, or when nothing recent is known of the register
   */
  find(tid: string): Promise<Tenant | undefined>;
  /** Whether nobody is registered. @throws ServiceError 503 */
  isEmpty(): Promise<boolean>;
}

/** One change of one row; the row before or after is absent when there was or is none. */
export interface TenantChange {
  readonly tid: string;
  readonly action: string;
  /** Who asked for it. */
  readonly by: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly before: TenantRow | undefined;
  readonly after: TenantRow | undefined;
}

/** What the log keeps of a change; the rows are texts for people. */
export interface TenantLogEntry extends Pick<TenantChange, 'action' | 'by' | 'at'> {
  readonly before?: string;
  readonly after?: string;
}

/** The stored register as operators change it. */
export interface TenantStore extends TenantRowReader {
  /** Most changes that are made at once. */
  readonly mostChanges: number;
  /** Mark of the present register, to be taken before `list`; undefined for one that never had a tenant. */
  mark(): Promise<string | undefined>;
  /**
   * Makes all changes and their log entries, or none.
   *
   * @returns false when the register has changed since the mark was taken
   */
  change(mark: string | undefined, changes: readonly TenantChange[]): Promise<boolean>;
  /** The changes of one tenant, oldest first. */
  log(tid: string): Promise<readonly TenantLogEntry[]>;
}
