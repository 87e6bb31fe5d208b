import type { Clock } from '../../kit/clock.js';
import type { TableName } from '../../storage/names.js';
import type { RawRows } from '../../storage/azure/rawRows.js';
import { fileParts, type ArchivePart, type BackupArchive, type BackupManifest } from './backupArchive.js';
import { linesOfFiles, type Files } from './exportedFiles.js';
import { keptTables } from './tableKinds.js';
import { isExported } from './tombstones.js';

interface ExportPorts {
  readonly rawRows: (name: TableName) => RawRows;
  readonly files: Files;
  readonly clock: Pick<Clock, 'now'>;
}

/** Passes lines on and counts them. */
async function* counted(lines: AsyncIterable<string>, count: () => void): AsyncGenerator<string> {
  for await (const line of lines) {
    count();
    yield line;
  }
}

async function* linesOfRows(name: TableName, rows: RawRows): AsyncGenerator<string> {
  for await (const row of rows.all()) if (isExported(name, row)) yield JSON.stringify(row);
}

/**
 * Exports every table that is kept, and the files that its rows name. The service may work meanwhile: rows that belong
 * together but were read at different moments are made consistent when they are restored.
 */
export const exportTables =
  ({ rawRows, files, clock }: ExportPorts) =>
  async (archive: BackupArchive): Promise<BackupManifest> => {
    const exportedAt = clock.now().toISOString();
    const counts: Partial<Record<ArchivePart, number>> = {};
    const write = async (part: ArchivePart, lines: AsyncIterable<string>): Promise<void> => {
      let count = 0;
      await archive.write(
        part,
        counted(lines, () => (count += 1)),
      );
      counts[part] = count;
    };
    for (const name of keptTables) await write(name, linesOfRows(name, rawRows(name)));
    for (const part of fileParts) await write(part, linesOfFiles(files, part));
    const of = <P extends ArchivePart>(parts: readonly P[]) =>
      Object.fromEntries(parts.map((part) => [part, counts[part] ?? 0])) as Record<P, number>;
    const manifest = { exportedAt, rows: of(keptTables), files: of(fileParts) };
    await archive.finish(manifest);
    return manifest;
  };
