// The loss of everything that lies in the accounts of a service, but for the exports, which lie in another.
import { BlobServiceClient } from '@azure/storage-blob';
import { readFileSync } from 'node:fs';

const DATA_CONTAINERS = ['enrollment-inputs', 'insights', 'weather-cache', 'farm-data'];

/** A container as the service itself sees it: the accounts of images and of exports give no key away. */
export function containerAt({ settings, service: { caFile } }, setting, name) {
  const getToken = async () => {
    const query = 'resource=https%3A%2F%2Fstorage.azure.com%2F&api-version=2019-08-01';
    const answer = await fetch(`${settings.IDENTITY_ENDPOINT}?${query}`, {
      headers: { 'x-identity-header': settings.IDENTITY_HEADER },
    });
    const { access_token: token, expires_on: expiresOn } = await answer.json();
    return { token, expiresOnTimestamp: Number(expiresOn) * 1000 };
  };
  const tlsOptions = { ca: readFileSync(caFile, 'utf8') };
  return new BlobServiceClient(settings[setting], { getToken }, { tlsOptions }).getContainerClient(name);
}

const imagesOf = (world) => containerAt(world, 'IMAGERY_STORAGE__blobServiceUri', 'imagery');

async function emptied(container) {
  let count = 0;
  for await (const { name } of container.listBlobsFlat()) {
    await container.getBlobClient(name).deleteIfExists();
    count += 1;
  }
  return count;
}

/** Everything that lies in the accounts of the service is gone, but for the exports. @returns how much it was */
export async function lose(world) {
  const rows = await world.storage.destroy();
  let blobs = await emptied(imagesOf(world));
  for (const name of DATA_CONTAINERS) blobs += await emptied(world.storage.container(name));
  return { lostRows: rows, lostBlobs: blobs };
}
