import { deterministicId } from '../../../../shared/kit/ids.js';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { SERVICE_TENANT_NAME, tenantId } from '../tenants.js';
import { CALLER_AUDIENCE, callerToken } from './callerTokens.js';
import { signJwt, verifiedClaims } from './jwt.js';
import type { SigningKeys } from './signingKeys.js';

/** Where the service asks for its own tokens. */
export const IDENTITY_PATH = '/msi/token';

/** For whom a token proves the service to an application that is federated with it. */
export const EXCHANGE_AUDIENCE = 'api://AzureADTokenExchange';
/** What the service may ask a token for: the last is its own app, which the canary calls as a client does. */
const RESOURCES = [
  'https://storage.azure.com',
  'https://vault.azure.net',
  'https://eventgrid.azure.net',
  EXCHANGE_AUDIENCE,
  CALLER_AUDIENCE,
];
/** The tenant the service itself lives in, with its storage. */
export const SERVICE_TENANT = tenantId(SERVICE_TENANT_NAME);
const CLIENT_ID = deterministicId('application', 'service');
/** Object id of the service's identity. */
export const SERVICE_PRINCIPAL = deterministicId('principal', 'service');
const LIFETIME_SECONDS = 24 * 3600;

export interface ManagedIdentityOptions {
  readonly keys: SigningKeys;
  /** What X-IDENTITY-HEADER must hold. */
  readonly identityHeader: string;
  /** Roles of the service's app that its own identity was assigned. */
  readonly roles: readonly string[];
  readonly now: Date;
}

/**
 * The managed identity endpoint of App Service, version 2019-08-01. Its tokens carry what Azurite asks for: an issuer
 * of sts.windows.net, `oid`, `tid`, `nbf`, `iat` and `exp`.
 *
 * @see https://learn.microsoft.com/azure/app-service/overview-managed-identity#rest-endpoint-reference
 */
export function managedIdentityReply({ url, headers }: Exchange, options: ManagedIdentityOptions): Reply {
  if (headers['x-identity-header'] !== options.identityHeader) {
    return refusal(401, 'X-IDENTITY-HEADER is missing or wrong.');
  }
  if (url.searchParams.get('api-version') !== '2019-08-01') return refusal(400, 'api-version must be 2019-08-01.');
  const resource = (url.searchParams.get('resource') ?? '').replace(/\/$/, '');
  if (!RESOURCES.includes(resource)) return refusal(400, `resource must be one of ${RESOURCES.join(', ')}.`);
  const expiresOn = Math.floor(options.now.getTime() / 1000) + LIFETIME_SECONDS;
  return jsonReply(200, {
    access_token: resource === CALLER_AUDIENCE ? ownAppToken(options) : serviceToken(resource, expiresOn, options.keys),
    expires_on: String(expiresOn),
    resource,
    token_type: 'Bearer',
    client_id: url.searchParams.get('client_id') ?? CLIENT_ID,
  });
}

/** What a token must have been made for. */
export interface AskedToken {
  readonly tenant: string;
  readonly resource: string;
}

/** True for a token that this stand-in gave the service for that resource in that tenant and that is good now. */
export function isServiceToken(
  token: string,
  { tenant, resource }: AskedToken,
  { keys, now }: Pick<ManagedIdentityOptions, 'keys' | 'now'>,
): boolean {
  const claims = verifiedClaims(token, keys.ofWorkTenants());
  if (claims?.['aud'] !== resource || claims['tid'] !== tenant || claims['iss'] !== issuerOf(tenant)) return false;
  return Number(claims['nbf']) * 1000 <= now.getTime() && now.getTime() < Number(claims['exp']) * 1000;
}

const issuerOf = (tenant: string): string => `https://sts.windows.net/${tenant}/`;

/** Of version 2, as the app asks for; Entra gives one to an identity without a role too, which then carries none. */
function ownAppToken({ keys, roles, now }: ManagedIdentityOptions): string {
  const claims = { azp: CLIENT_ID, oid: SERVICE_PRINCIPAL, sub: SERVICE_PRINCIPAL };
  return callerToken(keys.current(), now, {
    tenant: SERVICE_TENANT,
    expiresInSeconds: LIFETIME_SECONDS,
    roles,
    claims,
  });
}

/** Tokens that prove the service name their issuer in version 2: that is what a federated credential is set up with. */
export const EXCHANGE_ISSUER = `https://login.microsoftonline.com/${SERVICE_TENANT}/v2.0`;

function serviceToken(resource: string, expiresOn: number, keys: SigningKeys): string {
  const issuedAt = expiresOn - LIFETIME_SECONDS;
  return signJwt(keys.current(), {
    aud: resource,
    iss: resource === EXCHANGE_AUDIENCE ? EXCHANGE_ISSUER : issuerOf(SERVICE_TENANT),
    iat: issuedAt,
    nbf: issuedAt,
    exp: expiresOn,
    appid: CLIENT_ID,
    oid: SERVICE_PRINCIPAL,
    sub: SERVICE_PRINCIPAL,
    tid: SERVICE_TENANT,
    ver: '1.0',
  });
}

function refusal(status: number, message: string): Reply {
  return jsonReply(status, { statusCode: status, message });
}
