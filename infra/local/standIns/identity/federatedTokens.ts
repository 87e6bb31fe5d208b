import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { signJwt, verifiedClaims } from './jwt.js';
import { EXCHANGE_AUDIENCE, EXCHANGE_ISSUER, SERVICE_PRINCIPAL } from './managedIdentity.js';
import type { SigningKeys } from './signingKeys.js';

const LIFETIME_SECONDS = 3600;

/** A multi-tenant application that is federated with the service's identity. */
export interface FederatedApplication {
  /** Its client id. */
  readonly appId: string;
  /** Entra tenants that know the application. */
  readonly consented: ReadonlySet<string>;
}

export interface FederatedTokensOptions extends FederatedApplication {
  readonly keys: SigningKeys;
  readonly now: Date;
}

/**
 * The token endpoint of an Entra tenant, for an application that proves itself by a token of a managed identity. A tenant
 * that has not consented refuses as Entra does.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow#third-case-access-token-request-with-a-federated-credential
 */
export function federatedTokenReply({ method, url, body }: Exchange, options: FederatedTokensOptions): Reply {
  const [, tenant = '', rest = ''] = /^\/([0-9a-f-]{36})\/(.+)$/.exec(url.pathname) ?? [];
  if (rest === 'v2.0/.well-known/openid-configuration') {
    return jsonReply(200, configurationOf(url.origin, tenant), { 'access-control-allow-origin': '*' });
  }
  if (method !== 'POST' || rest !== 'oauth2/v2.0/token') return refusal(404, 'not_found', 90002, 'No such tenant.');
  return issued(tenant, new URLSearchParams(body.toString('utf8')), options);
}

function issued(tenant: string, form: URLSearchParams, options: FederatedTokensOptions): Reply {
  const valueOf = (name: string): string => form.get(name) ?? '';
  if (!isProven(valueOf('client_assertion'), options)) {
    return refusal(401, 'invalid_client', 700213, 'No matching federated identity record found.');
  }
  const clientId = valueOf('client_id');
  if (clientId !== options.appId || !options.consented.has(tenant)) {
    const text = `Application with identifier '${clientId}' was not found in the directory '${tenant}'.`;
    return refusal(400, 'unauthorized_client', 700016, text);
  }
  const token = tokenOf(tenant, valueOf('scope').replace(/\/\.default$/, ''), options);
  return jsonReply(200, { token_type: 'Bearer', expires_in: LIFETIME_SECONDS, access_token: token });
}

/** Issuer, subject and audience are what a federated credential is made of: each must be equal. */
function isProven(assertion: string, { keys, now }: FederatedTokensOptions): boolean {
  const claims = verifiedClaims(assertion, keys.ofWorkTenants());
  if (claims?.['iss'] !== EXCHANGE_ISSUER || claims['sub'] !== SERVICE_PRINCIPAL) return false;
  return claims['aud'] === EXCHANGE_AUDIENCE && Number(claims['exp']) * 1000 > now.getTime();
}

function tokenOf(tenant: string, resource: string, { keys, appId, now }: FederatedTokensOptions): string {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return signJwt(keys.current(), {
    aud: resource,
    iss: `https://sts.windows.net/${tenant}/`,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
    appid: appId,
    tid: tenant,
    ver: '1.0',
  });
}

function configurationOf(origin: string, tenant: string): Readonly<Record<string, unknown>> {
  return {
    issuer: `${origin}/${tenant}/v2.0`,
    authorization_endpoint: `${origin}/${tenant}/oauth2/v2.0/authorize`,
    token_endpoint: `${origin}/${tenant}/oauth2/v2.0/token`,
    jwks_uri: `${origin}/${tenant}/discovery/v2.0/keys`,
  };
}

function refusal(status: number, error: string, code: number, text: string): Reply {
  return jsonReply(status, { error, error_description: `AADSTS${code}: ${text}`, error_codes: [code] });
}
