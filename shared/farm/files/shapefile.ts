import { ByteReader } from './byteReader.js';
import { encodingOf, isDeletedRow, readTable, type DbaseTable } from './dbase.js';
import { ImportFault } from './importFault.js';
import { CONVERSION, mapCodeOf, type MapCode } from './mapProjection.js';
import { openZip, smallFile, type Archive, type ArchivedFile } from './zip.js';

/** The parts of one shapefile. */
export interface Shapefile {
  readonly shapes: ArchivedFile;
  readonly table: ArchivedFile;
  readonly code: MapCode;
  readonly encoding: string;
}

/** A shape with its row of the table, both as their files have them. */
export interface RawShape {
  /** From 0, deleted ones counted in. */
  readonly index: number;
  readonly shape: Buffer;
  /** Undefined behind the end of the table. */
  readonly row: Buffer | undefined;
}

const SMALL_BYTES = 64 * 1024;
const HEAD_BYTES = 100;
const RECORD_HEAD_BYTES = 8;
const MAGIC = 9994;
/** Some 100,000 positions with height and measure. */
const MOST_RECORD_BYTES = 8 * 1024 * 1024;
/** Polygons, with height, with measures. */
const AREAS = new Set([5, 15, 25]);

/**
 * The one shapefile of an archive; shapes and table are not read yet.
 *
 * @throws ImportFault without one, with several, without a reference system that is known
 */
export async function shapefileIn(bytes: Buffer): Promise<Shapefile> {
  const archive = await openZip(bytes);
  const names = [...archive.files.keys()].filter((name) => /\.shp$/i.test(name));
  const [name = ''] = names;
  if (names.length !== 1) {
    throw new ImportFault(`The archive has ${names.length} .shp files; pack one shapefile: .shp, .dbf, .prj, .cpg.`);
  }
  const part = (ending: string): ArchivedFile | undefined => partOf(archive, name.slice(0, -4), ending);
  const [shapes, table, prj, cpg] = [part('shp'), part('dbf'), part('prj'), part('cpg')];
  if (shapes === undefined || table === undefined)
    throw new ImportFault(`The archive has no .dbf file beside ${name}.`);
  if (prj === undefined) {
    const text = `The archive has no .prj file beside ${name}, so its reference system is unknown. One is made by: ${CONVERSION}`;
    throw new ImportFault(text);
  }
  const code = mapCodeOf((await smallFile(prj, '.prj', SMALL_BYTES)).toString('utf8'));
  const codePage = cpg && (await smallFile(cpg, '.cpg', SMALL_BYTES)).toString('latin1');
  return { shapes, table, code, encoding: encodingOf(codePage) };
}

const partOf = ({ files }: Archive, base: string, ending: string): ArchivedFile | undefined =>
  [...files].find(([name]) => name.toLowerCase() === `${base}.${ending}`.toLowerCase())?.[1];

/** What is read of a shapefile, its table's head first. */
export interface OpenShapefile {
  readonly table: DbaseTable;
  /** Shapes that were not deleted, in their order. @throws ImportFault at the place where a file is damaged */
  readonly shapes: () => AsyncIterable<RawShape>;
  readonly close: () => Promise<void>;
}

/** Begins to read a shapefile. @throws ImportFault */
export async function openShapefile(file: Pick<Shapefile, 'shapes' | 'table'>): Promise<OpenShapefile> {
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
  if (head?.readInt32BE(0) !== MAGIC) throw new ImportFault('The .shp file is none.');
  const type = head.readInt32LE(32);
  if (AREAS.has(type)) return;
  throw new ImportFault(`The shapefile has shapes of type ${type}; polygons are taken (types 5, 15 and 25).`);
}

async function* rawShapes(shapes: ByteReader, rows: ByteReader, table: DbaseTable): AsyncIterable<RawShape> {
  for (let index = 0; ; index += 1) {
    const head = await shapes.read(RECORD_HEAD_BYTES);
    if (head === undefined) return;
    const bytes = head.readInt32BE(4) * 2;
    const shape = bytes < 4 || bytes > MOST_RECORD_BYTES ? undefined : await shapes.read(bytes);
    if (shape === undefined) {
      throw new ImportFault(`The .shp file is damaged at shape ${index}; the shapes before were imported.`);
    }
    const row = index < table.rows ? await rows.read(table.rowBytes) : undefined;
    if (row === undefined || !isDeletedRow(row)) yield { index, shape, row };
  }
}
