import type { Clock } from '../clock.js';
import type { TableName } from '../storage/names.js';
import type { RawRows } from '../storage/rawRows.js';
import type { BackupArchive, BackupManifest } from './backupArchive.js';
import { keptTables } from './tableKinds.js';
import { isExported } from './tombstones.js';

/**
 * Exports every table that is kept. The service may work meanwhile: rows that belong together but were read at different
 * moments are made consistent when they are restored.
 */
export const exportTables =
  ({ rawRows, clock }: { readonly rawRows: (name: TableName) => RawRows; readonly clock: Pick<Clock, 'now'> }) =>
  async (archive: BackupArchive): Promise<BackupManifest> => {
    const rows: Partial<Record<TableName, number>> = {};
    const exportedAt = clock.now().toISOString();
    for (const name of keptTables) {
      let count = 0;
      const lines = async function* (): AsyncGenerator<string> {
        for await (const row of rawRows(name).all()) {
          if (!isExported(name, row)) continue;
          count += 1;
          yield JSON.stringify(row);
        }
      };
      await archive.write(name, lines());
      rows[name] = count;
    }
    const manifest = { exportedAt, rows };
    await archive.finish(manifest);
    return manifest;
  };
