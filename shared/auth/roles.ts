import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';

const ROLES = ['Jobs.Read', 'Jobs.ReadWrite', 'Farm.Read', 'Farm.ReadWrite'] as const;

/** What a token may do, as the app registration defines it; `ReadWrite` includes the `Read` of the same data. */
export type Role = (typeof ROLES)[number];

/**
 * The roles of this service that a token carries. In the token of a person `scp` alone counts: what the person let the
 * application do in their name. The token of an application has `roles`.
 */
export function rolesOf({ scp, roles }: Readonly<Record<string, unknown>>): readonly Role[] {
  const carried: unknown = scp === undefined ? roles : typeof scp === 'string' ? scp.split(' ') : [];
  return Array.isArray(carried) ? ROLES.filter((role) => carried.includes(role)) : [];
}

/** The roles that allow an operation. @param least the weakest of them */
export const rolesFor = (least: Role): readonly Role[] => ROLES.filter((role) => role.startsWith(least));

/** @throws ServiceError 403 that names the roles when the token carries none of them */
export function requireRole(carried: readonly Role[], least: Role): void {
  const wanted = rolesFor(least);
  if (wanted.some((role) => carried.includes(role))) return;
  throw new ServiceError(
    commonFaults.forbidden,
    `The token carries no role ${wanted.join(' or ')}, which this operation needs. Ask the administrator of your tenant to assign it, then get a new token.`,
    { headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${least}"` } },
  );
}
