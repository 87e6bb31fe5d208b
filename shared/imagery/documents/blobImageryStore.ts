import type { BlobRequestConditions, BlockBlobClient, ContainerClient } from '@azure/storage-blob';
import { createHash } from 'node:crypto';
import { fromStorage, unlessStatus } from '../../storage/storageErrors.js';
import { standsAbove } from '../records/fieldDate.js';
import type { FieldDatePlace, ImageryStore, LayerToStore, StoredDocument } from '../imageryPorts.js';
import { datePath, fieldPath, INDEX_FILE, ITEM_FILE, ITEMS_FILE, layerFile, STATISTICS_FILE } from './imageryPaths.js';
import { LAYER_NAMES, type LayerName } from '../layers/layers.js';

const TIFF_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';
/** One request up to this size; above, blocks that become visible together. */
const UPLOAD = { maxSingleShotSize: 8 * 1024 * 1024, blockSize: 4 * 1024 * 1024, concurrency: 2 };

/** Of no blob. */
const NO_MARK = '"0x0"';

/** What a file says of itself, beside its content. */
const isMarked = (metadata: Readonly<Record<string, string>> = {}, mark: Readonly<Record<string, string>>): boolean =>
  Object.entries(mark).every(([name, value]) => metadata[name] === value);

/** Others that write one file are units of the same field and day: a handful. */
const MOST_TRIES = 20;

/** Container `imagery`: the files that customers read with their SAS. */
export class BlobImageryStore implements ImageryStore {
  readonly #container: ContainerClient;

  constructor(container: ContainerClient) {
    this.#container = container;
  }

