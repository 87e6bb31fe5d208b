import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { ImportFault } from './importFault.js';

const MOST_FILES = 2_000;
const MOST_UNPACKED_MB = 500;

/** The files of an archive, by name. */
export interface Archive {
  readonly files: ReadonlyMap<string, ArchivedFile>;
}

/** One file of an archive. Its content is unpacked while it is read, and never longer than its size. */
export interface ArchivedFile {
  readonly bytes: number;
  readonly read: () => AsyncIterable<Buffer>;
}

/**
 * Opens a ZIP archive. Its directory at the end is read at once: one that was cut off has none.
 *
 * @throws ImportFault for what is no archive, is encrypted, has too many or too large files
 */
export async function openZip(bytes: Buffer): Promise<Archive> {
  const zip = await understood(() => fromBufferPromise(bytes, { lazyEntries: true, strictFileNames: true }));
  if (zip.entryCount > MOST_FILES) {
    throw new ImportFault(`The archive has ${zip.entryCount} files; at most ${MOST_FILES} are taken.`);
  }
  const entries = await understood(() => entriesOf(zip));
  const unpackedMb = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0) / (1024 * 1024);
  if (unpackedMb > MOST_UNPACKED_MB) {
    const text = `The archive has ${Math.round(unpackedMb)} MB unpacked; at most ${MOST_UNPACKED_MB} MB are taken.`;
    throw new ImportFault(text);
  }
  entries.forEach(requirePlain);
  const files = entries.map((entry): [string, ArchivedFile] => [entry.fileName, fileOf(zip, entry)]);
  if (new Set(files.map(([name]) => name)).size < files.length) throw new ImportFault('The archive has a name twice.');
  return { files: new Map(files) };
}

async function entriesOf(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

function requirePlain(entry: Entry): void {
  const name = entry.fileName.slice(0, 64).replaceAll(/\p{C}/gu, '?');
  if (entry.isEncrypted()) throw new ImportFault(`The file ${name} is encrypted; pack it without a password.`);
  if (!entry.canDecodeFileData()) throw new ImportFault(`The file ${name} is packed by a method other than deflate.`);
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

/** The whole content of a small file. @throws ImportFault above `mostBytes` */
export async function smallFile(file: ArchivedFile, name: string, mostBytes: number): Promise<Buffer> {
  if (file.bytes > mostBytes) throw new ImportFault(`The file ${name} has more than ${mostBytes} bytes.`);
  const chunks: Buffer[] = [];
  for await (const chunk of file.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}
