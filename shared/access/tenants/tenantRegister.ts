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
  /** Where callers reach this very service: no data manager of the wire is there for a tenant. */
  readonly publicUrl?: string | undefined;
}

/**
 * The registration in each row. A row that cannot be used affects its own tenant only.
 *
 * A data manager is called with one identity, so tenants that share one must each list their parties; disabled tenants
 * count too, since their data still exist.
 */
export function registerOf(rows: readonly TenantRow[], rules: RegisterRules): ReadonlyMap<string, Registration> {
  const sharers = new Set(unlistedSharers(rows));
  return new Map(rows.map((row) => [row.tid, registrationOf(row, rules, sharers)]));
}

/** Ids of the tenants that share a data manager and list no parties. */
export function unlistedSharers(rows: readonly TenantRow[]): readonly string[] {
  const readable = rows.flatMap((row) => {
    const tenant = tenantIn(row);
    return typeof tenant === 'string' ? [] : [{ tid: row.tid, ...tenant }];
  });
  const users = new Map<string, number>();
  for (const { dataManagerUrl } of readable) {
    if (dataManagerUrl !== undefined) users.set(dataManagerUrl, (users.get(dataManagerUrl) ?? 0) + 1);
  }
  return readable
    .filter(({ dataManagerUrl = '', partyIds }) => partyIds === undefined && (users.get(dataManagerUrl) ?? 0) > 1)
    .map(({ tid }) => tid);
}

function registrationOf(
  row: TenantRow,
  { hasForeignApp, publicUrl }: RegisterRules,
  sharers: ReadonlySet<string>,
): Registration {
  const tenant = tenantIn(row);
  if (typeof tenant === 'string') return { state: 'unusable', reason: tenant };
  if (tenant.azureTenantId !== undefined && !hasForeignApp) {
    return { state: 'unusable', reason: 'It has an azureTenantId, and LICENCE_APP_CLIENT_ID is not set.' };
  }
  if (
    tenant.dataManagerUrl !== undefined &&
    publicUrl !== undefined &&
    tenant.dataManagerUrl === new URL(publicUrl).origin
  ) {
    return { state: 'unusable', reason: 'Its dataManagerUrl is this service; a tenant without one is served by it.' };
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
