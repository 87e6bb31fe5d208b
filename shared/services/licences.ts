/** Builds what reads the tenants' licences: one vault client per tenant, made when it is first needed. */
import { ClientAssertionCredential, type TokenCredential } from '@azure/identity';
import { SecretClient, type SecretClientOptions } from '@azure/keyvault-secrets';
import type { Clock } from '../clock.js';
import { isLoopback, type Config, type TenantConfig } from '../config.js';
import type { LicenceStore } from '../licence/imageryLicence.js';
import { KeyVaultLicenceStore, type TenantVault } from '../licence/keyVaultLicenceStore.js';

/** What a token of our identity must be for, to be taken as an assertion by a foreign Entra tenant. */
const EXCHANGE_SCOPE = 'api://AzureADTokenExchange/.default';

export interface LicenceSurroundings {
  readonly credential: TokenCredential;
  readonly clock: Clock;
  /** Milliseconds that reading one licence may take. */
  readonly limitMs: number;
}

/** The licences of all tenants, read with the identity of the service. */
export function licencesOf(config: Config, { credential, clock, limitMs }: LicenceSurroundings): LicenceStore {
  const vaults = new Map<string, TenantVault | undefined>();
  const vaultOf = (tenant: string): TenantVault | undefined => {
    if (!vaults.has(tenant)) vaults.set(tenant, tenantVault(config.TENANTS.get(tenant), config, credential));
    return vaults.get(tenant);
  };
  return new KeyVaultLicenceStore({ vaultOf, clock, limitMs });
}

function tenantVault(
  tenant: TenantConfig | undefined,
  config: Config,
  credential: TokenCredential,
): TenantVault | undefined {
  const url = tenant?.keyVaultUrl;
  if (tenant === undefined || url === undefined) return undefined;
  const { clientIdSecret = 'imagery-client-id', clientSecretSecret = 'imagery-client-secret' } = tenant;
  const secrets = new SecretClient(url, vaultCredential(tenant, config, credential), {
    // A vault proves by its name that it may ask for such a token; the local stand-in has no such name.
    disableChallengeResourceVerification: isLoopback(url),
    retryOptions: { maxRetries: 2, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
    additionalPolicies: [onlyTo(url)],
  });
  return { url, clientIdSecret, clientSecretSecret, secrets };
}

/** Refuses every call but those to the vault: its answers name the address of their next page, and are followed blindly. */
function onlyTo(vaultUrl: string): NonNullable<SecretClientOptions['additionalPolicies']>[number] {
  const { origin } = new URL(vaultUrl);
  return {
    position: 'perCall',
    policy: {
      name: 'onlyToVault',
      sendRequest: (request, next) => {
        if (new URL(request.url).origin === origin) return next(request);
        return Promise.reject(new Error(`${vaultUrl} names a next page on another host.`));
      },
    },
  };
}

/**
 * A managed identity gets no token for a vault in a foreign Entra tenant; there an app that is federated with it does.
 *
 * @see https://learn.microsoft.com/entra/workload-id/workload-identity-federation-config-app-trust-managed-identity
 */
function vaultCredential(
  { azureTenantId }: TenantConfig,
  { LICENCE_APP_CLIENT_ID: appId }: Config,
  credential: TokenCredential,
): TokenCredential {
  if (azureTenantId === undefined) return credential;
  if (appId === undefined) throw new Error('LICENCE_APP_CLIENT_ID is missing, although the start asks for it.');
  return new ClientAssertionCredential(
    azureTenantId,
    appId,
    async () => (await credential.getToken(EXCHANGE_SCOPE))?.token ?? '',
  );
}
