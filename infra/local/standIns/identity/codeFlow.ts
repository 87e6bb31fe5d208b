import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { deterministicId } from '../../../../shared/kit/ids.js';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { tenantId } from '../tenants.js';
import { callerToken, CALLER_AUDIENCE, DEFAULT_ROLES } from './callerTokens.js';
import { issuerOf } from './issuer.js';
import { signJwt } from './jwt.js';
import type { SigningKeys } from './signingKeys.js';

/** Client id of the app registration by which people sign in to the console: a single-page application. */
export const CONSOLE_APP = deterministicId('application', 'console');

/** What the application may be let do in somebody's name. */
const SCOPES = DEFAULT_ROLES;
const LIFETIME_SECONDS = 3600;
/** Entra's codes live about ten minutes. */
const CODE_LIFE_MS = 600_000;
/** Redirect addresses of the registration: the console on this machine, at whatever port. */
const REDIRECT = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?\/console\/$/;

const STEP = /^\/([^/]+)\/oauth2\/v2\.0\/(authorize|token)$/;

interface Granted {
  readonly redirectUri: string;
  readonly challenge: string;
  readonly nonce: string;
  readonly endsAt: number;
}

interface CodeFlowOptions {
  readonly keys: SigningKeys;
  readonly now: Date;
}

interface RedeemOptions extends CodeFlowOptions {
  /** Its name or UUID, as the address has it. */
  readonly tenant: string;
}

interface Fault {
  readonly error: string;
  readonly code: number;
  readonly text: string;
}

/**
 * Authorization code with PKCE, as Entra does it for a single-page application: whoever comes to `authorize` is signed
 * in already, codes are good once, and the token endpoint lets the redirect address's origin read its answers.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export class CodeFlow {
  readonly #codes = new Map<string, Granted>();
  readonly #refreshTokens = new Set<string>();

  /** The answer to a step of this flow; undefined for what is none. */
  reply(exchange: Exchange, options: CodeFlowOptions): Reply | undefined {
    const { method, url, body } = exchange;
    const [, tenant = '', step] = STEP.exec(url.pathname) ?? [];
    if (method === 'GET' && step === 'authorize') return this.#authorize(url.searchParams, options.now);
    if (method !== 'POST' || step !== 'token') return undefined;
    const form = new URLSearchParams(body.toString('utf8'));
    const isOurs = ['authorization_code', 'refresh_token'].includes(valueOf(form, 'grant_type'));
    return isOurs ? this.#redeem(exchange, form, { ...options, tenant }) : undefined;
  }

  /** Pages of the redirect addresses' origins may read the answer; no other page, and no program without an origin. */
  #redeem({ headers: { origin = '' } }: Exchange, form: URLSearchParams, options: RedeemOptions): Reply {
    if (!REDIRECT.test(`${origin}/console/`)) return refusal(CROSS_ORIGIN, options.now, {});
    const allowed = { 'access-control-allow-origin': origin, 'cache-control': 'no-store', vary: 'Origin' };
    const fault = this.#faultOf(form, options.now);
    if (fault !== undefined) return refusal(fault, options.now, allowed);
    return jsonReply(200, this.#tokens(form, options), allowed);
  }

  #authorize(asked: URLSearchParams, now: Date): Reply {
    const redirectUri = valueOf(asked, 'redirect_uri');
    // Without an address that is registered there is nobody to send an error to.
    if (asked.get('client_id') !== CONSOLE_APP) return page(UNKNOWN_APP);
    if (!REDIRECT.test(redirectUri)) return page(UNKNOWN_ADDRESS);
    const answer = new URLSearchParams({ state: valueOf(asked, 'state') });
    const fault = authorizeFault(asked);
    if (fault === undefined) answer.set('code', this.#newCode(asked, now));
    else {
      answer.set('error', fault.error);
      answer.set('error_description', descriptionOf(fault));
    }
    const mark = asked.get('response_mode') === 'query' ? '?' : '#';
    return { status: 302, headers: { location: `${redirectUri}${mark}${answer.toString()}` } };
  }

  #newCode(asked: URLSearchParams, now: Date): string {
    const code = randomBytes(32).toString('base64url');
    this.#codes.set(code, {
      redirectUri: valueOf(asked, 'redirect_uri'),
      challenge: valueOf(asked, 'code_challenge'),
      nonce: valueOf(asked, 'nonce'),
      endsAt: now.getTime() + CODE_LIFE_MS,
    });
    return code;
  }

  #faultOf(form: URLSearchParams, now: Date): Fault | undefined {
    if (form.get('client_id') !== CONSOLE_APP) return UNKNOWN_APP;
    if (form.get('grant_type') === 'authorization_code') return this.#codeFault(form, now);
    return this.#refreshTokens.has(valueOf(form, 'refresh_token')) ? undefined : STALE_REFRESH;
  }

  #codeFault(form: URLSearchParams, now: Date): Fault | undefined {
    const granted = this.#codes.get(valueOf(form, 'code'));
    if (granted === undefined || granted.endsAt < now.getTime()) return USED_CODE;
    if (granted.redirectUri !== form.get('redirect_uri')) return OTHER_ADDRESS;
    const challenge = createHash('sha256').update(valueOf(form, 'code_verifier')).digest('base64url');
    return challenge === granted.challenge ? undefined : WRONG_VERIFIER;
  }

  /** A code is used up, a refresh token gives its place to a new one. */
  #tokens(form: URLSearchParams, { tenant, keys, now }: RedeemOptions): object {
    const code = valueOf(form, 'code');
    const nonce = this.#codes.get(code)?.nonce;
    this.#codes.delete(code);
    const refreshToken = randomBytes(32).toString('base64url');
    this.#refreshTokens.delete(valueOf(form, 'refresh_token'));
    this.#refreshTokens.add(refreshToken);
    const tid = tenantId(tenant);
    return {
      token_type: 'Bearer',
      scope: [...SCOPES, '.default'].map((scope) => `${CALLER_AUDIENCE}/${scope}`).join(' '),
      expires_in: LIFETIME_SECONDS,
      ext_expires_in: LIFETIME_SECONDS,
      access_token: personsToken(tid, keys, now),
      refresh_token: refreshToken,
      id_token: idToken({ tid, nonce }, keys, now),
      client_info: base64url({ uid: PERSON, utid: tid }),
    };
  }
}

