import { COG_TYPE } from '../../raster/write/encodeCog.js';
import type { Blobs } from '../../storage/blobs.js';
import type { Etag } from '../../storage/rows.js';
import { standsAbove } from '../../enrollments/fields/fieldDate.js';
import {
  datePath,
  fieldPath,
  INDEX_FILE,
  ITEM_FILE,
  ITEMS_FILE,
  layerFile,
  STATISTICS_FILE,
  type FieldDatePlace,
  type FieldPlace,
} from '../records/imageryPaths.js';
import { LAYER_NAMES, type LayerName } from '../../scenes/layers/layers.js';

/** A JSON document as it was read. */
export interface StoredDocument {
  readonly document: unknown;
  readonly etag: string;
}

/** A layer's file to be stored. */
export interface LayerToStore {
  readonly layer: LayerName;
  readonly bytes: Uint8Array;
  /** SHA-256 of the bytes, lower-case hex. */
  readonly sha256: string;
}

/** What the use cases need of `BlobImageryStore`. */
export type ImageryStore = Pick<BlobImageryStore, keyof BlobImageryStore>;

/** Tries of one write; a handful of units may write the same file at the same time. */
const MOST_TRIES = 20;

/**
 * The files that customers read with their SAS, in container `imagery`. Metadata of a layer's file tells its standing: a
 * file of a better basis is never overwritten. A parameter `etag` is that of the blob as it was read, undefined when there
 * was none; a write returns the new ETag, undefined when somebody else wrote meanwhile.
 */
export class BlobImageryStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  /** The file is visible only when whole. @returns false when a file of a better basis is there, which stays */
  async putLayer(place: FieldDatePlace, { layer, bytes, sha256 }: LayerToStore, standing: string): Promise<boolean> {
    const name = layerName(place, layer);
    // Most days have no file yet, so the present file is looked up only after the first try failed.
    let onto: Etag | null = null;
    for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
      const write = { type: COG_TYPE, metadata: { standing, sha256 }, onto };
      if ((await this.#blobs.write(name, bytes, write)) !== undefined) return true;
      const { metadata = {}, etag = null } = (await this.#blobs.head(name)) ?? {};
      if (standsAbove(metadata['standing'] ?? '', standing)) return false;
      // An earlier attempt ended between writing this file and recording it.
      if (metadata['standing'] === standing && metadata['sha256'] === sha256) return true;
      onto = etag;
    }
    throw new Error('A file is changed faster than it can be written.');
  }

  /** Deletes a layer's file unless it is of a better basis. Deleting twice is harmless. */
  async removeLayer(place: FieldDatePlace, layer: LayerName, standing: string): Promise<void> {
    const name = layerName(place, layer);
    const there = await this.#blobs.head(name);
    if (there === undefined || standsAbove(there.metadata['standing'] ?? '', standing)) return;
    // The ETag keeps a file that somebody else has written since.
    await this.#blobs.delete(name, { etag: there.etag });
  }

  /** SHA-256 of a layer's file; undefined when there is none. */
  async findLayer(place: FieldDatePlace, layer: LayerName): Promise<string | undefined> {
    return (await this.#blobs.head(layerName(place, layer)))?.metadata['sha256'];
  }

  /** Every file of a field, as `<date>/<file>`. One request per 5,000 files: for comparisons, not for every day. */
  async listFiles(customer: string, fieldId: string): Promise<ReadonlySet<string>> {
    const prefix = `${fieldPath(customer, fieldId)}/`;
    return new Set((await this.#blobs.list(prefix)).map(({ name }) => name.slice(prefix.length)));
  }

  async findItem(place: FieldDatePlace): Promise<StoredDocument | undefined> {
    return this.#readJson(`${datePath(place)}/${ITEM_FILE}`);
  }

  /** @returns false when somebody else wrote meanwhile */
  async putItem(place: FieldDatePlace, document: unknown, etag: string | undefined): Promise<boolean> {
    const name = `${datePath(place)}/${ITEM_FILE}`;
    return (await this.#put(name, { content: jsonOf(document), etag }, 'application/geo+json')) !== undefined;
  }

  /** Deletes the files of a day, the document first; files written at that instant or later stay. */
  async removeDay(place: FieldDatePlace, writtenBefore: Date): Promise<void> {
    const folder = datePath(place);
    for (const file of [ITEM_FILE, ...LAYER_NAMES.map(layerFile)]) {
      await this.#blobs.delete(`${folder}/${file}`, { writtenBefore });
    }
    // With a hierarchical namespace an empty folder has to be deleted by itself; storage keeps one that isn't empty.
    await this.#blobs.delete(folder);
  }

  async readIndex(customer: string, fieldId: string): Promise<StoredDocument | undefined> {
    return this.#readJson(`${fieldPath(customer, fieldId)}/${INDEX_FILE}`);
  }

  async putIndex(field: FieldPlace, document: unknown, etag: string | undefined): Promise<string | undefined> {
    return this.#put(ofField(field, INDEX_FILE), { content: jsonOf(document), etag }, 'application/json');
  }

  async readItems(customer: string, fieldId: string): Promise<StoredDocument | undefined> {
    return this.#readJson(`${fieldPath(customer, fieldId)}/${ITEMS_FILE}`);
  }

  async putItems(field: FieldPlace, document: unknown, etag: string | undefined): Promise<string | undefined> {
    return this.#put(ofField(field, ITEMS_FILE), { content: jsonOf(document), etag }, 'application/geo+json');
  }

  /** The ETag of a field's `statistics.csv`, undefined when there is none. */
  async findStatistics(customer: string, fieldId: string): Promise<string | undefined> {
    return (await this.#blobs.head(`${fieldPath(customer, fieldId)}/${STATISTICS_FILE}`))?.etag;
  }

  async putStatistics(field: FieldPlace, csv: string, etag: string | undefined): Promise<string | undefined> {
    return this.#put(ofField(field, STATISTICS_FILE), { content: csv, etag }, 'text/csv; charset=utf-8');
  }

  async #readJson(name: string): Promise<StoredDocument | undefined> {
    const blob = await this.#blobs.read(name);
    return blob && { document: JSON.parse(blob.bytes.toString('utf8')) as unknown, etag: blob.etag };
  }

  async #put(
    name: string,
    { content, etag }: { readonly content: string; readonly etag: string | undefined },
    type: string,
  ): Promise<string | undefined> {
    return this.#blobs.write(name, Buffer.from(content, 'utf8'), { type, onto: etag ?? null });
  }
}

const layerName = (place: FieldDatePlace, layer: LayerName): string => `${datePath(place)}/${layerFile(layer)}`;
const ofField = ({ customer, fieldId }: FieldPlace, file: string): string => `${fieldPath(customer, fieldId)}/${file}`;
const jsonOf = (document: unknown): string => `${JSON.stringify(document, null, 1)}\n`;
