import { encodingOf } from './dbase.js';
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

const SMALL_BYTES = 64 * 1024;

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
