import { TenantFault, tenantOf, type Tenant } from './tenant.js';

/** A tenant as it is stored: not yet known to be usable. */
export interface TenantRow {
  /** The claim `tid` of its tokens. */
  readonly tid: string;
  /** The tenant as JSON. */
  readonly settings: string;
  /** Milliseconds since 1970 UTC; from then on its tokens are refused. */
  readonly disabledAt?: number;
}

/** What a row means: a tenant that is served or disabled, or the reason why it can't be used. */
export type Registration =
  | { readonly state: 'enabled' | 'disabled'; readonly tenant: Tenant }
  | { readonly state: 'unusable'; readonly reason: string };

/** Rules for all rows. */
export interface RegisterRules {
  /** Whether there is an application that other Entra tenants can consent to. */
  readonly hasForeignApp: boolean;
}

/** The registration in each row. A row that cannot be used affects its own tenant only. */
export const registerOf = (rows: readonly TenantRow[], rules: RegisterRules): ReadonlyMap<string, Registration> =>
  new Map(rows.map((row) => [row.tid, registrationOf(row, rules)]));

function registrationOf({ settings, disabledAt }: TenantRow, { hasForeignApp }: RegisterRules): Registration {
  let tenant: Tenant;
  try {
    tenant = tenantOf(JSON.parse(settings));
  } catch (error) {
    return { state: 'unusable', reason: error instanceof TenantFault ? error.message : 'Its row is no JSON.' };
  }
  if (tenant.azureTenantId !== undefined && !hasForeignApp) {
    return { state: 'unusable', reason: 'It has an azureTenantId, and LICENCE_APP_CLIENT_ID is not set.' };
  }
  return { state: disabledAt === undefined ? 'enabled' : 'disabled', tenant };
}
