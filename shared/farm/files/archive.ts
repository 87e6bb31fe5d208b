import { ByteReader } from './byteReader.js';
import { ImportFault } from './importFault.js';

/** Entries of an archive; one of a Mac has two for each file, one of a map its pictures. */
const MOST_FILES = 2_000;

/** The files of an archive, by name, with `/` between folders. */
export interface Archive {
  readonly files: ReadonlyMap<string, ArchivedFile>;
}

/** One file of an archive. Its content is unpacked while it is read, and never longer than its size. */
export interface ArchivedFile {
  readonly bytes: number;
  /** Its content, from the beginning each time. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** @throws ImportFault for an archive with more entries than are taken */
export function requireFewFiles(count: number): void {
  if (count <= MOST_FILES) return;
  throw new ImportFault(`The archive has ${count} files; at most ${MOST_FILES} are taken. Pack the fields alone.`);
}

/**
 * The name of an entry as all writers should have it: without `\`, without what stands before the first folder. It names no
 * place: nothing is ever unpacked there.
 *
 * @returns undefined for a folder, and for what a Mac adds
 */
export function plainName(name: string): string | undefined {
  const parts = name.split(/[/\\]/);
  if (parts.at(-1) === '' || parts.some((part) => part === '__MACOSX' || part.startsWith('._'))) return undefined;
  return parts.filter((part) => part !== '' && part !== '.').join('/');
}

/** Files by their plain names. @throws ImportFault for a name that stands there twice */
export function archiveOf(files: readonly (readonly [name: string, file: ArchivedFile])[]): Archive {
  const byName = new Map(files);
  if (byName.size < files.length) throw new ImportFault('The archive has a name twice.');
  return { files: byName };
}

/** The whole content of a small file. @throws ImportFault above `mostBytes` */
export async function smallFile(file: ArchivedFile, name: string, mostBytes: number): Promise<Uint8Array> {
  if (file.bytes > mostBytes) throw new ImportFault(`The file ${name} has more than ${mostBytes} bytes.`);
  const reader = new ByteReader(file.read());
  const content = await reader.read(file.bytes);
  await reader.close();
  return content ?? new Uint8Array(0);
}
