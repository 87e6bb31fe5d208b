import { smallFile, type Archive, type ArchivedFile } from '../files/archive.js';
import { codePageOf } from './codePage.js';
import { ImportFault } from '../files/importFault.js';
import { CONVERSION } from './mapProjection.js';

/** The parts of one shapefile: what it holds is not read yet. */
export interface ArchivedShapefile {
  readonly shapes: ArchivedFile;
  readonly table: ArchivedFile;
  /** Its .shx file. */
  readonly index: ArchivedFile | undefined;
  readonly prj: string;
  /** What its .cpg file says, or the .cst file of GeoServer. */
  readonly codePage: string | undefined;
}

const SMALL_BYTES = 64 * 1024;

/** The one shapefile of an archive, in whatever folder. @throws ImportFault without one, with several, without a part */
export async function shapefileIn(archive: Archive): Promise<ArchivedShapefile> {
  const names = [...archive.files.keys()].filter((name) => /\.shp$/i.test(name));
  const [name = ''] = names;
  if (names.length !== 1) {
    const such = names.length === 0 ? '' : ` (such as ${shown(name)})`;
    throw new ImportFault(
      `The archive has ${names.length} .shp files${such}; pack one shapefile: .shp, .shx, .dbf, .prj, .cpg.`,
    );
  }
  const part = (ending: string): ArchivedFile | undefined => partOf(archive, name.slice(0, -4), ending);
  const text = async (ending: string): Promise<string | undefined> => {
    const file = part(ending);
    return file && new TextDecoder().decode(await smallFile(file, `.${ending}`, SMALL_BYTES));
  };
  const [shapes, table, prj] = [part('shp'), part('dbf'), await text('prj')];
  if (shapes === undefined || table === undefined) {
    throw new ImportFault(
      `The archive has no .dbf file beside ${shown(name)}, so its fields have no names. Pack it too.`,
    );
  }
  if (prj === undefined) {
    throw new ImportFault(
      `The archive has no .prj file beside ${shown(name)}, so its reference system is unknown. One is made by: ${CONVERSION}`,
    );
  }
  const codePage = codePageOf((await text('cpg')) ?? (await text('cst')));
  return { shapes, table, index: part('shx'), prj, codePage };
}

const shown = (name: string): string => name.slice(0, 64).replaceAll(/\p{C}/gu, '?');

const partOf = ({ files }: Archive, base: string, ending: string): ArchivedFile | undefined =>
  [...files].find(([name]) => name.toLowerCase() === `${base}.${ending}`.toLowerCase())?.[1];
