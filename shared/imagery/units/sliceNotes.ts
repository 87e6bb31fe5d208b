import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { MultiPolygon } from '../../geo/shapes/geoJson.js';
import type { ListedDays } from '../../enrollments/fields/fieldStore.js';
import type { FieldDocuments } from '../documents/updateIndex.js';
import type { FieldGeometrySource } from '../../scenes/pixels/pixelPorts.js';
import type { InterestKey } from '../interest/interest.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];
/** Documents of twenty years take less when unpacked; larger ones are not ours. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * A field's documents, compressed: those of years take a megabyte, compressed some tens of kilobytes. A slice holds the
 * documents of up to a hundred fields in memory.
 */
export interface PackedDocuments {
  /** The last recorded day; empty when there is none. */
  readonly lastDate: string;
  /** JSON, by gzip, in base64. */
  readonly packed: string;
}

/** Compresses a field's documents. */
export async function packDocuments(documents: FieldDocuments): Promise<PackedDocuments> {
  const bytes = await pack(JSON.stringify(documents), { level: constants.Z_BEST_SPEED });
  return { lastDate: documents.recorded.at(-1)?.date ?? '', packed: bytes.toString('base64') };
}

/** Undefined when they can't be read: a cache may be lost. */
export async function unpackDocuments({ packed }: PackedDocuments): Promise<FieldDocuments | undefined> {
  try {
    const bytes = await unpack(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES });
    return JSON.parse(bytes.toString('utf8')) as FieldDocuments;
  } catch {
    return undefined;
  }
}

/** What is cached of a field: its documents as the last unit of its slice wrote them. */
export interface NotedField {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** Absent when it has more than `MOST_POSITIONS`. */
  readonly geometry?: MultiPolygon;
  readonly documents: PackedDocuments;
  /** The field's row of the lists. */
  readonly listed?: ListedDays | undefined;
}

/**
 * A cache of the fields of each slice, so that the slice's next day takes one read instead of several per field. A stale
 * cache changes no result: documents are written by ETag and records are inserted, and where storage refuses the write,
 * everything is read. A cache that is lost or stale costs requests.
 */
export interface SliceNotesStore {
  /** The cached fields of a slice; none when the blob is missing or can't be read. */
  read(customer: string, key: string): Promise<readonly NotedField[]>;
  /** Replaces the cached fields of a slice. */
  write(customer: string, key: string, noted: readonly NotedField[]): Promise<void>;
  /** Removes the caches of all slices of an entry of the index. Removing twice is harmless. */
  removeAll(customer: string, entry: string): Promise<void>;
}

/** The key of a slice's cache: the entry of the index, then the slice's number in the entry. */
export const notesKeyOf = ({ tile, cell }: Pick<InterestKey, 'tile' | 'cell'>, sliceKey: string): string =>
  `${tile}|${cell}|${sliceKey}`;

/** Removes the caches of an entry that has left the index. */
export const forgetNotes =
  (store: Pick<SliceNotesStore, 'removeAll'>) =>
  (entry: InterestKey): Promise<void> =>
    store.removeAll(entry.customer, notesKeyOf(entry, [entry.customer, entry.enrollmentId, entry.part].join('|')));

/** Geometries with more positions are not cached: those of 100 fields would be too large. */
const MOST_POSITIONS = 1_000;

const isSmall = ({ coordinates }: MultiPolygon): boolean =>
  coordinates.flat().reduce((sum, ring) => sum + ring.length, 0) <= MOST_POSITIONS;

/** The cache of one slice while an attempt works on the slice. */
export class SliceNotes {
  readonly #store: SliceNotesStore;
  readonly #customer: string;
  readonly #key: string;
  readonly #noted: Map<string, NotedField>;
  readonly #geometries = new Map<string, MultiPolygon>();
  /** Documents that this attempt has written, by field. */
  readonly #kept = new Map<string, PackedDocuments>();

  private constructor(
    store: SliceNotesStore,
    { customer, key }: { readonly customer: string; readonly key: string },
    noted: readonly NotedField[],
  ) {
    this.#store = store;
    this.#customer = customer;
    this.#key = key;
    this.#noted = new Map(noted.map((field) => [field.fieldId, field]));
    for (const { geometryHash, geometry } of noted) {
      if (geometry !== undefined) this.#geometries.set(geometryHash, geometry);
    }
  }

  /** Reads a slice's cache. @param slice its key stays the same as long as its fields do */
  static async of(
    store: SliceNotesStore,
    slice: { readonly customer: string; readonly key: string },
  ): Promise<SliceNotes> {
    return new SliceNotes(store, slice, await store.read(slice.customer, slice.key));
  }

  /** Undefined when the field is not cached with this geometry. */
  of({ fieldId, geometryHash }: Pick<NotedField, 'fieldId' | 'geometryHash'>): NotedField | undefined {
    const noted = this.#noted.get(fieldId);
    return noted?.geometryHash === geometryHash ? noted : undefined;
  }

  /** A source that reads only geometries which are not cached. */
  geometriesBefore(source: FieldGeometrySource): FieldGeometrySource {
    return {
      read: async (customer, geometryHash) => {
        const known = this.#geometries.get(geometryHash);
        if (known !== undefined) return known;
        const geometry = await source.read(customer, geometryHash);
        this.#geometries.set(geometryHash, geometry);
        return geometry;
      },
    };
  }

  /** The cached documents of a field, with a record that was written since. */
  async documentsWith(noted: NotedField, record: FieldDate): Promise<FieldDocuments | undefined> {
    const documents = await unpackDocuments(noted.documents);
    return documents && withRecord(documents, record);
  }

  /** Keeps the documents of a field until `replace` stores them. */
  async keep(fieldId: string, documents: FieldDocuments): Promise<void> {
    if (documents.index !== undefined) this.#kept.set(fieldId, await packDocuments(documents));
  }

  /** Stores the kept documents of these fields in place of the whole cache. */
  async replace(
    fields: readonly Pick<NotedField, 'fieldId' | 'geometryHash'>[],
    listed: ReadonlyMap<string, ListedDays>,
  ): Promise<void> {
    const noted = fields.flatMap(({ fieldId, geometryHash }): NotedField[] => {
      const documents = this.#kept.get(fieldId);
      if (documents === undefined) return [];
      const geometry = this.#geometries.get(geometryHash);
      const isKept = geometry !== undefined && isSmall(geometry);
      return [{ fieldId, geometryHash, ...(isKept ? { geometry } : {}), documents, listed: listed.get(fieldId) }];
    });
    if (noted.length + this.#noted.size > 0) await this.#store.write(this.#customer, this.#key, noted);
  }
}

function withRecord(documents: FieldDocuments, record: FieldDate): FieldDocuments {
  const others = documents.recorded.filter(({ date }) => date !== record.date);
  return { ...documents, recorded: [...others, record].sort((a, b) => (a.date < b.date ? -1 : 1)) };
}
