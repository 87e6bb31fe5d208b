import jwt from 'jsonwebtoken';
import { hash, type KeyObject } from 'node:crypto';
import type { Clock } from '../../kit/clock.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { RecentMap } from '../../kit/recentMap.js';
import { rolesOf, type TenantRole } from './roles.js';

/** One public key of an issuer. */
export interface SigningKey {
  readonly publicKey: KeyObject;
  /** Issuer whose tokens the key signs, with `{tenantid}` for the tenant; absent where the key set names none. */
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

/** Which tokens are accepted. */
export interface TokenRules {
  /** `{tid}` stands for the tenant of the token. */
  readonly issuers: readonly string[];
  readonly audience: string;
  /** True for the tenants that may call. */
  readonly isTenant: (tid: string) => Promise<boolean>;
  /** The only version of tokens that is accepted, as the claim `ver` has it; any when absent. */
  readonly version?: '2.0';
}

/** The roles that a token carries, by its claims. */
type RolesOf<R> = (claims: Readonly<Record<string, unknown>>) => readonly R[];

/** The tenant of a token, who calls in it, and the token's roles. */
export interface TokenCaller<R = TenantRole> {
  readonly tenant: string;
  /** Of the person or application in the directory of the tenant. */
  readonly objectId: string;
  readonly roles: readonly R[];
  /** Set for the token of a person, which has scopes: see `rolesOf`. */
  readonly isDelegated?: true;
}

const MAX_TOKEN_BYTES = 8192;
/** Clocks of issuer and service may differ by this much. */
const TOLERANCE_SECONDS = 60;
const KEY_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** One message whatever is wrong with a token; `reason` is for the log. */
export class TokenRefusal extends ServiceError {
  readonly reason: string;

