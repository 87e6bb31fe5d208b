import type { ContainerClient } from '@azure/storage-blob';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { unlessStatus } from '../../storage/storageErrors.js';
import type { ArchivePart, BackupArchive, BackupManifest } from './backupArchive.js';

const CHUNK_BYTES = 4 * 1024 * 1024;
const CHUNKS_AT_ONCE = 2;

async function* withNewlines(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** Nobody may write over an export or delete one, neither by its role nor by the policy of the container. */
const ONLY_NEW = { ifNoneMatch: '*' };

/** @throws Error with what to do when the file is there already */
async function writtenOnce(place: string, write: () => Promise<unknown>): Promise<void> {
  const isWritten = await unlessStatus([409, 412], async () => {
    await write();
    return true;
  });
  if (isWritten === true) return;
  throw new Error(
    `There is an export ${place} already, whole or cut off. Exports are never written over: choose a new name.`,
  );
}

/** An export in a container: `<name>/<part>.ndjson.gz` and, last, `<name>/manifest.json`. */
export function blobBackupArchive(container: ContainerClient, name: string): BackupArchive {
  const fileOf = (part: ArchivePart) => container.getBlockBlobClient(`${name}/${part}.ndjson.gz`);
  const manifest = container.getBlockBlobClient(`${name}/manifest.json`);
  const place = `${container.containerName}/${name}`;
  return {
    place,
    write: async (part, lines) => {
      const stream = Readable.from(withNewlines(lines)).compose(createGzip()) as Readable;
      await writtenOnce(place, () =>
        fileOf(part).uploadStream(stream, CHUNK_BYTES, CHUNKS_AT_ONCE, { conditions: ONLY_NEW }),
      );
    },
    read: async function* (part) {
      const { readableStreamBody } = await fileOf(part).download();
      if (readableStreamBody === undefined) throw new Error(`${name}/${part} has no content.`);
      yield* createInterface({ input: readableStreamBody.pipe(createGunzip()) });
    },
    finish: async (content) => {
      const text = JSON.stringify(content);
      await writtenOnce(place, () =>
        manifest.upload(text, Buffer.byteLength(text), {
          conditions: ONLY_NEW,
          blobHTTPHeaders: { blobContentType: 'application/json' },
        }),
      );
    },
    manifest: async () => {
      const bytes = await unlessStatus([404], () => manifest.downloadToBuffer());
      return bytes === undefined ? undefined : (JSON.parse(bytes.toString('utf8')) as BackupManifest);
    },
  };
}

/** The names of the finished exports in a container, oldest first by their manifests: names may be chosen by hand. */
export async function listBackups(container: ContainerClient): Promise<readonly string[]> {
  const found: { readonly name: string; readonly exportedAt: string }[] = [];
  for await (const blob of container.listBlobsFlat()) {
    if (!blob.name.endsWith('/manifest.json')) continue;
    const name = blob.name.slice(0, -'/manifest.json'.length);
    const manifest = await blobBackupArchive(container, name).manifest();
    if (manifest !== undefined) found.push({ name, exportedAt: manifest.exportedAt });
  }
  return found.sort((a, b) => a.exportedAt.localeCompare(b.exportedAt)).map(({ name }) => name);
}
