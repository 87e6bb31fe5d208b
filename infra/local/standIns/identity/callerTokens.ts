import { randomUUID } from 'node:crypto';
import { deterministicId } from '../../../../shared/kit/ids.js';
import { DEFAULT_TENANT, tenantId } from '../tenants.js';
import { issuerOf } from './issuer.js';
import { type Claims, signJwt } from './jwt.js';
import type { SigningKey } from './signingKeys.js';

/** What the service must find in `aud`: the client id of its app registration, as in every token of version 2. */
export const CALLER_AUDIENCE = '6f0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d';

/** What a token may do unless told otherwise: everything. */
export const DEFAULT_ROLES = ['Jobs.ReadWrite', 'Farm.ReadWrite'];

export interface CallerTokenRequest {
  /** Name or UUID; `demo` when left out. */
  readonly tenant?: string;
  /** 3,600 when left out. */
  readonly expiresInSeconds?: number;
  /** What the application may do; all when left out, no claim when empty. */
  readonly roles?: readonly string[];
  /** Replace or, when undefined, remove claims: for tests of refusals. */
  readonly claims?: Claims;
}

/** The token that a caller of the operations on jobs and farm data sends. */
export function callerToken(key: SigningKey, now: Date, request: CallerTokenRequest = {}): string {
  const { tenant = DEFAULT_TENANT, expiresInSeconds = 3600, roles = DEFAULT_ROLES, claims = {} } = request;
  const tid = tenantId(tenant);
  const seconds = Math.floor(now.getTime() / 1000);
  return signJwt(key, {
    aud: CALLER_AUDIENCE,
    iss: issuerOf(tid),
    iat: seconds,
    nbf: seconds,
    exp: seconds + expiresInSeconds,
    azp: deterministicId('application', 'local-caller'),
    ...(roles.length === 0 ? {} : { roles }),
    sub: deterministicId('principal', tid),
    tid,
    uti: randomUUID(),
    ver: '2.0',
    ...claims,
  });
}
