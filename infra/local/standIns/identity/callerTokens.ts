import { randomUUID } from 'node:crypto';
import { deterministicId } from '../../../../shared/ids.js';
import { DEFAULT_TENANT, tenantId } from '../tenants.js';
import { type Claims, signJwt } from './jwt.js';
import type { SigningKey } from './signingKeys.js';

/** What the service must find in `aud`. */
export const CALLER_AUDIENCE = 'api://partner-field-service';

/**
 * What the service must find in `iss`, `{tid}` standing for the tenant. A name that resolves nowhere (RFC 2606): it
 * holds no port, so a token outlives the port of the service it was made for.
 */
export const ISSUER_PATTERN = 'https://identity.local.invalid/{tid}/';

export interface CallerTokenRequest {
  /** Name or UUID; `demo` when left out. */
  readonly tenant?: string;
  /** 3,600 when left out. */
  readonly expiresInSeconds?: number;
  /** Replace or, when undefined, remove claims: for tests of refusals. */
  readonly claims?: Claims;
}

/** The token that a caller of the GDD and Smart Boundary operations sends. */
export function callerToken(key: SigningKey, now: Date, request: CallerTokenRequest = {}): string {
  const { tenant = DEFAULT_TENANT, expiresInSeconds = 3600, claims = {} } = request;
  const tid = tenantId(tenant);
  const seconds = Math.floor(now.getTime() / 1000);
  return signJwt(key, {
    aud: CALLER_AUDIENCE,
    iss: ISSUER_PATTERN.replace('{tid}', tid),
    iat: seconds,
    nbf: seconds,
    exp: seconds + expiresInSeconds,
    appid: deterministicId('application', 'local-caller'),
    sub: deterministicId('principal', tid),
    tid,
    uti: randomUUID(),
    ver: '1.0',
    ...claims,
  });
}
