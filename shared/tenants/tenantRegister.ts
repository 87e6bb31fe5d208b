import { tenantOf, type Tenant } from './tenant.js';

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

/** What the rows as a whole are judged by. */
export interface RegisterRules {
  /** Whether there is an application that other Entra tenants can consent to. */
  readonly hasForeignApp: boolean;
}

/**
 * What each row means. A row that can't be used is no other tenant's fault: only its own tenant isn't served.
 *
 * A data manager is called with one identity, so tenants that share one must each say which parties are theirs;
 * disabled ones count, for their data are still there.
 */
export function registerOf(rows: readonly TenantRow[], rules: RegisterRules): ReadonlyMap<string, Registration> {
  const register = new Map(rows.map((row) => [row.tid, registrationOf(row, rules)]));
  const sharing = unlistedSharers(tenantsIn(register));
  for (const tid of sharing) {
    register.set(tid, {
      state: 'unusable',
      reason: 'it shares its data manager with another tenant and lists no partyIds',
    });
  }
  return register;
}

/** The tenants of a register that could be read. */
export function tenantsIn(register: ReadonlyMap<string, Registration>): ReadonlyMap<string, Tenant> {
  return new Map([...register].flatMap(([tid, found]) => (found.state === 'unusable' ? [] : [[tid, found.tenant]])));
}

/** Who shares a data manager with another tenant without saying which parties are its own. */
export function unlistedSharers(tenants: ReadonlyMap<string, Tenant>): readonly string[] {
  const users = new Map<string, number>();
  for (const { dataManagerUrl } of tenants.values()) users.set(dataManagerUrl, (users.get(dataManagerUrl) ?? 0) + 1);
  return [...tenants]
    .filter(([, { dataManagerUrl, partyIds }]) => partyIds === undefined && (users.get(dataManagerUrl) ?? 0) > 1)
    .map(([tid]) => tid);
}

function registrationOf({ settings, disabledAt }: TenantRow, { hasForeignApp }: RegisterRules): Registration {
  try {
    const tenant = tenantOf(JSON.parse(settings));
    if (tenant.azureTenantId !== undefined && !hasForeignApp) {
      return { state: 'unusable', reason: 'it names an azureTenantId, and LICENCE_APP_CLIENT_ID is not set' };
    }
    return { state: disabledAt === undefined ? 'enabled' : 'disabled', tenant };
  } catch (error) {
    return { state: 'unusable', reason: error instanceof SyntaxError ? 'its row is no JSON' : textOf(error) };
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
