/** Builds the credentials that the service shows to what belongs to tenants. */
import {
  ClientAssertionCredential,
  type ClientAssertionCredentialOptions,
  type GetTokenOptions,
  type TokenCredential,
} from '@azure/identity';
import { isLoopback } from '../../kit/setting.js';
import { ForeignTenantRefusal, refusalIn, type ForeignApp } from '../../access/tenants/foreignTenant.js';

/**
 * What a token of our identity must be for, to be taken as an assertion by a foreign Entra tenant: by login host, where it
 * is not the usual one.
 *
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation-config-app-trust-managed-identity
 */
const EXCHANGE_AUDIENCES: Readonly<Record<string, string>> = {
  'login.microsoftonline.us': 'api://AzureADTokenExchangeUSGov',
  'login.partner.microsoftonline.cn': 'api://AzureADTokenExchangeChina',
  'login.chinacloudapi.cn': 'api://AzureADTokenExchangeChina',
};
const EXCHANGE_AUDIENCE = 'api://AzureADTokenExchange';

const exchangeScope = (authorityHost: string): string =>
  `${EXCHANGE_AUDIENCES[new URL(authorityHost).hostname] ?? EXCHANGE_AUDIENCE}/.default`;

/** The app that foreign Entra tenants give tokens to, and where they do. */
export interface FederatedApp {
  readonly authorityHost: string;
  /** Its client id; only tenants that the register serves ask, so there is one when it is needed. */
  readonly appId: string | undefined;
}

/** The credential for what lies in an Entra tenant; without one, in the service's own. */
export type CredentialOf = (azureTenantId: string | undefined) => TokenCredential;

/**
 * A managed identity gets no token for what lies in a foreign Entra tenant; there an app that is federated with it does.
 *
 * @param own the service's managed identity
 * @param client how calls to Entra are made; as the library does when left out
 */
export function tenantCredentials(
  own: TokenCredential,
  { authorityHost, appId }: FederatedApp,
  client: ClientAssertionCredentialOptions = {},
): CredentialOf {
  const foreign = new Map<string, TokenCredential>();
  const scope = exchangeScope(authorityHost);
  const assertion = async (): Promise<string> => (await own.getToken(scope))?.token ?? '';
  // Entra tells of each of its clouds that it is one; the local stand-in is none of them.
  const entra = { ...client, authorityHost, disableInstanceDiscovery: isLoopback(authorityHost) };
  return (azureTenantId) => {
    if (azureTenantId === undefined) return own;
    if (appId === undefined) throw new Error('LICENCE_APP_CLIENT_ID is missing.');
    const known = foreign.get(azureTenantId);
    if (known !== undefined) return known;
    const credential = new ClientAssertionCredential(azureTenantId, appId, assertion, entra);
    const explained = explaining(credential, { authorityHost, azureTenantId, appId });
    foreign.set(azureTenantId, explained);
    return explained;
  };
}

/** As the credential, but says whose turn it is when the tenant gives no token. */
function explaining(credential: TokenCredential, app: ForeignApp): TokenCredential {
  return {
    getToken: async (scopes: string | string[], options?: GetTokenOptions) => {
      const asked = options?.tenantId;
      if (asked !== undefined && asked !== app.azureTenantId) {
        throw new ForeignTenantRefusal(
          `What is registered as in the Entra tenant ${app.azureTenantId} is in another one; ask the operator of the service to correct azureTenantId.`,
        );
      }
      try {
        return await credential.getToken(scopes, options);
      } catch (error) {
        throw refusalIn(error, app) ?? error;
      }
    },
  };
}
