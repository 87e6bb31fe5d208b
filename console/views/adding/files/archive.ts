import { unzipSync, type UnzipFileInfo } from 'fflate';
import { kmlInArchive } from '../../../../shared/farm/files/kmlInArchive.js';
import type { ConvertedFile } from './fieldCollection.js';
import { FileFault, shownText } from './fileFault.js';

const MOST_FILES = 2_000;
const MB = 1024 * 1024;
/** Of what is read in an archive. */
const MOST_UNPACKED_MB = 200;
/** Parts of a shapefile that are read; others, as its index, are not. */
const SHAPE_PARTS = ['shp', 'dbf', 'prj', 'cpg'];

type Listed = Pick<UnzipFileInfo, 'name' | 'originalSize'>;

/** The fields in a KMZ file, or in a zip file with one shapefile. @throws FileFault */
export async function archiveFields(bytes: Uint8Array): Promise<ConvertedFile> {
  const files = filesIn(bytes);
  const shapes = files.filter(({ name }) => /\.shp$/i.test(name));
  if (shapes.length > 1) {
    const text = `The archive has ${shapes.length} shapefiles (such as ${shownText(shapes[0]?.name ?? '')}); one is taken. Pack each by itself.`;
    throw new FileFault(text);
  }
  const [shape] = shapes;
  if (shape !== undefined) {
    const base = shape.name.slice(0, -4).toLowerCase();
    const parts = files.filter(({ name }) => SHAPE_PARTS.some((ending) => name.toLowerCase() === `${base}.${ending}`));
    const { shapeFields } = await import('./shapeFields.js');
    return shapeFields(shape.name, unpacked(bytes, parts));
  }
  const main = kmlInArchive(files.map(({ name }) => name));
  const document = files.find(({ name }) => name === main);
  if (document === undefined) {
    throw new FileFault(
      'The archive has no .shp file and no .kml file. Pack one shapefile: .shp, .dbf, .prj and .cpg.',
    );
  }
  const { kmlFields } = await import('./kmlFields.js');
  return kmlFields(document.name, unpacked(bytes, [document]).get(document.name) ?? new Uint8Array(0));
}

/** What stands in the directory at the archive's end, without what a Mac adds. */
function filesIn(bytes: Uint8Array): readonly Listed[] {
  const files: Listed[] = [];
  let count = 0;
  unpack(bytes, ({ name, originalSize }) => {
    count += 1;
    if (count <= MOST_FILES && !/(^|\/)(__MACOSX\/|\._)/.test(name)) files.push({ name, originalSize });
    return false;
  });
  if (count > MOST_FILES) {
    throw new FileFault(`The archive has ${count} files; at most ${MOST_FILES} are taken. Pack the fields alone.`);
  }
  return files;
}

/** Unpacks files; none gets longer than the directory says, which is asked first. */
function unpacked(bytes: Uint8Array, wanted: readonly Listed[]): ReadonlyMap<string, Uint8Array> {
  const size = wanted.reduce((sum, { originalSize }) => sum + originalSize, 0) / MB;
  if (size > MOST_UNPACKED_MB) {
    const text = `The archive has ${Math.round(size)} MB unpacked; at most ${MOST_UNPACKED_MB} MB are taken. Split the file, or simplify its boundaries.`;
    throw new FileFault(text);
  }
  const names = new Set(wanted.map(({ name }) => name));
  const files = new Map(Object.entries(unpack(bytes, ({ name }) => names.has(name))));
  for (const { name, originalSize } of wanted) {
    if (files.get(name)?.byteLength !== originalSize) throw damaged(`${shownText(name)} is cut off`);
  }
  return files;
}

function unpack(bytes: Uint8Array, filter: (file: UnzipFileInfo) => boolean): Readonly<Record<string, Uint8Array>> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw damaged((error as Error).message);
  }
}

const damaged = (why: string): FileFault =>
  new FileFault(`The archive can’t be unpacked (${why}). Pack it anew by deflate, without a password.`);
