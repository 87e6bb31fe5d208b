import { DefaultAzureCredential } from '@azure/identity';
import { QueueServiceClient } from '@azure/storage-queue';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { serviceFileIn, type ServiceFile } from '../serviceFile.js';
import { settingsFileIn } from '../settings.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** Where the queues are: in Azure, seen with the operator's own identity, or in the local environment. */
export type QueuePlace =
  | { readonly kind: 'azure'; readonly address: string }
  | { readonly kind: 'local'; readonly connectionString: string; readonly caFile: string };

/**
 * The queue service that is meant: DATA_STORAGE__queueServiceUri when it is set, else the service that runs on LOCAL_DIR.
 *
 * @throws Error when neither is there
 */
export function queuePlaceOf(environment: Variables): QueuePlace {
  const address = environment['DATA_STORAGE__queueServiceUri'];
  if (address !== undefined && address !== '') return { kind: 'azure', address };
  const directory = resolve(environment['LOCAL_DIR'] ?? '.local');
  const [settingsFile, serviceFile] = [settingsFileIn(directory), serviceFileIn(directory)];
  if (!existsSync(settingsFile) || !existsSync(serviceFile)) {
    throw new Error(
      `No service runs on ${directory}: start it (npm start), name its LOCAL_DIR, or set DATA_STORAGE__queueServiceUri to reach Azure.`,
    );
  }
  const settings = JSON.parse(readFileSync(settingsFile, 'utf8')) as Record<string, string>;
  const { caFile } = JSON.parse(readFileSync(serviceFile, 'utf8')) as ServiceFile;
  return { kind: 'local', connectionString: settings['DATA_STORAGE'] ?? '', caFile };
}

/** A client of that queue service. */
export function queueServiceAt(place: QueuePlace): QueueServiceClient {
  return place.kind === 'azure'
    ? new QueueServiceClient(place.address, new DefaultAzureCredential())
    : QueueServiceClient.fromConnectionString(place.connectionString);
}