const valueOf = (sent: URLSearchParams, name: string): string => sent.get(name) ?? '';

/** Who signs in here. */
const PERSON = deterministicId('person', 'farmer');

const CROSS_ORIGIN: Fault = {
  error: 'invalid_request',
  code: 9002326,
  text: "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type.",
};
const UNKNOWN_APP: Fault = {
  error: 'unauthorized_client',
  code: 700016,
  text: 'The application was not found in the directory.',
};
const UNKNOWN_ADDRESS: Fault = {
  error: 'invalid_request',
  code: 50011,
  text: 'The redirect URI does not match those of the application.',
};
const OTHER_ADDRESS: Fault = {
  error: 'invalid_client',
  code: 500112,
  text: 'The reply address does not match the one that was authorized.',
};
const USED_CODE: Fault = {
  error: 'invalid_grant',
  code: 54005,
  text: 'OAuth2 Authorization code was already redeemed, or has expired.',
};
const STALE_REFRESH: Fault = { error: 'invalid_grant', code: 700082, text: 'The refresh token has expired.' };
const WRONG_VERIFIER: Fault = {
  error: 'invalid_grant',
  code: 501481,
  text: 'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
};

const descriptionOf = ({ code, text }: Fault): string => `AADSTS${code}: ${text}`;

function authorizeFault(asked: URLSearchParams): Fault | undefined {
  if (asked.get('response_type') !== 'code') {
    return { error: 'unsupported_response_type', code: 700054, text: 'response_type must be code.' };
  }
  if (asked.get('code_challenge_method') !== 'S256' || asked.get('code_challenge') === null) {
    const text = 'Proof Key for Code Exchange is required for cross-origin authorization code redemption.';
    return { error: 'invalid_request', code: 9002325, text };
  }
  if (!valueOf(asked, 'scope').split(' ').includes(`${CALLER_AUDIENCE}/.default`)) {
    return { error: 'invalid_scope', code: 70011, text: 'The provided value for scope is not valid.' };
  }
  return undefined;
}

/** Entra shows such faults on a page of its own. */
const page = (fault: Fault): Reply => ({
  status: 400,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<title>Sign in</title><p>${descriptionOf(fault)}`,
});

/** @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow#error-response-1 */
function refusal(fault: Fault, now: Date, headers: Readonly<Record<string, string>>): Reply {
  const traceId = randomUUID();
  const body = {
    error: fault.error,
    error_description: `${descriptionOf(fault)} Trace ID: ${traceId}`,
    error_codes: [fault.code],
    timestamp: `${now.toISOString().slice(0, 19).replace('T', ' ')}Z`,
    trace_id: traceId,
    correlation_id: randomUUID(),
  };
  return jsonReply(400, body, headers);
}

/** What the person has let the application do stands in `scp`. */
const personsToken = (tid: string, keys: SigningKeys, now: Date): string =>
  callerToken(keys.current(), now, {
    tenant: tid,
    roles: [],
    claims: { azp: CONSOLE_APP, oid: PERSON, sub: PERSON, scp: SCOPES.join(' '), name: 'A Farmer' },
  });

function idToken(
  { tid, nonce }: { readonly tid: string; readonly nonce: string | undefined },
  keys: SigningKeys,
  now: Date,
): string {
  const seconds = Math.floor(now.getTime() / 1000);
  return signJwt(keys.current(), {
    aud: CONSOLE_APP,
    iss: issuerOf(tid),
    iat: seconds,
    nbf: seconds,
    exp: seconds + LIFETIME_SECONDS,
    oid: PERSON,
    sub: PERSON,
    tid,
    ver: '2.0',
    name: 'A Farmer',
    preferred_username: 'farmer@local.invalid',
    ...(nonce === undefined ? {} : { nonce }),
  });
}

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
