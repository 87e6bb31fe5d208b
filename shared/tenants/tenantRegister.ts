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
  const sharers = new Set(unlistedSharers(rows));
  return new Map(rows.map((row) => [row.tid, registrationOf(row, rules, sharers)]));
}

/** Who shares a data manager with another tenant without saying which parties are its own. */
export function unlistedSharers(rows: readonly TenantRow[]): readonly string[] {
  const readable = rows.flatMap((row) => {
    const tenant = tenantIn(row);
    return typeof tenant === 'string' ? [] : [{ tid: row.tid, ...tenant }];
  });
  const users = new Map<string, number>();
  for (const { dataManagerUrl } of readable) users.set(dataManagerUrl, (users.get(dataManagerUrl) ?? 0) + 1);
  return readable
    .filter(({ dataManagerUrl, partyIds }) => partyIds === undefined && (users.get(dataManagerUrl) ?? 0) > 1)
    .map(({ tid }) => tid);
}

function registrationOf(row: TenantRow, { hasForeignApp }: RegisterRules, sharers: ReadonlySet<string>): Registration {
  const tenant = tenantIn(row);
  if (typeof tenant === 'string') return { state: 'unusable', reason: tenant };
  if (tenant.azureTenantId !== undefined && !hasForeignApp) {
    return { state: 'unusable', reason: 'It has an azureTenantId, and LICENCE_APP_CLIENT_ID is not set.' };
  }
  if (sharers.has(row.tid)) {
    return { state: 'unusable', reason: 'It shares its data manager with another tenant and lists no partyIds.' };
  }
  return { state: row.disabledAt === undefined ? 'enabled' : 'disabled', tenant };
}

/** The tenant of a row, or why there is none. */
function tenantIn({ settings }: TenantRow): Tenant | string {
  try {
    return tenantOf(JSON.parse(settings));
  } catch (error) {
    if (error instanceof TenantFault) return error.message;
    return 'Its row is no JSON.';
  }
}
