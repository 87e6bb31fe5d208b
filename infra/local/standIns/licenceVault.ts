import { readFileSync } from 'node:fs';
import type { Certificate } from '../certificates.js';
import type { Identity } from './identity.js';
import { SERVICE_TENANT } from './identity/managedIdentity.js';
import { type KeyVault, startKeyVault } from './keyVault.js';
import { DEFAULT_TENANT, tenantId } from './tenants.js';

/** The licence that the tenant `demo` has at the imagery provider; invented, like the provider. */
export const DEMO_LICENCE = { clientId: 'demo-imagery-client', clientSecret: 'canary-demo-imagery-secret' } as const;

const VAULT_RESOURCE = 'https://vault.azure.net';

export interface LicenceVaultOptions {
  readonly certificate: Pick<Certificate, 'certificateFile' | 'keyFile'>;
  readonly identity: Pick<Identity, 'isServiceToken'>;
  readonly port: number;
  /** Entra tenant that the vault belongs to; the service's when left out. */
  readonly tenant?: string;
  /** Where Entra is; in the public cloud when left out. */
  readonly authorityHost?: string;
}

const PUBLIC_CLOUD = 'https://login.microsoftonline.com';

/** PEM texts of the certificate that stand-ins with HTTPS show. */
export const tlsOf = ({ keyFile, certificateFile }: LicenceVaultOptions['certificate']) => ({
  key: readFileSync(keyFile, 'utf8'),
  cert: readFileSync(certificateFile, 'utf8'),
});

/** A key vault with the demo tenant's licence, for tokens that the service got for a vault in its Entra tenant. */
export function startLicenceVault(options: LicenceVaultOptions): Promise<KeyVault> {
  const { certificate, identity, port, tenant = SERVICE_TENANT, authorityHost = PUBLIC_CLOUD } = options;
  return startKeyVault({
    secrets: { 'imagery-client-id': DEMO_LICENCE.clientId, 'imagery-client-secret': DEMO_LICENCE.clientSecret },
    tls: tlsOf(certificate),
    authority: `${authorityHost}/${tenant}`,
    tokenIsValid: (token) => identity.isServiceToken(token, { tenant, resource: VAULT_RESOURCE }),
    port,
  });
}

/** The tenants with their key vaults; all but `demo` look for secrets there that don't exist. */
export function withVaults<T extends object>(
  tenants: Readonly<Record<string, T>>,
  keyVaultUrl: string,
): Readonly<Record<string, T & { readonly keyVaultUrl: string }>> {
  const names = { clientIdSecret: 'other-imagery-client-id', clientSecretSecret: 'other-imagery-client-secret' };
  return Object.fromEntries(
    Object.entries(tenants).map(([tid, tenant]) => [
      tid,
      { ...tenant, keyVaultUrl, ...(tid === tenantId(DEFAULT_TENANT) ? {} : names) },
    ]),
  );
}
