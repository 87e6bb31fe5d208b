import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';

const ROLES = ['Jobs.Read', 'Jobs.ReadWrite', 'Farm.Read', 'Farm.ReadWrite'] as const;
const OPERATOR_ROLES = ['Release', 'Operate'] as const;

/** What the token of a tenant may do, as the app registration defines it; `ReadWrite` includes the `Read` of the same data. */
export type TenantRole = (typeof ROLES)[number];
/** What a token of the service's own tenant may do: `Release` is for pipelines, `Operate` includes it. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export type Role = TenantRole | OperatorRole;

/**
 * The roles of this service that a token carries. In the token of a person `scp` alone counts: what the person let the
 * application do in their name. The token of an application has `roles`.
 */
export function rolesOf({ scp, roles }: Readonly<Record<string, unknown>>): readonly TenantRole[] {
  const carried: unknown = scp === undefined ? roles : typeof scp === 'string' ? scp.split(' ') : [];
  return Array.isArray(carried) ? ROLES.filter((role) => carried.includes(role)) : [];
}

/** The scope for which a person gets a token to operate the service with. */
const OPERATOR_SCOPE = 'Operate';

/**
 * The roles with which a token operates the service. They stand in `roles` for people too, who are assigned to them; what
 * a person let the application do is not enough, and without it nothing is. `Release` is for applications alone.
 */
export function operatorRolesOf({ scp, roles }: Readonly<Record<string, unknown>>): readonly OperatorRole[] {
  const carried = Array.isArray(roles) ? OPERATOR_ROLES.filter((role) => roles.includes(role)) : [];
  if (scp === undefined) return carried;
  const isMeant = typeof scp === 'string' && scp.split(' ').includes(OPERATOR_SCOPE);
  return isMeant ? carried.filter((role) => role === 'Operate') : [];
}

/** The roles that allow an operation. @param least the weakest of them */
export function rolesFor(least: Role): readonly Role[] {
  if (least === 'Release') return OPERATOR_ROLES;
  return [...ROLES, ...OPERATOR_ROLES].filter((role) => role.startsWith(least));
}

/** What a token may do, and whether it is that of a person, which has scopes. */
interface Rights {
  readonly roles: readonly Role[];
  readonly isDelegated?: boolean;
}

/** @throws ServiceError 403 that names the roles or scopes when the token carries none of them */
export function requireRole({ roles, isDelegated = false }: Rights, least: Role): void {
  const wanted = rolesFor(least);
  if (wanted.some((role) => roles.includes(role))) return;
  const isOfOperators = least === 'Release' || least === 'Operate';
  const scope = isDelegated && isOfOperators ? OPERATOR_SCOPE : least;
  const needed =
    isDelegated && isOfOperators
      ? `The token of a person needs both the role Operate and the scope ${OPERATOR_SCOPE} for this operation`
      : `The token carries no ${isDelegated ? 'scope' : 'role'} ${wanted.join(' or ')}, which this operation needs`;
  throw new ServiceError(
    commonFaults.forbidden,
    `${needed}. Ask the administrator of your tenant to ${isDelegated ? 'grant' : 'assign'} it, then get a new token.`,
    { headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` } },
  );
}
