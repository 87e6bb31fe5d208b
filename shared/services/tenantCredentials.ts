/** Builds the credentials that the service shows to what belongs to tenants. */
import { ClientAssertionCredential, type TokenCredential } from '@azure/identity';

/** What a token of our identity must be for, to be taken as an assertion by a foreign Entra tenant. */
const EXCHANGE_SCOPE = 'api://AzureADTokenExchange/.default';

/** The credential for what lies in an Entra tenant; without one, in the service's own. */
export type CredentialOf = (azureTenantId: string | undefined) => TokenCredential;

/**
 * A managed identity gets no token for what lies in a foreign Entra tenant; there an app that is federated with it does.
 *
 * @param own the service's managed identity
 * @param appId client id of that app; only tenants that the register serves ask, so there is one when it is needed
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation-config-app-trust-managed-identity
 */
export function tenantCredentials(own: TokenCredential, appId: string | undefined): CredentialOf {
  const foreign = new Map<string, TokenCredential>();
  return (azureTenantId) => {
    if (azureTenantId === undefined) return own;
    if (appId === undefined) throw new Error('LICENCE_APP_CLIENT_ID is missing.');
    const known = foreign.get(azureTenantId);
    if (known !== undefined) return known;
    const assertion = async (): Promise<string> => (await own.getToken(EXCHANGE_SCOPE))?.token ?? '';
    const credential = new ClientAssertionCredential(azureTenantId, appId, assertion);
    foreign.set(azureTenantId, credential);
    return credential;
  };
}
