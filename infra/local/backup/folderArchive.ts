import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip, createGzip } from 'node:zlib';
import type { ArchivePart, BackupArchive, BackupManifest } from '../../../shared/operate/backup/backupArchive.js';

/** An export in a folder, with the same files as one in a container; readable by the owner alone. */
export function folderArchive(folder: string): BackupArchive {
  const fileOf = (part: ArchivePart): string => join(folder, `${part}.ndjson.gz`);
  const manifest = join(folder, 'manifest.json');
  return {
    place: folder,
    write: async (part, lines) => {
      mkdirSync(folder, { recursive: true });
      const zip = createGzip();
      const file = zip.pipe(createWriteStream(fileOf(part), { mode: 0o600 }));
      for await (const line of lines) if (!zip.write(`${line}\n`)) await once(zip, 'drain');
      zip.end();
      await once(file, 'finish');
    },
    read: async function* (part) {
      yield* createInterface({ input: createReadStream(fileOf(part)).pipe(createGunzip()) });
    },
    finish: (content) => {
      writeFileSync(manifest, JSON.stringify(content), { mode: 0o600 });
      return Promise.resolve();
    },
    manifest: () =>
      Promise.resolve(
        existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as BackupManifest) : undefined,
      ),
  };
}
