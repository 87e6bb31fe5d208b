import type { Blobs } from '../../storage/blobs.js';
import type { Etag } from '../../storage/rows.js';
import { standsAbove } from '../records/fieldDate.js';
import type { ImageryStore, LayerToStore, StoredDocument } from './imageryStore.js';
import type { FieldDatePlace } from '../records/recordPorts.js';
import {
  datePath,
  fieldPath,
  INDEX_FILE,
  ITEM_FILE,
  ITEMS_FILE,
  layerFile,
  STATISTICS_FILE,
} from '../records/imageryPaths.js';
import { LAYER_NAMES, type LayerName } from '../layers/layers.js';

const TIFF_TYPE = 'image/tiff; application=geotiff; profile=cloud-optimized';
/** What a file says of itself, beside its content. */
const isMarked = (metadata: Readonly<Record<string, string>> = {}, mark: Readonly<Record<string, string>>): boolean =>
  Object.entries(mark).every(([name, value]) => metadata[name] === value);

/** Others that write one file are units of the same field and day: a handful. */
const MOST_TRIES = 20;

/** Container `imagery`: the files that customers read with their SAS. */
export class BlobImageryStore implements ImageryStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async putLayer(place: FieldDatePlace, { layer, bytes, sha256 }: LayerToStore, standing: string): Promise<boolean> {
    const name = layerName(place, layer);
    // Most days have no file yet: one is asked for only where the first try finds it.
    let onto: Etag | null = null;
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const write = { type: TIFF_TYPE, metadata: { standing, sha256 }, onto };
      if ((await this.#blobs.write(name, bytes, write)) !== undefined) return true;
      const there = await this.#blobs.head(name);
      if (standsAbove(there?.metadata['standing'], standing)) return false;
      // Of an attempt that ended before it recorded what it had made.
      if (isMarked(there?.metadata, { standing, sha256 })) return true;
      onto = there?.etag ?? null;
    }
    throw new Error('A file is changed faster than it can be written.');
  }

  async removeLayer(place: FieldDatePlace, layer: LayerName, standing: string): Promise<void> {
    const name = layerName(place, layer);
    const there = await this.#blobs.head(name);
    if (there === undefined || standsAbove(there.metadata['standing'], standing)) return;
    // One that was changed since is somebody else's.
    await this.#blobs.delete(name, { etag: there.etag });
  }

  async findLayer(place: FieldDatePlace, layer: LayerName): Promise<string | undefined> {
    const there = await this.#blobs.head(layerName(place, layer));
    return there && (there.metadata['sha256'] ?? '');
  }

  async listFiles(customer: string, fieldId: string): Promise<ReadonlySet<string>> {
    const prefix = `${fieldPath(customer, fieldId)}/`;
    return new Set((await this.#blobs.list(prefix)).map(({ name }) => name.slice(prefix.length)));
  }

  async findItem(place: FieldDatePlace): Promise<StoredDocument | undefined> {
    return this.#readJson(`${datePath(place)}/${ITEM_FILE}`);
  }

  async removeDay(place: FieldDatePlace, writtenBefore: Date): Promise<void> {
    const folder = datePath(place);
    for (const file of [ITEM_FILE, ...LAYER_NAMES.map(layerFile)]) {
      await this.#blobs.delete(`${folder}/${file}`, { writtenBefore });
    }
    // With a hierarchical namespace the folder would stay behind; one that isn't empty does.
    await this.#blobs.delete(folder);
  }

  async #readJson(name: string): Promise<StoredDocument | undefined> {
    const blob = await this.#blobs.read(name);
    return blob && { document: JSON.parse(blob.bytes.toString('utf8')) as unknown, etag: blob.etag };
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
    return (await this.#blobs.head(`${fieldPath(customer, fieldId)}/${STATISTICS_FILE}`))?.etag;
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
    type: string,
  ): Promise<string | undefined> {
    return this.#blobs.write(name, bytes, { type, onto: etag ?? null });
  }
}

const layerName = (place: FieldDatePlace, layer: LayerName): string => `${datePath(place)}/${layerFile(layer)}`;
