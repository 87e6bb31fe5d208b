import type { MultiPolygon } from '../../geo/geoJson.js';
import type { ListedDays } from '../../enrollments/fieldStore.js';
import type { FieldDocuments } from '../documents/updateIndex.js';
import type { FieldGeometrySource } from '../pixels/pixelPorts.js';
import type { InterestKey } from '../interest/interest.js';
import type { FieldDate } from '../records/fieldDate.js';
import { packDocuments, unpackDocuments, type PackedDocuments } from './packedDocuments.js';

/** What was written of a field last, by one who worked on its slice. */
export interface NotedField {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** Absent where it is large. */
  readonly geometry?: MultiPolygon;
  readonly documents: PackedDocuments;
  /** As lists show it. */
  readonly listed?: ListedDays | undefined;
}

/**
 * What is noted of the fields of a slice, so that the next day of it needs one look instead of several for each field.
 * Notes are hints and no more: documents are written by their marks, records where there are none yet, and whatever
 * proves to be otherwise is read. Without notes, or with old ones, the same comes out for more requests.
 */
export interface SliceNotesStore {
  /** None where there are none that can be read. */
  read(customer: string, key: string): Promise<readonly NotedField[]>;
  /** Takes the place of what is there. */
  write(customer: string, key: string, noted: readonly NotedField[]): Promise<void>;
  /** Removes those of all slices of an entry of the index. Removing twice is harmless. */
  removeAll(customer: string, entry: string): Promise<void>;
}

/** Notes of all fields of one customer while one attempt does many of their days: nothing is stored. */
export class AttemptNotes implements SliceNotesStore {
  readonly #noted = new Map<string, NotedField>();

  read(): Promise<readonly NotedField[]> {
    return Promise.resolve([...this.#noted.values()]);
  }

  write(_customer: string, _key: string, noted: readonly NotedField[]): Promise<void> {
    for (const field of noted) this.#noted.set(field.fieldId, field);
    return Promise.resolve();
  }

  removeAll(): Promise<void> {
    this.#noted.clear();
    return Promise.resolve();
  }
}

/** The key of the notes of a slice: its entry of the index, then its number in that. */
export const notesKeyOf = ({ tile, cell }: Pick<InterestKey, 'tile' | 'cell'>, sliceKey: string): string =>
  `${tile}|${cell}|${sliceKey}`;

/** Removes the notes of an entry that has left the index. */
export const forgetNotes =
  (store: Pick<SliceNotesStore, 'removeAll'>) =>
  (entry: InterestKey): Promise<void> =>
    store.removeAll(entry.customer, notesKeyOf(entry, [entry.customer, entry.enrollmentId, entry.part].join('|')));

/** Geometries with more positions are left out: they would make notes of 100 fields large. */
const MOST_POSITIONS = 1_000;

const isSmall = ({ coordinates }: MultiPolygon): boolean =>
  coordinates.flat().reduce((sum, ring) => sum + ring.length, 0) <= MOST_POSITIONS;

/** The notes of one slice while it is worked on. */
export class SliceNotes {
  readonly #store: SliceNotesStore;
  readonly #customer: string;
  readonly #key: string;
  readonly #noted: Map<string, NotedField>;
  readonly #geometries = new Map<string, MultiPolygon>();
  /** What was written since, by field. */
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

  /** @param slice whose notes, by a key that stays the same as long as its fields do */
  static async of(
    store: SliceNotesStore,
    slice: { readonly customer: string; readonly key: string },
  ): Promise<SliceNotes> {
    return new SliceNotes(store, slice, await store.read(slice.customer, slice.key));
  }

  /** Undefined when nothing is noted of the field in this shape. */
  of({ fieldId, geometryHash }: Pick<NotedField, 'fieldId' | 'geometryHash'>): NotedField | undefined {
    const noted = this.#noted.get(fieldId);
    return noted?.geometryHash === geometryHash ? noted : undefined;
  }

  /** The source, asked for what isn't noted alone. */
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

  /** The documents of a field as they were noted, with a day as it is recorded since. */
  async documentsWith(noted: NotedField, record: FieldDate): Promise<FieldDocuments | undefined> {
    const documents = await unpackDocuments(noted.documents);
    return documents && withRecord(documents, record);
  }

  /** Remembers what was written of a field until `replace` stores it. */
  async keep(fieldId: string, documents: FieldDocuments): Promise<void> {
    if (documents.index !== undefined) this.#kept.set(fieldId, await packDocuments(documents));
  }

  /** Stores what was kept of these fields; of others nothing is noted any more. */
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
