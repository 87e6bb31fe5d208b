import { unzipSync, type UnzipFileInfo } from 'fflate';
import {
  archiveOf,
  plainName,
  requireFewFiles,
  smallFile,
  type Archive,
} from '../../../../shared/farm/files/archive.js';
import { kmlInArchive } from '../../../../shared/farm/files/kmlInArchive.js';
import type { ConvertedFile } from './fieldCollection.js';
import { FileFault, shownText } from './fileFault.js';

const MB = 1024 * 1024;
/** Of each file that is read in an archive. */
const MOST_UNPACKED_MB = 200;

/** The fields in a KMZ file, or in a zip file with one shapefile. @throws FileFault */
export async function archiveFields(bytes: Uint8Array): Promise<ConvertedFile> {
  const archive = openArchive(bytes);
  const names = [...archive.files.keys()];
  if (names.some((name) => /\.shp$/i.test(name))) return (await import('./shapeFields.js')).shapeFields(archive);
  const name = kmlInArchive(names);
  const document = archive.files.get(name ?? '');
  if (name === undefined || document === undefined) {
    throw new FileFault(
      'The archive has no .shp file and no .kml file. Pack one shapefile: .shp, .shx, .dbf, .prj and .cpg.',
    );
  }
  const { kmlFields } = await import('./kmlFields.js');
  return kmlFields(name, await smallFile(document, name, Infinity));
}

/** What stands in the directory at the archive's end; a file is unpacked when it is read first. */
function openArchive(bytes: Uint8Array): Archive {
  const entries: UnzipFileInfo[] = [];
  unpack(bytes, (entry) => {
    entries.push(entry);
    return false;
  });
  requireFewFiles(entries.length);
  return archiveOf(
    entries.flatMap(({ name, originalSize }) => {
      const plain = plainName(name);
      let content: Uint8Array | undefined;
      // eslint-disable-next-line @typescript-eslint/require-await -- a stream of one piece
      const read = async function* (): AsyncIterable<Uint8Array> {
        content ??= unpacked(bytes, name, originalSize);
        yield content;
      };
      return plain === undefined ? [] : [[plain, { bytes: originalSize, read }] as const];
    }),
  );
}

/** Unpacks a file; it gets no longer than the directory says, which is asked first. */
function unpacked(bytes: Uint8Array, name: string, size: number): Uint8Array {
  if (size > MOST_UNPACKED_MB * MB) {
    const text = `The archive has ${Math.round(size / MB)} MB unpacked; at most ${MOST_UNPACKED_MB} MB are taken. Split the file, or simplify its boundaries.`;
    throw new FileFault(text);
  }
  const content = unpack(bytes, (each) => each.name === name)[name];
  if (content?.byteLength !== size) throw damaged(`${shownText(name)} is cut off`);
  return content;
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
