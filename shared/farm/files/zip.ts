import { fromBufferPromise, getFileNameLowLevel, type Entry, type ZipFile } from 'yauzl';
import { archiveOf, plainName, requireFewFiles, type Archive, type ArchivedFile } from './archive.js';
import { ImportFault } from './importFault.js';

const MOST_UNPACKED_MB = 500;

/**
 * Opens a ZIP archive. Its directory at the end is read at once: one that was cut off has none.
 *
 * @throws ImportFault for what is no archive, is encrypted, has too many or too large files, or a name twice
 */
export async function openZip(bytes: Buffer): Promise<Archive> {
  const zip = await understood(() => fromBufferPromise(bytes, { lazyEntries: true, decodeStrings: false }));
  requireFewFiles(zip.entryCount);
  const entries = await understood(() => entriesOf(zip));
  const unpackedMb = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) / (1024 * 1024);
  if (unpackedMb > MOST_UNPACKED_MB) {
    const text = `The archive has ${Math.round(unpackedMb)} MB unpacked; at most ${MOST_UNPACKED_MB} MB are taken.`;
    throw new ImportFault(text);
  }
  return archiveOf(entries.flatMap((entry) => namedFiles(zip, entry)));
}

async function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

/** None for a folder and the like. The library's own check of names is for those who unpack to a disk. */
function namedFiles(zip: ZipFile, entry: Entry): readonly (readonly [string, ArchivedFile])[] {
  const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const name = plainName(getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false));
  if (name === undefined) return [];
  const shown = name.slice(0, 64).replaceAll(/\p{C}/gu, '?');
  if (entry.isEncrypted()) throw new ImportFault(`The file ${shown} is encrypted; pack it without a password.`);
  if (!entry.canDecodeFileData()) throw new ImportFault(`The file ${shown} is packed by a method other than deflate.`);
  return [[name, fileOf(zip, entry)]];
}

const fileOf = (zip: ZipFile, entry: Entry): ArchivedFile => ({
  bytes: entry.uncompressedSize,
  read: async function* () {
    // The library ends the stream with an error when there is more or less than the directory says.
    const stream = await understood(() => zip.openReadStreamPromise(entry));
    try {
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      throw notReadable(error);
    } finally {
      stream.destroy();
    }
  },
});

async function understood<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw notReadable(error);
  }
}

const notReadable = (cause: unknown): ImportFault => {
  const why = cause instanceof Error ? cause.message.slice(0, 200).replaceAll(/\p{C}/gu, '?') : 'unknown reason';
  return new ImportFault(`The ZIP archive cannot be read (${why}); pack it anew.`, { cause });
};