  constructor(reason: string, { whose = 'a registered tenant', ...options }: ErrorOptions & { whose?: string } = {}) {
    super(
      commonFaults.unauthorized,
      `The bearer token is missing or not valid for this service. Send \`Authorization: Bearer <token>\` with an unexpired token of ${whose}.`,
      // A caller without a token is told the scheme only (RFC 6750, section 3.1).
      { ...options, headers: { 'WWW-Authenticate': reason === NO_TOKEN ? 'Bearer' : 'Bearer error="invalid_token"' } },
    );
    this.reason = reason;
  }
}

const NO_TOKEN = 'no header';

const MAX_OBJECT_ID = 128;

/** Most tokens in memory; beyond, those unused for longest are forgotten and checked in full again. */
const MAX_REMEMBERED = 10_000;

/** An accepted token as it is remembered, without its text. */
interface AcceptedToken<R> extends TokenCaller<R> {
  readonly kid: string;
  /** The key that its signature was checked with. */
  readonly key: SigningKey;
  /** Seconds since 1970 UTC. */
  readonly exp: number;
}

/**
 * The tenant that an `Authorization` header speaks for, and the roles it carries.
 *
 * `jsonwebtoken` checks signature, times, issuer and audience; the checks around it close what it leaves open:
 * tokens without `exp`, infinite times, `crit`, foreign key hints, a list of audiences (RFC 8725).
 *
 * An accepted token is remembered by its SHA-256, and its signature and claims are not checked again. What may change is
 * checked each time: whether its key is still published, its end, the state of its tenant. Refusals are not remembered.
 *
 * @throws TokenRefusal for every fault of the token; ServiceError 503 when the issuer's keys can't be had
 */
export function verifyToken(ports: VerifyTokenPorts, rules: TokenRules): VerifyToken<TenantRole> {
  return verifyTokenWith(ports, rules, rolesOf);
}

export interface VerifyTokenPorts {
  readonly signingKeys: SigningKeys;
  readonly clock: Clock;
}

/** Who an `Authorization` header speaks for. */
export type VerifyToken<R> = (authorization: string | null) => Promise<TokenCaller<R>>;

/** The same for roles of another kind. */
export function verifyTokenWith<R>(
  { signingKeys, clock }: VerifyTokenPorts,
  rules: TokenRules,
  rolesIn: RolesOf<R>,
): VerifyToken<R> {
  const remembered = new RecentMap<AcceptedToken<R>>(MAX_REMEMBERED);
  return async (authorization) => {
    const token = bearerOf(authorization);
    const mark = hash('sha256', token, 'base64');
    const known = remembered.get(mark);
    const kid = known?.kid ?? keyIdOf(token);
    const key = await signingKeys.find(kid);
    if (key === undefined) throw new TokenRefusal('unknown key id');
    const nowSeconds = Math.floor(clock.now().getTime() / 1000);
    // With another key object under the same id the signature is checked again.
    const accepted = known?.key === key ? known : { kid, ...acceptedBy(key, token, { rules, nowSeconds, rolesIn }) };
    if (nowSeconds >= accepted.exp + TOLERANCE_SECONDS) throw new TokenRefusal('expired');
    if (!(await rules.isTenant(accepted.tenant))) throw new TokenRefusal('tenant');
    remembered.use(mark, accepted);
    const { tenant, objectId, roles, isDelegated } = accepted;
    return { tenant, objectId, roles, ...(isDelegated && { isDelegated }) };
  };
}

/** Any number of spaces follows the scheme, in whatever case it is written (RFC 9110, section 11.4). */
function bearerOf(authorization: string | null): string {
  const match = /^Bearer +([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(authorization ?? '');
  const token = match?.[1];
  if (token === undefined) throw new TokenRefusal(authorization === null ? NO_TOKEN : 'not one bearer token');
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

interface Judgement<R> {
  readonly rules: TokenRules;
  readonly nowSeconds: number;
  readonly rolesIn: RolesOf<R>;
}

/** The checked claims of a token whose signature is valid. */
function acceptedBy<R>(key: SigningKey, token: string, judgement: Judgement<R>): Omit<AcceptedToken<R>, 'kid'> {
  const { rules, nowSeconds, rolesIn } = judgement;
  const claims = claimsOf(token, key, judgement);
  if (rules.version !== undefined && claims['ver'] !== rules.version) throw new TokenRefusal('version');
  const exp = endOf(claims, nowSeconds);
  const tenant = tenantOf(claims, key, rules);
  const isOfPerson = claims['scp'] !== undefined;
  return {
    tenant,
    objectId: objectIdOf(claims),
    roles: rolesIn(claims),
    ...(isOfPerson && { isDelegated: true }),
    key,
    exp,
  };
}

/** Tokens of version 1 name an application by `appid`. One with none of these claims is known by its tenant alone. */
function objectIdOf({ oid, azp, appid, sub }: Record<string, unknown>): string {
  const id = [oid, azp, appid, sub].find((claim) => typeof claim === 'string');
  return typeof id === 'string' ? id.slice(0, MAX_OBJECT_ID) : 'unknown';
}

function claimsOf(
  token: string,
  { publicKey }: SigningKey,
  { rules, nowSeconds }: Pick<Judgement<unknown>, 'rules' | 'nowSeconds'>,
): Record<string, unknown> {
  const payload = jsonObjectOf(token.split('.')[1] ?? '');
  try {
    jwt.verify(token, publicKey, {
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

function endOf({ exp, iat, nbf }: Record<string, unknown>, nowSeconds: number): number {
  for (const [name, instant] of Object.entries({ exp, iat, nbf })) {
    if (!Number.isSafeInteger(instant)) throw new TokenRefusal(`${name} is not a whole number`);
  }
  if ((iat as number) > nowSeconds + TOLERANCE_SECONDS) throw new TokenRefusal('issued in the future');
  return exp as number;
}

function tenantOf({ aud, iss, tid }: Record<string, unknown>, key: SigningKey, rules: TokenRules): string {
  if (aud !== rules.audience) throw new TokenRefusal('audience is not one string');
  if (typeof tid !== 'string') throw new TokenRefusal('tenant');
  if (typeof iss !== 'string' || !rules.issuers.some((issuer) => issuer.replaceAll('{tid}', () => tid) === iss)) {
    throw new TokenRefusal('issuer');
  }
  if (!maySign(key, iss, tid)) throw new TokenRefusal('key of another issuer');
  return tid;
}

/**
 * Whether a key may sign the tokens of an issuer. Entra publishes the keys of work tenants and of personal accounts in
 * one document, and each key names its issuer. A key that names none counts for every configured issuer.
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
