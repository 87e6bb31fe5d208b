import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../../../shared/kit/clock.js';
import { type Exchange, jsonReply, type Reply } from './http/exchange.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';
import { CALLER_AUDIENCE, callerToken, type CallerTokenRequest } from './identity/callerTokens.js';
import { CodeFlow } from './identity/codeFlow.js';
import { type FederatedApplication, federatedTokenReply } from './identity/federatedTokens.js';
import { issuerOf } from './identity/issuer.js';
import { type AskedToken, IDENTITY_PATH, isServiceToken, managedIdentityReply } from './identity/managedIdentity.js';
import { SigningKeys } from './identity/signingKeys.js';

export interface IdentityOptions {
  /** Holds the signing keys; `npm run token` reads them from `<LOCAL_DIR>/identity`. */
  readonly directory: string;
  readonly port?: number;
  readonly clock?: Pick<Clock, 'now'>;
  /** Roles that the service's own identity was assigned; `Jobs.ReadWrite` when left out. */
  readonly serviceRoles?: readonly string[];
}

export interface Identity {
  readonly url: string;
  /** What the service must find in `aud` and `iss` (`{tid}` stands for the tenant), and where it finds the keys. */
  readonly audience: string;
  readonly issuerPattern: string;
  readonly jwksUri: string;
  /** Values of IDENTITY_ENDPOINT and IDENTITY_HEADER of the service. */
  readonly identityEndpoint: string;
  readonly identityHeader: string;
  readonly script: FaultScript;
  issueToken(request?: CallerTokenRequest): string;
  /** True for a token the service got here for that resource in that tenant. */
  isServiceToken(token: string, asked: AskedToken): boolean;
  /** What Entra tenants answer: people who sign in to the console, and an application that proves itself by a token of the service. */
  tenantReply(exchange: Exchange, application: FederatedApplication): Reply;
  /** Signs with a new key from now on and says its id; `forget` takes back every token so far. */
  rotate(options?: { readonly forget?: boolean }): string;
  close(): Promise<void>;
}

/**
 * Stands in for the identity platform: OpenID configuration and keys under `/{tenant}/`, key rotation at
 * `POST /admin/rotate` (`?forget=true` takes the earlier keys back), documents that lack the key that signs after
 * `POST /admin/lose?documents=1`, and the managed identity endpoint of App Service.
 * The keys of `common` are the mixture that Entra publishes there: those of work tenants and of personal accounts.
 */
export async function startIdentity(options: IdentityOptions): Promise<Identity> {
  const { directory, port, clock = systemClock, serviceRoles: roles = ['Jobs.ReadWrite'] } = options;
  const keys = new SigningKeys(directory);
  const identityHeader = randomBytes(16).toString('hex');
  const script = new FaultScript();
  const codeFlow = new CodeFlow();
  const answer = (exchange: Exchange): Reply => {
    if (exchange.url.pathname === IDENTITY_PATH) {
      return managedIdentityReply(exchange, { keys, identityHeader, roles, now: clock.now() });
    }
    return platformReply(exchange, keys);
  };
  const server = await startServer({ answer, script, port });
  return {
    ...server,
    audience: CALLER_AUDIENCE,
    issuerPattern: issuerOf('{tid}'),
    jwksUri: `${server.url}/common/discovery/v2.0/keys`,
    identityEndpoint: server.url + IDENTITY_PATH,
    identityHeader,
    script,
    issueToken: (request) => callerToken(keys.current(), clock.now(), request),
    isServiceToken: (token, asked) => isServiceToken(token, asked, { keys, now: clock.now() }),
    tenantReply: (exchange, application) => {
      const now = clock.now();
      return codeFlow.reply(exchange, { keys, now }) ?? federatedTokenReply(exchange, { ...application, keys, now });
    },
    rotate: ({ forget = false } = {}) => keys.rotate(forget).kid,
  };
}

function platformReply(exchange: Exchange, keys: SigningKeys): Reply {
  return adminReply(exchange, keys) ?? documentReply(exchange, keys);
}

function adminReply({ method, url: { pathname, searchParams } }: Exchange, keys: SigningKeys): Reply | undefined {
  if (method !== 'POST') return undefined;
  if (pathname === '/admin/rotate')
    return jsonReply(200, { kid: keys.rotate(searchParams.get('forget') === 'true').kid });
  if (pathname !== '/admin/lose') return undefined;
  keys.lose(Number(searchParams.get('documents') ?? 1));
  return { status: 204 };
}

function documentReply({ url }: Exchange, keys: SigningKeys): Reply {
  const [, tenant = '', document = ''] = /^\/([^/]+)\/(.+)$/.exec(url.pathname) ?? [];
  if (document === 'discovery/v2.0/keys') return jsonReply(200, { keys: keys.published(tenant) });
  if (document === 'v2.0/.well-known/openid-configuration')
    return jsonReply(200, openIdConfiguration(url.origin, tenant));
  return jsonReply(404, { error: 'not_found', error_description: `The identity stand-in has no ${url.pathname}.` });
}

/** @see OpenID Connect Discovery 1.0, section 3 */
function openIdConfiguration(origin: string, tenant: string): Readonly<Record<string, unknown>> {
  return {
    issuer: issuerOf(tenant === 'common' || tenant === 'organizations' ? '{tenantid}' : tenant),
    jwks_uri: `${origin}/${tenant}/discovery/v2.0/keys`,
    token_endpoint: `${origin}/${tenant}/oauth2/v2.0/token`,
    response_types_supported: ['token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}
