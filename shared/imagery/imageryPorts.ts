import type { MultiPolygon } from '../geo/geoJson.js';
import type { BlockShare } from '../raster/blockShare.js';
import type { PixelWindow } from '../raster/grid.js';
import type { Pixels } from '../raster/pixels.js';
import type { RasterError } from '../raster/rasterError.js';
import type { KnownOffset } from './catalogue/boaOffset.js';
import type { FieldDate } from './records/fieldDate.js';
import type { LayerName } from './layers/layers.js';
import type { Scene, SceneFile } from './catalogue/scene.js';

/** What became of fields on days. */
export interface FieldDateStore {
  /** By date; all days without a period. */
  list(
    customer: string,
    fieldId: string,
    period?: { readonly from: string; readonly to: string },
  ): Promise<readonly FieldDate[]>;
  /**
   * Stores each of these as `settle` puts it together with what is stored of the same day by then; nothing that others
   * write in between is lost.
   *
   * @returns what is stored of these days now
   */
  merge(
    customer: string,
    fieldDates: readonly FieldDate[],
    settle: Settle,
    options?: MergeOptions,
  ): Promise<readonly FieldDate[]>;
}

/** How records are stored. */
export interface MergeOptions {
  /** Nothing is known to be stored of these days: that is read only where it proves wrong. */
  readonly isNew?: boolean;
  /** What was made with these records, for the end of its time: stored with the first of them, never after. */
  readonly makings?: readonly Making[];
}

/** What is to be stored of a day, given what was found and what is stored. */
export type Settle = (found: FieldDate, stored: FieldDate | undefined) => FieldDate;

/** Fields whose files of a date were made on a day, together. */
export interface Making {
  /** UTC day. */
  readonly madeOn: string;
  readonly date: string;
  readonly fieldIds: readonly string[];
}

/** What was made when, so that it is found once it has had its time; it comes with the records of it. */
export interface MakingStore {
  /** Up to `most` of those before a day, the oldest first. */
  listBefore(customer: string, day: string, most: number): Promise<readonly Making[]>;
  /** Removing twice is harmless. */
  remove(customer: string, making: Making): Promise<void>;
}

/** Where a field's files of one day lie. */
export interface FieldDatePlace {
  readonly customer: string;
  readonly fieldId: string;
  readonly date: string;
}

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

/** The geometries that ingest stored. */
export interface FieldGeometrySource {
  /** @throws when there is none of this hash */
  read(customer: string, geometryHash: string): Promise<MultiPolygon>;
}

/** Reads the files of scenes. */
export interface SceneReader {
  /**
   * Windows of one file, each block fetched once: once for all reads that have a share in common.
   *
   * @returns one per window, in order; a fault for a window whose pixels are broken for good
   * @throws RasterError when the files are away
   */
  read(
    scene: Scene,
    file: SceneFile,
    options: { readonly windows: readonly PixelWindow[]; readonly signal: AbortSignal; readonly share?: BlockShare },
  ): Promise<readonly (Pixels | RasterError)[]>;
  /** What has to be added to the scene's digital numbers, the pixels asked where the catalogue can't be believed. */
  offsetOf(scene: Scene): Promise<KnownOffset>;
}
