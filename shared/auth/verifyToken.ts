import jwt from 'jsonwebtoken';
import type { KeyObject } from 'node:crypto';
import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';
import type { Clock } from '../clock.js';
import { rolesOf, type Role } from './roles.js';

export interface SigningKey {
  readonly publicKey: KeyObject;
  /** Whose tokens it signs, `{tenantid}` standing for the tenant of the token; absent where the document names nobody. */
  readonly issuer?: string;
}

/** The signing keys of the issuers. */
export interface SigningKeys {
  /**
   * The key of this id, or undefined when there is none such.
   *
   * @throws ServiceError 503 when no key is known and the issuer can't be reached
   */
  find(kid: string): Promise<SigningKey | undefined>;
}

export interface TokenRules {
  /** `{tid}` stands for the tenant of the token. */
  readonly issuers: readonly string[];
  readonly audience: string;
  /** True for the tenants that may call. */
  readonly isTenant: (tid: string) => boolean;
}

/** Who a token speaks for, and what it may do. */
export interface TokenCaller {
  readonly tenant: string;
  readonly roles: readonly Role[];
}

const MAX_TOKEN_BYTES = 8192;
/** Clocks of issuer and service may differ by this much. */
const TOLERANCE_SECONDS = 60;
const KEY_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Why a token was refused: for the log only, the caller gets one message for every reason. */
export class TokenRefusal extends ServiceError {
  readonly reason: string;

  constructor(reason: string, options: ErrorOptions = {}) {
    super(
      commonFaults.unauthorized,
      'The bearer token is missing or not valid for this service. Send `Authorization: Bearer <token>` with an unexpired token of a registered tenant.',
      { ...options, headers: { 'WWW-Authenticate': 'Bearer' } },
    );
    this.reason = reason;
  }
}

/**
 * The tenant that an `Authorization` header speaks for, and the roles it carries.
 *
 * `jsonwebtoken` checks signature, times, issuer and audience; the checks around it close what it leaves open:
 * tokens without `exp`, infinite times, `crit`, foreign key hints, a list of audiences (RFC 8725).
 *
 * @throws TokenRefusal for every fault of the token; ServiceError 503 when the issuer's keys can't be had
 */
export const verifyToken =
  ({ signingKeys, clock }: { readonly signingKeys: SigningKeys; readonly clock: Clock }, rules: TokenRules) =>
  async (authorization: string | null): Promise<TokenCaller> => {
    const token = bearerOf(authorization);
    const kid = keyIdOf(token);
    const key = await signingKeys.find(kid);
    if (key === undefined) throw new TokenRefusal('unknown key id');
    const nowSeconds = Math.floor(clock.now().getTime() / 1000);
    const claims = claimsOf(token, key.publicKey, rules, nowSeconds);
    return { tenant: tenantOf(claims, key, { rules, nowSeconds }), roles: rolesOf(claims) };
  };

function bearerOf(authorization: string | null): string {
  const match = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(authorization ?? '');
  const token = match?.[1];
  if (token === undefined) throw new TokenRefusal(authorization === null ? 'no header' : 'not one bearer token');
  if (token.length > MAX_TOKEN_BYTES) throw new TokenRefusal('too long');
  return token;
}

/** Only the header's `alg` and `kid` count; `jku`, `jwk`, `x5u` and `x5c` are never looked at. */
function keyIdOf(token: string): string {
  const header = jsonObjectOf(token.slice(0, token.indexOf('.')));
  if (header['alg'] !== 'RS256') throw new TokenRefusal('algorithm');
  if ('crit' in header || 'b64' in header) throw new TokenRefusal('critical header');
  const kid = header['kid'];
  if (typeof kid !== 'string' || !KEY_ID.test(kid)) throw new TokenRefusal('key id');
  return kid;
}

function jsonObjectOf(base64url: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return { ...parsed };
  } catch (error) {
    throw new TokenRefusal('not JSON', { cause: error });
  }
  throw new TokenRefusal('not an object');
}

function claimsOf(token: string, key: KeyObject, rules: TokenRules, nowSeconds: number): Record<string, unknown> {
  const payload = jsonObjectOf(token.split('.')[1] ?? '');
  try {
    jwt.verify(token, key, {
      algorithms: ['RS256'],
      audience: rules.audience,
      clockTimestamp: nowSeconds,
      clockTolerance: TOLERANCE_SECONDS,
    });
  } catch (error) {
    throw new TokenRefusal(error instanceof Error ? error.message : 'not verified', { cause: error });
  }
  return payload;
}

function tenantOf(
  claims: Record<string, unknown>,
  key: SigningKey,
  { rules, nowSeconds }: { readonly rules: TokenRules; readonly nowSeconds: number },
): string {
  const { exp, iat, nbf, aud, iss, tid } = claims;
  for (const [name, instant] of Object.entries({ exp, iat, nbf })) {
    if (!Number.isSafeInteger(instant)) throw new TokenRefusal(`${name} is not a whole number`);
  }
  if ((iat as number) > nowSeconds + TOLERANCE_SECONDS) throw new TokenRefusal('issued in the future');
  if (aud !== rules.audience) throw new TokenRefusal('audience is not one string');
  if (typeof tid !== 'string' || !rules.isTenant(tid)) throw new TokenRefusal('tenant');
  if (typeof iss !== 'string' || !rules.issuers.some((issuer) => issuer.replaceAll('{tid}', () => tid) === iss)) {
    throw new TokenRefusal('issuer');
  }
  if (!maySign(key, iss, tid)) throw new TokenRefusal('key of another issuer');
  return tid;
}

/**
 * Whether a key counts for the tokens of an issuer. Entra publishes the keys of work tenants and those of personal
 * accounts in one document; each says whose tokens it signs, and for others' it proves nothing. A key that names
 * nobody counts for every issuer that is configured.
 *
 * Keys name the issuer of version 2 even where they sign tokens of version 1, whose issuer is `sts.windows.net`.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-the-issuer
 */
function maySign({ issuer }: SigningKey, iss: string, tid: string): boolean {
  if (issuer === undefined) return true;
  const named = issuer.replaceAll('{tenantid}', () => tid);
  return named === iss || (iss === `https://sts.windows.net/${tid}/` && named.endsWith(`/${tid}/v2.0`));
}
