import { deterministicId, foldedId, isUuid } from '../../../shared/kit/ids.js';

/** The tenant that everything local uses unless told otherwise. */
export const DEFAULT_TENANT = 'demo';

/** A tenant without an imagery licence in its key vault. */
export const UNLICENSED_TENANT = 'unlicensed';

/** A tenant whose vault lies in its own Entra tenant, which has consented to the service's application. */
export const FOREIGN_TENANT = 'foreign';

/** The same, but its administrator has not consented. */
export const UNCONSENTED_TENANT = 'unconsented';

/** The tenant that the service itself lives in: its own identity is the canary's caller. */
export const SERVICE_TENANT_NAME = 'service';

/** The tenant of those who run the local service: it has no data, and its tokens open `/operate/v1` alone. */
export const OPERATOR_TENANT = 'operator';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * The `tid` of a tenant: a UUID stands for itself, a name maps to a fixed UUID (version 5 of the name).
 *
 * @throws RangeError when it is neither
 */
export function tenantId(nameOrUuid: string): string {
  if (isUuid(nameOrUuid)) return foldedId(nameOrUuid);
  if (!NAME.test(nameOrUuid)) {
    throw new RangeError(
      `"${nameOrUuid}" is no tenant: give a UUID or a name of up to 64 letters, digits, dots, hyphens and underscores.`,
    );
  }
  return deterministicId('tenant', nameOrUuid);
}