  async putLayer(place: FieldDatePlace, { layer, bytes, sha256 }: LayerToStore, standing: string): Promise<boolean> {
    const blob = this.#layer(place, layer);
    const blobContentMD5 = createHash('md5').update(bytes).digest();
    const options = {
      ...UPLOAD,
      blobHTTPHeaders: { blobContentType: TIFF_TYPE, blobContentMD5 },
      metadata: { standing, sha256 },
    };
    // Most days have no file yet: one is asked for only where the first try finds it.
    let conditions: BlobRequestConditions = { ifNoneMatch: '*' };
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const answer = await unlessStatus([404, 409, 412], () => blob.uploadData(bytes, { ...options, conditions }));
      if (answer !== undefined) return true;
      const there = await unlessStatus([404], () => blob.getProperties());
      if (standsAbove(there?.metadata?.['standing'], standing)) return false;
      // Of an attempt that ended before it recorded what it had made.
      if (isMarked(there?.metadata, { standing, sha256 })) return true;
      conditions = there?.etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: there.etag };
    }
    throw new Error('A file is changed faster than it can be written.');
  }

  async removeLayer(place: FieldDatePlace, layer: LayerName, standing: string): Promise<void> {
    const blob = this.#layer(place, layer);
    const there = await unlessStatus([404], () => blob.getProperties());
    if (there?.etag === undefined || standsAbove(there.metadata?.['standing'], standing)) return;
    // One that was changed since is somebody else's.
    await unlessStatus([404, 412], () => blob.delete({ conditions: { ifMatch: there.etag ?? '' } }));
  }

  async findLayer(place: FieldDatePlace, layer: LayerName): Promise<string | undefined> {
    const there = await unlessStatus([404], () => this.#layer(place, layer).getProperties());
    return there && (there.metadata?.['sha256'] ?? '');
  }

  async listFiles(customer: string, fieldId: string): Promise<ReadonlySet<string>> {
    const prefix = `${fieldPath(customer, fieldId)}/`;
    return fromStorage(async () => {
      const files = new Set<string>();
      for await (const { name } of this.#container.listBlobsFlat({ prefix })) files.add(name.slice(prefix.length));
      return files;
    });
  }

  #layer(place: FieldDatePlace, layer: LayerName): BlockBlobClient {
    return this.#container.getBlockBlobClient(`${datePath(place)}/${layerFile(layer)}`);
  }

  async findItem(place: FieldDatePlace): Promise<StoredDocument | undefined> {
    return this.#readJson(`${datePath(place)}/${ITEM_FILE}`);
  }

  async removeDay(place: FieldDatePlace, writtenBefore: Date): Promise<void> {
    const folder = datePath(place);
    const conditions = { ifUnmodifiedSince: writtenBefore };
    for (const file of [ITEM_FILE, ...LAYER_NAMES.map(layerFile)]) {
      await unlessStatus([404, 412], () => this.#container.getBlobClient(`${folder}/${file}`).delete({ conditions }));
    }
    // With a hierarchical namespace the folder would stay behind; one that isn't empty does.
    await unlessStatus([404, 409], () => this.#container.getBlobClient(folder).delete());
  }

  async #readJson(name: string): Promise<StoredDocument | undefined> {
    return unlessStatus([404], async () => {
      const answer = await this.#container.getBlobClient(name).download();
      const chunks: Buffer[] = [];
      for await (const chunk of answer.readableStreamBody ?? []) chunks.push(Buffer.from(chunk));
      return { document: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown, etag: answer.etag ?? '' };
    });
  }

  async putItem(place: FieldDatePlace, document: unknown, etag: string | undefined): Promise<boolean> {
    const written = await this.#putJson(`${datePath(place)}/${ITEM_FILE}`, { document, etag }, 'application/geo+json');
    return written !== undefined;
  }

  async readIndex(customer: string, fieldId: string): Promise<StoredDocument | undefined> {
    return this.#readJson(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`);
  }

  async putIndex(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<string | undefined> {
    return this.#putJson(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`, { document, etag }, 'application/json');
  }

  async readItems(customer: string, fieldId: string): Promise<StoredDocument | undefined> {
    return this.#readJson(`${fieldPath(customer, fieldId)}/${ITEMS_FILE}`);
  }

  async putItems(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<string | undefined> {
    return this.#putJson(`${fieldPath(customer, fieldId)}/${ITEMS_FILE}`, { document, etag }, 'application/geo+json');
  }

  async findStatistics(customer: string, fieldId: string): Promise<string | undefined> {
    const blob = this.#container.getBlockBlobClient(`${fieldPath(customer, fieldId)}/${STATISTICS_FILE}`);
    return (await unlessStatus([404], () => blob.getProperties()))?.etag;
  }

  async putStatistics(
    { customer, fieldId }: { readonly customer: string; readonly fieldId: string },
    csv: string,
    etag: string | undefined,
  ): Promise<string | undefined> {
    const name = `${fieldPath(customer, fieldId)}/${STATISTICS_FILE}`;
    return this.#put(name, { bytes: Buffer.from(csv, 'utf8'), etag }, 'text/csv; charset=utf-8');
  }

  /** @returns the new mark, undefined when the blob isn't the one that was read (or there is one where there was none) */
  async #putJson(
    name: string,
    { document, etag }: { readonly document: unknown; readonly etag: string | undefined },
    blobContentType: string,
  ): Promise<string | undefined> {
    const bytes = Buffer.from(`${JSON.stringify(document, null, 1)}\n`, 'utf8');
    return this.#put(name, { bytes, etag }, blobContentType);
  }

  async #put(
    name: string,
    { bytes, etag }: { readonly bytes: Buffer; readonly etag: string | undefined },
    blobContentType: string,
  ): Promise<string | undefined> {
    const blob = this.#container.getBlockBlobClient(name);
    const conditions = etag === undefined ? { ifNoneMatch: '*' } : { ifMatch: etag };
    const answer = await unlessStatus([404, 409, 412], () =>
      blob.upload(bytes, bytes.length, { conditions, blobHTTPHeaders: { blobContentType } }),
    );
    return answer && (answer.etag ?? NO_MARK);
  }
}
