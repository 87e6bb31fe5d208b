import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { Tenant } from './tenant.js';
import type { Tenants } from './tenantPorts.js';

/** A tenant that is not served at present; the text is for the tenant. Requests get 503, jobs wait. */
export class TenantNotServed extends ServiceError {
  constructor(text: string, options?: ErrorOptions) {
    super(commonFaults.unavailable, text, options);
    this.name = 'TenantNotServed';
  }
}

/**
 * The tenant a job belongs to.
 *
 * @throws TenantNotServed when it is disabled, not registered or registered wrongly; ServiceError 503 when the register
 * can't be read
 */
export const servedTenant =
  (tenants: Pick<Tenants, 'find'>) =>
  async (tid: string): Promise<Tenant> => {
    const tenant = await tenants.find(tid).catch((cause: unknown) => {
      const isItsOwn = cause instanceof ServiceError && cause.fault === commonFaults.tenantMisconfigured;
      throw isItsOwn ? new TenantNotServed(cause.message, { cause }) : cause;
    });
    if (tenant !== undefined) return tenant;
    throw new TenantNotServed('Your tenant is disabled at this service, or no longer registered.');
  };
