import type { Clock } from '../clock.js';
import type { TableName } from '../storage/names.js';
import type { RawRows } from '../storage/rawRows.js';
import type { BackupArchive, BackupManifest } from './backupArchive.js';
import { lineOf } from './rowBatches.js';
import { keptTables } from './tableKinds.js';
import { isTold } from './tombstones.js';

export interface ExportPorts {
  readonly rawRows: (name: TableName) => RawRows;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Writes every table that is kept. The service may go on meanwhile: rows of one piece of work that were read at
 * different moments are brought together when they are restored.
 */
export const exportTables =
  ({ rawRows, clock }: ExportPorts) =>
  async (archive: BackupArchive): Promise<BackupManifest> => {
    const rows: Partial<Record<TableName, number>> = {};
    const exportedAt = clock.now().toISOString();
    for (const name of keptTables) {
      let count = 0;
      const lines = async function* (): AsyncGenerator<string> {
        for await (const row of rawRows(name).all()) {
          if (!isTold(name, row)) continue;
          count += 1;
          yield lineOf(row);
        }
      };
      await archive.write(name, lines());
      rows[name] = count;
    }
    const manifest = { exportedAt, rows };
    await archive.finish(manifest);
    return manifest;
  };
