import { zipSync } from 'fflate';

type Point = readonly [x: number, y: number];
/** Rings as the file has them; null for a record without a shape. */
export type ShapeOfTest = readonly (readonly Point[])[] | null;

export const WGS84 =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** Esri's text of a UTM zone on WGS 84. */
export const utmText = (zone: number, northing = 0, gcs = WGS84): string =>
  `PROJCS["WGS_1984_UTM_Zone_${zone}",${gcs},PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",${northing}.0],PARAMETER["Central_Meridian",${zone * 6 - 183}.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`;

/** A square of this side whose lower left corner is at a place, clockwise as outer rings of shapefiles run. */
export const square = ([x, y]: Point, side = 0.01): readonly Point[] => [
  [x, y],
  [x, y + side],
  [x + side, y + side],
  [x + side, y],
  [x, y],
];

/** A record of type 5, 15 or 25 without its head. */
export function shapeBytes(shape: ShapeOfTest, type = 5): Buffer {
  if (shape === null) return Buffer.alloc(4);
  const points = shape.flat();
  // Heights and measures: a range of two, then one a point.
  const extra = type === 5 ? 0 : (2 + points.length) * 8;
  const bytes = Buffer.alloc(44 + 4 * shape.length + 16 * points.length + extra);
  bytes.writeInt32LE(type, 0);
  bytes.writeInt32LE(shape.length, 36);
  bytes.writeInt32LE(points.length, 40);
  let start = 0;
  for (const [part, ring] of shape.entries()) {
    bytes.writeInt32LE(start, 44 + 4 * part);
    start += ring.length;
  }
  for (const [index, [x, y]] of points.entries()) {
    bytes.writeDoubleLE(x, 44 + 4 * shape.length + 16 * index);
    bytes.writeDoubleLE(y, 44 + 4 * shape.length + 16 * index + 8);
  }
  return bytes;
}

/** A .shp file. */
export function shpFile(shapes: readonly ShapeOfTest[], type = 5): Buffer {
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(type, 32);
  const records = shapes.map((shape, index) => {
    const content = shapeBytes(shape, type);
    const recordHead = Buffer.alloc(8);
    recordHead.writeInt32BE(index + 1, 0);
    recordHead.writeInt32BE(content.byteLength / 2, 4);
    return Buffer.concat([recordHead, content]);
  });
  return Buffer.concat([head, ...records]);
}

/** Where a record of a .shp file lies, and how long its content is, in bytes. */
export type RecordOfTest = readonly [offset: number, length: number];

/** The records of a .shp file as they follow each other. */
export function recordsOf(shp: Buffer): readonly RecordOfTest[] {
  const records: RecordOfTest[] = [];
  for (let at = 100; at < shp.byteLength; at += 8 + shp.readInt32BE(at + 4) * 2) {
    records.push([at, shp.readInt32BE(at + 4) * 2]);
  }
  return records;
}

/** The .shx file of records. */
export function shxFile(records: readonly (RecordOfTest | undefined)[]): Buffer {
  const bytes = Buffer.alloc(100 + 8 * records.length);
  bytes.writeInt32BE(9994, 0);
  bytes.writeInt32BE(bytes.byteLength / 2, 24);
  for (const [index, [offset, length] = [0, 0]] of records.entries()) {
    bytes.writeInt32BE(offset / 2, 100 + 8 * index);
    bytes.writeInt32BE(length / 2, 104 + 8 * index);
  }
  return bytes;
}

export interface ColumnOfTest {
  readonly name: string;
  readonly type?: string;
  readonly length?: number;
}

/** A .dbf file. A row whose first value is null was deleted. @param driver the number of its code page, byte 29 */
export function dbfFile(
  columns: readonly ColumnOfTest[],
  rows: readonly (readonly (string | null)[])[],
  encoding: BufferEncoding = 'utf8',
  driver = 0,
): Buffer {
  const rowBytes = 1 + columns.reduce((sum, { length = 20 }) => sum + length, 0);
  const head = Buffer.alloc(32);
  head.writeUInt8(3, 0);
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(33 + 32 * columns.length, 8);
  head.writeUInt16LE(rowBytes, 10);
  head.writeUInt8(driver, 29);
  const described = columns.map(({ name, type = 'C', length = 20 }) => {
    const column = Buffer.alloc(32);
    Buffer.from(name, encoding).copy(column, 0, 0, 11);
    column.write(type, 11, 'latin1');
    column.writeUInt8(length, 16);
    return column;
  });
  const written = rows.map((row) => {
    const bytes = Buffer.alloc(rowBytes, ' ');
    if (row[0] === null) bytes.write('*', 0, 'latin1');
    let at = 1;
    for (const [index, { length = 20 }] of columns.entries()) {
      Buffer.from(row[index] ?? '', encoding).copy(bytes, at, 0, length);
      at += length;
    }
    return bytes;
  });
  return Buffer.concat([head, ...described, Buffer.from([0x0d]), ...written, Buffer.from([0x1a])]);
}

/** A zipped shapefile; a part that is undefined is left out. */
export const zipped = (parts: Readonly<Record<string, Uint8Array | string | undefined>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).flatMap(([name, content]) =>
          content === undefined ? [] : [[name, new Uint8Array(Buffer.from(content))]],
        ),
      ),
    ),
  );

/** A sound one with squares side by side, `ID` and `NAME` of each. */
export const zippedSquares = (count: number): Buffer =>
  zipped({
    'fields.shp': shpFile(Array.from({ length: count }, (_, index) => [square([9 + index / 50, 55])])),
    'fields.dbf': dbfFile(
      [{ name: 'ID' }, { name: 'NAME' }],
      Array.from({ length: count }, (_, index) => [`f-${index}`, `Field ${index}`]),
    ),
    'fields.prj': WGS84,
  });
