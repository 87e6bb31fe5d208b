import { DefaultAzureCredential } from '@azure/identity';
import { BlobServiceClient } from '@azure/storage-blob';
import { KeptTombstones } from '../../../shared/operate/backup/keptTombstones.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { settings } from '../../../shared/wiring/settings/config.js';
import { CustomerRefusal } from '../../../shared/access/customers/manageCustomers.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../../shared/enrollments/fields/fieldStore.js';
import { listUnitAttempts } from '../../../shared/imagery/units/unitAttempts.js';
import { customerBelongings } from '../../../shared/wiring/areas/customerBelongings.js';
import { dataStorage, tombstoneStorage } from '../../../shared/wiring/clients/storageClients.js';
import { storageStatus } from '../../../shared/storage/storageErrors.js';
import { workLimits } from '../../../shared/storage/timeLimits.js';
import { imageryContainerName } from '../../../shared/storage/names.js';
import { WorkStore } from '../../../shared/work/item/workStore.js';
import { AzureBlobs } from '../../../shared/storage/azure/azureBlobs.js';
import { filesOfCustomer } from '../exports/filesOfCustomer.js';
import { webhooksToExport } from '../exports/webhookFile.js';
import { writeZips } from '../exports/zipFolder.js';
import { neededSettings } from '../neededSettings.js';
import { operatorEnqueuer } from '../operatorEnqueuer.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** The settings of the service that an operator's commands need too. */
const needed = [
  'DATA_STORAGE__tableServiceUri',
  'DATA_STORAGE__queueServiceUri',
  'DATA_STORAGE__blobServiceUri',
  'IMAGERY_STORAGE__blobServiceUri',
  'API_KEY_PEPPERS',
] as const;

const BY_SERVICE =
  'The backup account takes tombstones from the service alone: give the command with --url <service> --reason <text>.';

/** What the commands on customers work with: the storage named by the environment, seen with the operator's identity. */
export function operatorServices(environment: Variables) {
  const valueOf = neededSettings(environment, needed);
  const credential = new DefaultAzureCredential();
  const uris = {
    DATA_STORAGE__tableServiceUri: settings.DATA_STORAGE__tableServiceUri.parse(
      valueOf('DATA_STORAGE__tableServiceUri'),
    ),
    DATA_STORAGE__queueServiceUri: settings.DATA_STORAGE__queueServiceUri.parse(
      valueOf('DATA_STORAGE__queueServiceUri'),
    ),
    DATA_STORAGE__blobServiceUri: settings.DATA_STORAGE__blobServiceUri.parse(valueOf('DATA_STORAGE__blobServiceUri')),
  };
  const storage = dataStorage(uris, credential, workLimits);
  const imagery = new BlobServiceClient(valueOf('IMAGERY_STORAGE__blobServiceUri'), credential);
  const leaseMs =
    1000 * settings.JOB_LEASE_SECONDS.parse(environment['JOB_LEASE_SECONDS'] ?? settings.JOB_LEASE_SECONDS.fallback);
  const work = storage.rows('work');
  const images = imagery.getContainerClient(imageryContainerName);
  const customers = new CustomerStore(storage.rows('customers'));
  const toExport = {
    customers,
    rows: storage.rows,
    webhooks: webhooksToExport(storage.rows),
    inputs: storage.blobs('enrollment-inputs'),
    images: new AzureBlobs(images),
  };
  return {
    customers,
    enrollments: new EnrollmentStore(storage.rows('enrollments')),
    fields: new FieldStore(storage.rows('fields')),
    enqueuer: operatorEnqueuer(storage),
    belongings: customerBelongings(storage, images),
    peppers: settings.API_KEY_PEPPERS.parse(valueOf('API_KEY_PEPPERS')),
    defaultFieldLimit: settings.DEFAULT_FIELD_LIMIT.parse(
      environment['DEFAULT_FIELD_LIMIT'] ?? settings.DEFAULT_FIELD_LIMIT.fallback,
    ),
    leaseMs,
    keptTombstones: { keepPurge: (customer: string, purgedAt: number) => keepPurge(environment, customer, purgedAt) },
    listSharedAttempts: listUnitAttempts({ store: new WorkStore(work), clock: systemClock, leaseMs }),
    /** Everything of a customer as zip files in a folder; undefined when there is no such customer. */
    exportCustomer: async (customer: string, folder: string) => {
      const files = await filesOfCustomer(toExport, customer);
      return files && writeZips(files, { folder, name: customer });
    },
    clock: systemClock,
    /** Tells the operator what is going on, beside the result. */
    say: (line: string) => {
      process.stderr.write(`${line}\n`);
    },
  };
}

/** Beside the exports. The purge of an operator who may only read there begins with nothing. */
async function keepPurge(environment: Variables, customer: string, purgedAt: number): Promise<void> {
  const name = 'BACKUP_STORAGE__blobServiceUri';
  const account = { [name]: settings[name].parse(neededSettings(environment, [name])(name)) } as const;
  const kept = new KeptTombstones(tombstoneStorage(account, new DefaultAzureCredential()));
  await kept.keepPurge(customer, purgedAt).catch((cause: unknown) => {
    throw storageStatus(cause) === 403 ? new CustomerRefusal(BY_SERVICE, { cause }) : cause;
  });
}

export type OperatorServices = ReturnType<typeof operatorServices>;
