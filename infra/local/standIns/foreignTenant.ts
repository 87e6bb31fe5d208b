import { deterministicId } from '../../../shared/kit/ids.js';
import type { Certificate } from '../certificates.js';
import type { Ports } from '../ports.js';
import { type DataManagerOptions, type DataManagerStandIn, startDataManager } from './dataManager.js';
import { SEED } from './dataManager/seed.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';
import type { Identity } from './identity.js';
import type { KeyVault } from './keyVault.js';
import { isDemoLicence, startLicenceVault, tlsOf } from './licenceVault.js';
import { FOREIGN_TENANT, tenantId, UNCONSENTED_TENANT } from './tenants.js';

/** Client id of the multi-tenant application that is federated with the service's identity. */
export const LICENCE_APP = deterministicId('application', 'licence');

/** The resource a token for the data manager is made for. */
export const DATA_MANAGER_RESOURCE = 'https://farmbeats.azure.net';

export interface ForeignTenantOptions {
  readonly certificate: Pick<Certificate, 'certificateFile' | 'keyFile'>;
  readonly identity: Pick<Identity, 'isServiceToken' | 'tenantReply'>;
  readonly ports: Pick<Ports, 'authority' | 'foreignDataManager' | 'foreignVault' | 'unconsentedVault'>;
  /** How the data manager draws and keeps, as the one of the service's own tenant does. */
  readonly dataManager: Pick<DataManagerOptions, 'render' | 'scenesFolder' | 'directory'>;
}

export interface ForeignTenant {
  /** Where Entra tenants give tokens to the application; AZURE_AUTHORITY_HOST of the service. */
  readonly authorityHost: string;
  readonly dataManager: Pick<DataManagerStandIn, 'url'>;
  readonly keyVault: Pick<KeyVault, 'url'>;
  /** Of the tenant that has not consented. */
  readonly otherVault: Pick<KeyVault, 'url'>;
  close(): Promise<void>;
}

/** Entra's token endpoints of all tenants, and a data manager and a vault that take tokens of one foreign tenant alone. */
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
  const dataManager = await startDataManager({
    ...options.dataManager,
    tokenIsValid: (token) => identity.isServiceToken(token, { tenant, resource: DATA_MANAGER_RESOURCE }),
    licenceIsGood: (credentials) => isDemoLicence(keyVault, credentials),
    port: ports.foreignDataManager,
  });
  const close = async (): Promise<void> => {
    await Promise.all([dataManager, keyVault, otherVault, authority].map((part) => part.close()));
  };
  return { authorityHost, dataManager, keyVault, otherVault, close };
}

/** Both tenants as TENANTS names them: they share the data manager, so each lists its party. */
export function foreignTenants({
  dataManager: { url: dataManagerUrl },
  keyVault,
  otherVault,
}: Pick<ForeignTenant, 'dataManager' | 'keyVault' | 'otherVault'>): Readonly<Record<string, object>> {
  const [{ id: first }, { id: second }] = SEED;
  const foreign = tenantId(FOREIGN_TENANT);
  const unconsented = tenantId(UNCONSENTED_TENANT);
  return {
    [foreign]: { dataManagerUrl, partyIds: [first], keyVaultUrl: keyVault.url, azureTenantId: foreign },
    [unconsented]: { dataManagerUrl, partyIds: [second], keyVaultUrl: otherVault.url, azureTenantId: unconsented },
  };
}
