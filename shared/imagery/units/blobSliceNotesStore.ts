import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { Blobs } from '../../storage/blobs.js';
import type { NotedField, SliceNotesStore } from './sliceNotes.js';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];
/** The format of the cache; a cache of another format is not used. */
const VERSION = 2;
/** The most bytes of JSON in one cache: several slices are in memory at once. Fields beyond the limit are not cached. */
const MOST_BYTES = 16 * 1024 * 1024;

interface Notes {
  readonly version: number;
  readonly fields: readonly NotedField[];
}

/** The caches of slices: `{customer}/slices/{hash of the entry}-{number}.json.gz` of container `enrollment-inputs`. */
export class BlobSliceNotesStore implements SliceNotesStore {
  readonly #blobs: Blobs;

  constructor(blobs: Blobs) {
    this.#blobs = blobs;
  }

  async read(customer: string, key: string): Promise<readonly NotedField[]> {
    const blob = await this.#blobs.read(nameOf(customer, key));
    return blob === undefined ? [] : fieldsIn(blob.bytes);
  }

  async write(customer: string, key: string, fields: readonly NotedField[]): Promise<void> {
    const notes: Notes = { version: VERSION, fields: fieldsWithin(fields) };
    const bytes = await pack(JSON.stringify(notes), { level: constants.Z_BEST_SPEED });
    await this.#blobs.write(nameOf(customer, key), bytes, { type: 'application/gzip' });
  }

  async removeAll(customer: string, entry: string): Promise<void> {
    for (const { name } of await this.#blobs.list(prefixOf(customer, entry))) await this.#blobs.delete(name);
  }
}

const prefixOf = (customer: string, entry: string): string =>
  `${customer}/slices/${createHash('sha256').update(entry).digest('hex').slice(0, 32)}-`;

function nameOf(customer: string, key: string): string {
  const end = key.lastIndexOf('|');
  return `${prefixOf(customer, key.slice(0, end))}${key.slice(end + 1)}.json.gz`;
}

/** The fields that fit within the limit, in their order. */
function fieldsWithin(fields: readonly NotedField[]): readonly NotedField[] {
  let bytes = 0;
  return fields.filter((field) => (bytes += Buffer.byteLength(JSON.stringify(field)) + 1) <= MOST_BYTES - 1_024);
}

/** The cached fields; none when they can't be read. */
async function fieldsIn(bytes: Buffer): Promise<readonly NotedField[]> {
  try {
    const { version, fields } = JSON.parse((await unpack(bytes, { maxOutputLength: MOST_BYTES })).toString()) as Notes;
    return version === VERSION ? fields : [];
  } catch {
    return [];
  }
}
