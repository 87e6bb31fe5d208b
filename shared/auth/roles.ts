import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';

const ROLES = ['Jobs.Read', 'Jobs.ReadWrite'] as const;

/** What a token may do, as the app registration defines it; `Jobs.ReadWrite` includes `Jobs.Read`. */
export type Role = (typeof ROLES)[number];

/**
 * The roles of ours that a token carries. `scp` says what a person has let an application do in their name: where it
 * stands, it alone counts, however many roles the person has. A token of an application has `roles`.
 */
export function rolesOf({ scp, roles }: Readonly<Record<string, unknown>>): readonly Role[] {
  const carried: unknown = scp === undefined ? roles : typeof scp === 'string' ? scp.split(' ') : [];
  return Array.isArray(carried) ? ROLES.filter((role) => carried.includes(role)) : [];
}

/** The roles of which an operation wants one. @param least the weakest that will do */
export const rolesFor = (least: Role): readonly Role[] => ROLES.slice(ROLES.indexOf(least));

/** @throws ServiceError 403 that names the role, unless one that will do is carried */
export function requireRole(carried: readonly Role[], least: Role): void {
  const wanted = rolesFor(least);
  if (wanted.some((role) => carried.includes(role))) return;
  throw new ServiceError(
    commonFaults.forbidden,
    `The token carries no role ${wanted.join(' or ')}, which this operation needs. Ask the administrator of your tenant to assign it, then get a new token.`,
    { headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${least}"` } },
  );
}
