/** Files that the rows of an export name, and without which these rows are of no use. */
import type { Blobs } from '../../storage/blobs.js';
import type { DataContainerName } from '../../storage/names.js';
import type { FilePart } from './backupArchive.js';

/** The blobs of a container. */
export type Files = (container: DataContainerName) => Pick<Blobs, 'list' | 'read' | 'write'>;

interface Place {
  readonly container: DataContainerName;
  /** The folder, somewhere below that of the owner, which comes first. */
  readonly folder: string;
  readonly type: string;
}

const places: Readonly<Record<FilePart, Place>> = {
  // Of what is monitored: images are cut along them.
  'files-geometries': { container: 'enrollment-inputs', folder: 'geometries', type: 'application/json' },
  // Of farm data: those that are too large for their row.
  'files-shapes': { container: 'farm-data', folder: 'shapes', type: 'application/gzip' },
};

/** Read or written at the same time: the largest has some 4 MB. */
const AT_ONCE = 16;

interface FileLine {
  readonly name: string;
  /** Base64. */
  readonly bytes: string;
}

/** The files of a part as lines, each whole. */
export async function* linesOfFiles(files: Files, part: FilePart): AsyncGenerator<string> {
  const { container, folder } = places[part];
  const blobs = files(container);
  const names = (await blobs.list('')).map(({ name }) => name).filter((name) => name.includes(`/${folder}/`));
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const read = async (name: string) => ({ name, blob: await blobs.read(name) });
    for (const { name, blob } of await Promise.all(names.slice(start, start + AT_ONCE).map(read))) {
      // Deleted since it was listed.
      if (blob !== undefined) yield JSON.stringify({ name, bytes: blob.bytes.toString('base64') } satisfies FileLine);
    }
  }
}

/** Writes the files back that are wanted. @returns how many lines were read */
export async function writeFiles(
  files: Files,
  { part, lines }: { readonly part: FilePart; readonly lines: AsyncIterable<string> },
  isWanted: (name: string) => boolean,
): Promise<number> {
  const { container, type } = places[part];
  const blobs = files(container);
  let read = 0;
  let writing: Promise<unknown>[] = [];
  for await (const line of lines) {
    read += 1;
    const { name, bytes } = JSON.parse(line) as FileLine;
    if (isWanted(name)) writing.push(blobs.write(name, Buffer.from(bytes, 'base64'), { type }));
    if (writing.length < AT_ONCE) continue;
    await Promise.all(writing);
    writing = [];
  }
  await Promise.all(writing);
  return read;
}
