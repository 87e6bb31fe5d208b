import type { LayerName } from '../layers/layers.js';
import type { FieldDatePlace } from '../records/recordPorts.js';

/** A JSON document with the mark of its reading. */
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

/** The files customers read. Each layer's file knows its standing: one of a better basis is never written over. */
export interface ImageryStore {
  /** Every file of a field, as `<date>/<file>`. One list for each 5,000: for what has to be compared, not for every day. */
  listFiles(customer: string, fieldId: string): Promise<ReadonlySet<string>>;
  /** Visible only when whole. @returns false when one of a better basis is there, which stays */
  putLayer(place: FieldDatePlace, file: LayerToStore, standing: string): Promise<boolean>;
  /** Leaves one of a better basis. Deleting twice is harmless. */
  removeLayer(place: FieldDatePlace, layer: LayerName, standing: string): Promise<void>;
  /** SHA-256 of a layer's file, empty for one of before that doesn't tell; undefined when there is none. */
  findLayer(place: FieldDatePlace, layer: LayerName): Promise<string | undefined>;
  findItem(place: FieldDatePlace): Promise<StoredDocument | undefined>;
  /** Deletes what lies in the folder of a day, the document first; what was written later stays. */
  removeDay(place: FieldDatePlace, writtenBefore: Date): Promise<void>;
  /** @param etag of the reading it rests on; undefined when there was none. @returns false when somebody else wrote */
  putItem(place: FieldDatePlace, document: unknown, etag: string | undefined): Promise<boolean>;
  readIndex(customer: string, fieldId: string): Promise<StoredDocument | undefined>;
  /** As `putItem`. @returns the new mark, undefined when somebody else wrote */
  putIndex(
    field: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<string | undefined>;
  readItems(customer: string, fieldId: string): Promise<StoredDocument | undefined>;
  putItems(
    field: { readonly customer: string; readonly fieldId: string },
    document: unknown,
    etag: string | undefined,
  ): Promise<string | undefined>;
  /** The mark of a field's `statistics.csv`, undefined when there is none. */
  findStatistics(customer: string, fieldId: string): Promise<string | undefined>;
  putStatistics(
    field: { readonly customer: string; readonly fieldId: string },
    csv: string,
    etag: string | undefined,
  ): Promise<string | undefined>;
}
