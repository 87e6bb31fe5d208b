import { deterministicId } from '../../../../shared/ids.js';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import { tenantId } from '../tenants.js';
import { signJwt, verifiedClaims } from './jwt.js';
import type { SigningKeys } from './signingKeys.js';

/** Where the service asks for its own tokens. */
export const IDENTITY_PATH = '/msi/token';

/** What the service may ask a token for. */
const RESOURCES = ['https://storage.azure.com', 'https://vault.azure.net', 'https://farmbeats.azure.net'];
/** The tenant the service itself lives in, with its storage. */
export const SERVICE_TENANT = tenantId('service');
const CLIENT_ID = deterministicId('application', 'service');
const LIFETIME_SECONDS = 24 * 3600;

export interface ManagedIdentityOptions {
  readonly keys: SigningKeys;
  /** What X-IDENTITY-HEADER must hold. */
  readonly identityHeader: string;
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
    access_token: serviceToken(resource, expiresOn, options.keys),
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
  { keys, now }: Omit<ManagedIdentityOptions, 'identityHeader'>,
): boolean {
  const claims = verifiedClaims(token, keys.ofWorkTenants());
  if (claims?.['aud'] !== resource || claims['tid'] !== tenant || claims['iss'] !== issuerOf(tenant)) return false;
  return Number(claims['nbf']) * 1000 <= now.getTime() && now.getTime() < Number(claims['exp']) * 1000;
}

const issuerOf = (tenant: string): string => `https://sts.windows.net/${tenant}/`;

function serviceToken(resource: string, expiresOn: number, keys: SigningKeys): string {
  const issuedAt = expiresOn - LIFETIME_SECONDS;
  return signJwt(keys.current(), {
    aud: resource,
    iss: issuerOf(SERVICE_TENANT),
    iat: issuedAt,
    nbf: issuedAt,
    exp: expiresOn,
    appid: CLIENT_ID,
    oid: deterministicId('principal', 'service'),
    tid: SERVICE_TENANT,
    ver: '1.0',
  });
}

function refusal(status: number, message: string): Reply {
  return jsonReply(status, { statusCode: status, message });
}
