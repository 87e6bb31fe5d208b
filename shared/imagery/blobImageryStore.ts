import type { ContainerClient } from '@azure/storage-blob';
import { createHash } from 'node:crypto';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import type { FieldDatePlace, ImageryStore, StoredDocument } from './imageryPorts.js';
import { datePath, fieldPath, ITEM_FILE, INDEX_FILE, layerFile } from './imageryPaths.js';
import type { LayerName } from './layers.js';

const TIFF_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';
/** One request up to this size; above, blocks that become visible together. */
const UPLOAD = { maxSingleShotSize: 8 * 1024 * 1024, blockSize: 4 * 1024 * 1024, concurrency: 2 };

/** Container `imagery`: the files that customers read with their SAS. */
export class BlobImageryStore implements ImageryStore {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async putLayer(place: FieldDatePlace, layer: LayerName, bytes: Uint8Array): Promise<void> {
    const blob = this.#container.getBlockBlobClient(`${datePath(place)}/${layerFile(layer)}`);
    const blobContentMD5 = createHash('md5').update(bytes).digest();
    const blobHTTPHeaders = { blobContentType: TIFF_TYPE, blobContentMD5 };
    await fromStorage(() => blob.uploadData(bytes, { ...UPLOAD, blobHTTPHeaders }));
  }

  async removeLayer(place: FieldDatePlace, layer: LayerName): Promise<void> {
    const blob = this.#container.getBlobClient(`${datePath(place)}/${layerFile(layer)}`);
    await fromStorage(() => blob.deleteIfExists());
  }

  async findItem(place: FieldDatePlace): Promise<StoredDocument | undefined> {
    const blob = this.#container.getBlockBlobClient(`${datePath(place)}/${ITEM_FILE}`);
    return unlessStatus([404], async () => {
      const answer = await blob.download();
      const chunks: Buffer[] = [];
      for await (const chunk of answer.readableStreamBody ?? []) chunks.push(Buffer.from(chunk));
      return { document: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown, etag: answer.etag ?? '' };
    });
  }

  async putItem(place: FieldDatePlace, document: unknown, etag: string | undefined): Promise<boolean> {
    return this.#putJson(`${datePath(place)}/${ITEM_FILE}`, { document, etag }, 'application/geo+json');
  }

  async findIndex(customer: string, fieldId: string): Promise<string | undefined> {
    const blob = this.#container.getBlockBlobClient(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`);
    return (await unlessStatus([404], () => blob.getProperties()))?.etag;
  }

  async putIndex(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<boolean> {
    return this.#putJson(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`, { document, etag }, 'application/json');
  }

  /** @returns false when the blob isn't the one that was read (or there is one where there was none) */
  async #putJson(
    name: string,
    { document, etag }: { readonly document: unknown; readonly etag: string | undefined },
    blobContentType: string,
  ): Promise<boolean> {
    const blob = this.#container.getBlockBlobClient(name);
    const conditions = etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag };
    const bytes = Buffer.from(`${JSON.stringify(document, null, 1)}\n`, 'utf8');
    const answer = await unlessStatus([404, 409, 412], () =>
      blob.upload(bytes, bytes.length, { conditions, blobHTTPHeaders: { blobContentType } }),
    );
    return answer !== undefined;
  }
}
