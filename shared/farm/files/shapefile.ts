import { ByteReader, numbersIn } from './byteReader.js';
import { isDeletedRow, readTable, type DbaseTable } from './dbase.js';
import { ImportFault } from './importFault.js';

/** The content of a .shp file and its .dbf file, each read once. */
export interface ShapefileParts {
  readonly shapes: { readonly read: () => AsyncIterable<Uint8Array> };
  readonly table: { readonly read: () => AsyncIterable<Uint8Array> };
}

/** A shape with its row of the table, both as their files have them. */
export interface RawShape {
  /** From 0, deleted ones counted in. */
  readonly index: number;
  readonly shape: Uint8Array;
  /** Undefined behind the end of the table. */
  readonly row: Uint8Array | undefined;
}

const HEAD_BYTES = 100;
const RECORD_HEAD_BYTES = 8;
const MAGIC = 9994;
/** Some 100,000 positions with height and measure. */
const MOST_RECORD_BYTES = 8 * 1024 * 1024;
/** Polygons, with height, with measures. */
const AREAS = new Set([5, 15, 25]);

/** What is read of a shapefile, its table's head first. */
export interface OpenShapefile {
  readonly table: DbaseTable;
  /** Shapes that were not deleted, in their order. @throws ImportFault at the place where a file is damaged */
  readonly shapes: () => AsyncIterable<RawShape>;
  readonly close: () => Promise<void>;
}

/** Begins to read a shapefile. @throws ImportFault */
export async function openShapefile(file: ShapefileParts): Promise<OpenShapefile> {
  const [shapes, rows] = [new ByteReader(file.shapes.read()), new ByteReader(file.table.read())];
  const table = await readTable(rows);
  await requireAreas(shapes);
  return {
    table,
    shapes: () => rawShapes(shapes, rows, table),
    close: async () => {
      await Promise.all([shapes.close(), rows.close()]);
    },
  };
}

async function requireAreas(shapes: ByteReader): Promise<void> {
  const head = await shapes.read(HEAD_BYTES);
  const numbers = head === undefined ? undefined : numbersIn(head);
  if (numbers?.getInt32(0) !== MAGIC) throw new ImportFault('The .shp file is none.');
  const type = numbers.getInt32(32, true);
  if (AREAS.has(type)) return;
  throw new ImportFault(`The shapefile has shapes of type ${type}; polygons are taken (types 5, 15 and 25).`);
}

async function* rawShapes(shapes: ByteReader, rows: ByteReader, table: DbaseTable): AsyncIterable<RawShape> {
  for (let index = 0; ; index += 1) {
    const head = await shapes.read(RECORD_HEAD_BYTES);
    if (head === undefined) return;
    const bytes = numbersIn(head).getInt32(4) * 2;
    const shape = bytes < 4 || bytes > MOST_RECORD_BYTES ? undefined : await shapes.read(bytes);
    if (shape === undefined) {
      throw new ImportFault(
        `The .shp file is damaged at shape ${index}; the shapes before it are sound. Write the file anew.`,
      );
    }
    const row = index < table.rows ? await rows.read(table.rowBytes) : undefined;
    if (row === undefined || !isDeletedRow(row)) yield { index, shape, row };
  }
}
