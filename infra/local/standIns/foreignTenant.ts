import { deterministicId } from '../../../shared/kit/ids.js';
import type { Certificate } from '../certificates.js';
import type { Ports } from '../ports.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';
import type { Identity } from './identity.js';
import type { KeyVault } from './keyVault.js';
import { startLicenceVault, tlsOf } from './licenceVault.js';
import { FOREIGN_TENANT, tenantId, UNCONSENTED_TENANT } from './tenants.js';

/** Client id of the multi-tenant application that is federated with the service's identity. */
export const LICENCE_APP = deterministicId('application', 'licence');

export interface ForeignTenantOptions {
  readonly certificate: Pick<Certificate, 'certificateFile' | 'keyFile'>;
  readonly identity: Pick<Identity, 'isServiceToken' | 'tenantReply'>;
  readonly ports: Pick<Ports, 'authority' | 'foreignVault' | 'unconsentedVault'>;
}

export interface ForeignTenant {
  /** Where Entra tenants give tokens to the application; AZURE_AUTHORITY_HOST of the service. */
  readonly authorityHost: string;
  readonly keyVault: Pick<KeyVault, 'url'>;
  /** Of the tenant that has not consented. */
  readonly otherVault: Pick<KeyVault, 'url'>;
  close(): Promise<void>;
}

/** Entra's token endpoints of all tenants, and vaults that take tokens of one foreign tenant alone. */
export async function startForeignTenant(options: ForeignTenantOptions): Promise<ForeignTenant> {
  const { certificate, identity, ports } = options;
  const tenant = tenantId(FOREIGN_TENANT);
  const application = { appId: LICENCE_APP, consented: new Set([tenant]) };
  const authority = await startServer({
    answer: (exchange) => identity.tenantReply(exchange, application),
    script: new FaultScript(),
    tls: tlsOf(certificate),
    port: ports.authority,
  });
  const authorityHost = authority.url;
  const vault = (of: string, port: number) =>
    startLicenceVault({ certificate, identity, port, tenant: of, authorityHost });
  const keyVault = await vault(tenant, ports.foreignVault);
  const otherVault = await vault(tenantId(UNCONSENTED_TENANT), ports.unconsentedVault);
  const close = async (): Promise<void> => {
    await Promise.all([keyVault, otherVault, authority].map((part) => part.close()));
  };
  return { authorityHost, keyVault, otherVault, close };
}

/** Both tenants as TENANTS names them. */
export function foreignTenants({
  keyVault,
  otherVault,
}: Pick<ForeignTenant, 'keyVault' | 'otherVault'>): Readonly<Record<string, object>> {
  const foreign = tenantId(FOREIGN_TENANT);
  const unconsented = tenantId(UNCONSENTED_TENANT);
  return {
    [foreign]: { keyVaultUrl: keyVault.url, azureTenantId: foreign },
    [unconsented]: { keyVaultUrl: otherVault.url, azureTenantId: unconsented },
  };
}
