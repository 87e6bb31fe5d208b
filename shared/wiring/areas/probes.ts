import type { BlobServiceClient } from '@azure/storage-blob';
import type { JwksClient } from '../../access/auth/jwksClient.js';
import type { Probe } from '../../operate/readiness.js';
import { imageryContainerName, type TableName } from '../../storage/names.js';
import type { Tenants } from '../../access/tenants/tenantPorts.js';
import type { EnrollmentServices } from './enrollmentServices.js';
import type { DataStorage } from '../clients/storageClients.js';

/** What a request cannot be answered without. */
export interface Probed {
  readonly storage: DataStorage;
  readonly signingKeys: JwksClient;
  readonly imagery: BlobServiceClient;
  readonly enrollments: Pick<EnrollmentServices, 'grantStorageAccess'>;
  readonly tenants: Tenants;
}

/** What `/ready` looks at, by name. */
export function probesOf({ storage, signingKeys, imagery, enrollments, tenants }: Probed): Record<string, Probe> {
  const oneRow = (name: TableName) => () =>
    storage
      .table(name)
      .listEntities({ queryOptions: { filter: "PartitionKey eq 'ready'" } })
      .next();
  return {
    tables: oneRow('work'),
    apiKeys: oneRow('customers'),
    queues: (abortSignal) => storage.queue('jobs-gdd').getProperties({ abortSignal }),
    blobs: (abortSignal) => storage.container('insights').exists({ abortSignal }),
    imagery: (abortSignal) => imagery.getContainerClient(imageryContainerName).exists({ abortSignal }),
    // Signed with the key that customers' tokens are signed with; storage is asked for one only when none is good.
    delegationKey: () => enrollments.grantStorageAccess('ready'),
    tokenIssuer: () => signingKeys.find('ready'),
    // Without any tenant nobody may call: the service is not to take over from one that has them.
    tenants: async () => {
      if (await tenants.isEmpty()) throw new Error('No tenant is registered.');
    },
  };
}
