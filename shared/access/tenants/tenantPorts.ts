import type { Tenant } from './tenant.js';

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
