/** Builds the credentials that the service shows to what belongs to tenants. */
import {
  ClientAssertionCredential,
  type ClientAssertionCredentialOptions,
  type GetTokenOptions,
  type TokenCredential,
} from '@azure/identity';
import { ForeignTenantRefusal, refusalIn, type ForeignApp } from '../tenants/foreignTenant.js';

/** What a token of our identity must be for, to be taken as an assertion by a foreign Entra tenant. */
const EXCHANGE_SCOPE = 'api://AzureADTokenExchange/.default';

/** The credential for what lies in an Entra tenant; without one, in the service's own. */
export type CredentialOf = (azureTenantId: string | undefined) => TokenCredential;

/**
 * A managed identity gets no token for what lies in a foreign Entra tenant; there an app that is federated with it does.
 *
 * @param own the service's managed identity
 * @param appId client id of that app; only tenants that the register serves ask, so there is one when it is needed
 * @param entra how Entra is reached; as the library knows it when left out
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation-config-app-trust-managed-identity
 */
export function tenantCredentials(
  own: TokenCredential,
  appId: string | undefined,
  entra: ClientAssertionCredentialOptions = {},
): CredentialOf {
  const foreign = new Map<string, TokenCredential>();
  const assertion = async (): Promise<string> => (await own.getToken(EXCHANGE_SCOPE))?.token ?? '';
  return (azureTenantId) => {
    if (azureTenantId === undefined) return own;
    if (appId === undefined) throw new Error('LICENCE_APP_CLIENT_ID is missing.');
    const known = foreign.get(azureTenantId);
    if (known !== undefined) return known;
    const credential = new ClientAssertionCredential(azureTenantId, appId, assertion, entra);
    const explained = explaining(credential, { azureTenantId, appId });
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
