/** What a token may do with farm data, by what it says of itself; the service checks it, the page only shows the way. */
export interface FarmRoles {
  readonly canRead: boolean;
  readonly canWrite: boolean;
}

/** The claims of a token; none when it is no JWT. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const [, payload = ''] = token.split('.');
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
      each.charCodeAt(0),
    );
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof claims === 'object' && claims !== null ? (claims as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {}; // A token of another kind: nothing is known of it.
  }
}

/** In the token of a person `scp` alone counts, in that of an application `roles`, as the service reads them. */
export function farmRolesOf(token: string | undefined): FarmRoles {
  const { scp, roles } = claimsOf(token ?? '');
  const carried: unknown = scp === undefined ? roles : typeof scp === 'string' ? scp.split(' ') : [];
  const has = (role: string): boolean => Array.isArray(carried) && carried.includes(role);
  const canWrite = has('Farm.ReadWrite');
  return { canWrite, canRead: canWrite || has('Farm.Read') };
}
