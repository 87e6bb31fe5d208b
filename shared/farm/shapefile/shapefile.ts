import type { MultiPolygon, Polygon, Position } from '../../geo/shapes/geoJson.js';
import type { PlanePoint } from '../../geo/shapes/rings.js';
import type { ArchivedFile } from '../files/archive.js';
import { ByteReader } from '../files/byteReader.js';
import { decoderOf } from './codePage.js';
import { damagedTable, isDeletedRow, readTable, valuesOf, type DbaseTable, type DbaseValues } from './dbase.js';
import { ImportFault } from '../files/importFault.js';
import { HEAD_BYTES, RECORD_HEAD_BYTES, shapeRecords, type IndexedFiles, type ShapeRecord } from './shapeIndex.js';
import { shapePolygon } from './shapePolygon.js';

/** The files of a shapefile. */
export interface ShapefileParts extends IndexedFiles {
  readonly table: ArchivedFile;
  /** What is said of the code page of its table. */
  readonly codePage: string | undefined;
}

/** A shape with its row of the table, both as their files have them. */
export interface RawShape {
  /** From 0, deleted ones counted in. */
  readonly index: number;
  /** A text that says why it can't be read. */
  readonly shape: Uint8Array | string;
  /** Undefined behind the end of the table. */
  readonly row: Uint8Array | undefined;
}

/** A shape as a feature. */
export interface ShapeFeature {
  readonly type: 'Feature';
  readonly geometry: Polygon | MultiPolygon;
  readonly properties: DbaseValues;
}

const MB = 1024 * 1024;
/** Some 100,000 positions with height and measure. */
const MOST_RECORD_BYTES = 8 * MB;
/** Of a .shp file whose records lie out of order, and is held whole. */
const MOST_HELD_BYTES = 64 * MB;

/** A shapefile that can be read. */
export interface OpenShapefile {
  readonly table: DbaseTable;
  /** Records, deleted ones counted in. */
  readonly count: number;
  /** Shapes that were not deleted, in their order. */
  readonly shapes: () => AsyncIterable<RawShape>;
}

/** Reads what says how a shapefile is read. @param most records that are taken @throws ImportFault */
export async function openShapefile(file: ShapefileParts, most: number): Promise<OpenShapefile> {
  const reader = new ByteReader(file.table.read());
  try {
    const table = await readTable(reader, file.codePage);
    const records = await shapeRecords(file, { rows: table.rows, most });
    if (table.headBytes + Math.min(table.rows, records.length) * table.rowBytes > file.table.bytes) {
      throw damagedTable('it ends within its rows');
    }
    const isInOrder = areInOrder(records, file.shapes.bytes);
    if (!isInOrder && file.shapes.bytes > MOST_HELD_BYTES) {
      throw new ImportFault(
        `The records of the .shp file lie out of order, which is taken up to ${MOST_HELD_BYTES / MB} MB. Write it anew: ogr2ogr new.shp old.shp`,
      );
    }
    return { table, count: records.length, shapes: () => rawShapes(file, table, { records, isInOrder }) };
  } finally {
    await reader.close();
  }
}

/** The content of a record: from a byte to the one before another. */
interface Span {
  readonly begin: number;
  readonly end: number;
}

/** A record that is longer than the file is read as far as it goes. @returns a text that says why it is no record */
function spanOf({ offset, length }: ShapeRecord, fileBytes: number): Span | string {
  const begin = offset + RECORD_HEAD_BYTES;
  const end = Math.min(begin + length, fileBytes);
  if (offset < HEAD_BYTES || end - begin < 4) {
    return 'The .shx file says that the shape lies outside of the .shp file; write the shapefile anew.';
  }
  if (end - begin <= MOST_RECORD_BYTES) return { begin, end };
  return `The shape has ${Math.ceil((end - begin) / MB)} MB; at most ${MOST_RECORD_BYTES / MB} MB are taken. Simplify it.`;
}

function areInOrder(records: readonly ShapeRecord[], fileBytes: number): boolean {
  let last = 0;
  for (const record of records) {
    const span = spanOf(record, fileBytes);
    if (typeof span === 'string') continue;
    if (span.begin < last) return false;
    last = span.end;
  }
  return true;
}

interface OrderedRecords {
  readonly records: readonly ShapeRecord[];
  readonly isInOrder: boolean;
}

/** A file can only be unpacked from its beginning on: what lies out of order is held in memory. */
async function* rawShapes(
  file: ShapefileParts,
  table: DbaseTable,
  { records, isInOrder }: OrderedRecords,
): AsyncIterable<RawShape> {
  const [shapes, rows] = [new ByteReader(file.shapes.read()), new ByteReader(file.table.read())];
  try {
    await rows.skipTo(table.headBytes);
    const held = isInOrder ? undefined : await shapes.read(file.shapes.bytes);
    for (const [index, record] of records.entries()) {
      const span = spanOf(record, file.shapes.bytes);
      const row = index < table.rows ? await rows.read(table.rowBytes) : undefined;
      if (row !== undefined && isDeletedRow(row)) continue;
      yield { index, shape: typeof span === 'string' ? span : await contentOf(span, held ?? shapes), row };
    }
  } finally {
    await Promise.all([shapes.close(), rows.close()]);
  }
}

async function contentOf({ begin, end }: Span, shapes: ByteReader | Uint8Array): Promise<Uint8Array> {
  if (shapes instanceof Uint8Array) return shapes.slice(begin, end);
  await shapes.skipTo(begin);
  return (await shapes.read(end - begin)) ?? new Uint8Array(0);
}

/** Makes features of the shapes of a table, with positions by their map. @returns a text that says what is wrong with a shape */
export function featureReader(
  table: DbaseTable,
  position: (point: PlanePoint) => Position,
): (raw: RawShape) => ShapeFeature | string {
  const decode = decoderOf(table.codePage);
  return ({ shape, row }) => {
    const geometry = typeof shape === 'string' ? shape : shapePolygon(shape, position);
    if (typeof geometry === 'string') return geometry;
    const properties = row === undefined ? {} : valuesOf(row, table, decode);
    return typeof properties === 'string' ? properties : { type: 'Feature', geometry, properties };
  };
}
