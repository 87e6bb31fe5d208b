import type { SecretClient, SecretProperties } from '@azure/keyvault-secrets';
import type { Clock } from '../../kit/clock.js';
import { ForeignTenantRefusal } from '../tenants/foreignTenant.js';
import { storageStatus } from '../../storage/storageErrors.js';
import { LicenceError, type LicenceStore } from './imageryLicence.js';

/** A tenant's key vault and the names of the licence's secrets in it. */
export interface TenantVault {
  readonly url: string;
  readonly clientIdSecret: string;
  readonly clientSecretSecret: string;
  readonly secrets: Pick<SecretClient, 'getSecret' | 'listPropertiesOfSecretVersions'>;
}

interface KeyVaultLicenceOptions {
  /** `none` for a tenant without a vault, `not needed` where nobody asks for a licence. */
  readonly vaultOf: (tenant: string) => Promise<TenantVault | 'none' | 'not needed'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Milliseconds that reading one licence may take, all tries together. */
  readonly limitMs: number;
}

/**
 * Reads licences from the tenants' key vaults: the value of the client id, and the properties of the versions of the client
 * secret, whose value is never read.
 */
export class KeyVaultLicenceStore implements LicenceStore {
  readonly #options: KeyVaultLicenceOptions;

  constructor(options: KeyVaultLicenceOptions) {
    this.#options = options;
  }

  async require(tenant: string): Promise<void> {
    const vault = await this.#options.vaultOf(tenant);
    if (vault === 'not needed') return;
    if (vault === 'none') {
      const text = 'Your tenant has no key vault registered with this service; have its address added.';
      throw new LicenceError('missing', text);
    }
    const abortSignal = AbortSignal.timeout(this.#options.limitMs);
    await requireClientId(vault, abortSignal);
    await this.#requireVersion(vault, abortSignal);
  }

  /** A version of the client secret that is enabled and valid now. */
  async #requireVersion(vault: TenantVault, abortSignal: AbortSignal): Promise<void> {
    const name = vault.clientSecretSecret;
    const now = this.#options.clock.now();
    const isThere = await fromVault(vault, name, async () => {
      for await (const version of vault.secrets.listPropertiesOfSecretVersions(name, { abortSignal })) {
        if (isUsable(version, now)) return true;
      }
      return false;
    });
    if (isThere) return;
    throw new LicenceError('missing', `The secret ${name} of ${vault.url} is missing, disabled or expired.`);
  }
}

async function requireClientId(vault: TenantVault, abortSignal: AbortSignal): Promise<void> {
  const name = vault.clientIdSecret;
  const { value = '' } = await fromVault(vault, name, () => vault.secrets.getSecret(name, { abortSignal }));
  if (value.trim() !== '') return;
  throw new LicenceError('missing', `The secret ${name} of ${vault.url} is empty.`);
}

function isUsable({ enabled = true, notBefore, expiresOn }: SecretProperties, now: Date): boolean {
  return enabled && (notBefore === undefined || notBefore <= now) && (expiresOn === undefined || expiresOn > now);
}

/** Whether the vault names a reason, such as a role or a firewall; a refusal without one may pass. */
const isReasoned = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code !== '';

/** Runs a call to a vault. An error that the tenant can correct becomes `missing`, every other `unavailable`. */
async function fromVault<T>({ url }: TenantVault, name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof ForeignTenantRefusal) throw new LicenceError('missing', cause.message, { cause });
    const status = storageStatus(cause) ?? 0;
    if (status === 404) throw new LicenceError('missing', `${url} has no secret ${name}.`, { cause });
    if ((status === 401 || status === 403) && isReasoned(cause)) {
      const text = `${url} does not let this service read the secret ${name}, or the secret is disabled.`;
      throw new LicenceError('missing', text, { cause });
    }
    if (status === 400) throw new LicenceError('missing', `${url} takes ${name} for no name of a secret.`, { cause });
    throw new LicenceError('unavailable', `${url} cannot be reached right now.`, { cause });
  }
}
