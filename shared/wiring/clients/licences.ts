/** Builds what reads the tenants' licences: one client for each vault, made when it is first needed. */
import type { TokenCredential } from '@azure/identity';
import { SecretClient, type SecretClientOptions } from '@azure/keyvault-secrets';
import type { Clock } from '../../kit/clock.js';
import type { LicenceStore } from '../../access/licence/imageryLicence.js';
import { KeyVaultLicenceStore, type TenantVault } from '../../access/licence/keyVaultLicenceStore.js';
import { isLoopback } from '../../kit/setting.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { servedTenant } from '../../access/tenants/servedTenant.js';
import type { Tenant } from '../../access/tenants/tenant.js';
import type { Tenants } from '../../access/tenants/tenantPorts.js';
import type { CredentialOf } from './tenantCredentials.js';

export interface LicenceSurroundings {
  readonly tenants: Tenants;
  readonly credentialOf: CredentialOf;
  readonly clock: Clock;
  /** Milliseconds that reading one licence may take. */
  readonly limitMs: number;
  readonly log: Log;
}

/** The licences of all tenants, each read where the register says now. */
export function licencesOf(surroundings: LicenceSurroundings): LicenceStore {
  const { tenants, credentialOf, clock, limitMs, log } = surroundings;
  const clients = new Map<string, SecretClient>();
  const served = servedTenant(tenants);
  const clientOf = (url: string, azureTenantId: string | undefined): SecretClient => {
    const key = `${url} ${azureTenantId ?? ''}`;
    const client = clients.get(key) ?? secretClient(url, credentialOf(azureTenantId));
    clients.set(key, client);
    return client;
  };
  const vaultOf = async (tid: string): Promise<TenantVault | 'none' | 'not needed'> => {
    const tenant = await served(tid);
    const { keyVaultUrl: url, azureTenantId, imagery } = tenant;
    if (imagery === 'public') {
      log('Licence:Waived', { tenant: tid, imagery });
      return 'not needed';
    }
    return url === undefined ? 'none' : { url, ...secretNames(tenant), secrets: clientOf(url, azureTenantId) };
  };
  return new KeyVaultLicenceStore({ vaultOf, clock, limitMs });
}

function secretNames({
  clientIdSecret = 'imagery-client-id',
  clientSecretSecret = 'imagery-client-secret',
}: Tenant): Pick<TenantVault, 'clientIdSecret' | 'clientSecretSecret'> {
  return { clientIdSecret, clientSecretSecret };
}

function secretClient(url: string, credential: TokenCredential): SecretClient {
  return new SecretClient(url, credential, {
    // A vault proves by its name that it may ask for such a token; the local stand-in has no such name.
    disableChallengeResourceVerification: isLoopback(url),
    retryOptions: { maxRetries: 2, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
    additionalPolicies: [onlyTo(url)],
  });
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
