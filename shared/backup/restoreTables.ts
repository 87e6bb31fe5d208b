import type { TableName } from '../storage/names.js';
import type { RawRows } from '../storage/rawRows.js';
import type { BackupArchive, BackupManifest } from './backupArchive.js';
import { mendEnrollments, type MendedEnrollments } from './mendEnrollments.js';
import { mendJobs, type MendPorts } from './mendJobs.js';
import { rowBatches } from './rowBatches.js';
import { keptTables } from './tableKinds.js';
import { isRestored, restoreTombstones } from './tombstones.js';

interface RestorePorts extends MendPorts {
  readonly rawRows: (name: TableName) => RawRows;
}

interface Restored extends BackupManifest {
  /** How many jobs and enrollments have their other rows again. */
  readonly mended: MendedEnrollments & { readonly jobs: number };
}

async function refuseUnlessEmpty({ rawRows }: RestorePorts): Promise<void> {
  const full: string[] = [];
  for (const name of keptTables) if (!(await rawRows(name).isEmpty())) full.push(name);
  if (full.length === 0) return;
  throw new Error(
    `The tables ${full.join(', ')} are not empty. Restored rows would replace newer ones: restore into an empty account, ` +
      'or say --merge to replace the rows of the export and leave all others.',
  );
}

/**
 * Restores an export, then writes what follows from its rows (see `mendJobs` and `mendEnrollments`).
 *
 * @param isMerge true to replace existing rows; otherwise all tables must be empty
 * @param newer other exports: the customers who are purged in one of them stay purged
 */
export const restoreTables =
  (ports: RestorePorts) =>
  async (
    archive: BackupArchive,
    { isMerge, newer = [] }: { readonly isMerge: boolean; readonly newer?: readonly BackupArchive[] },
  ): Promise<Restored> => {
    const manifest = await archive.manifest();
    if (manifest === undefined) throw new Error(`${archive.place} holds no finished export.`);
    if (!isMerge) await refuseUnlessEmpty(ports);
    const customers = { rows: ports.rows('customers'), raw: ports.rawRows('customers') };
    const purged = await restoreTombstones(customers, [archive, ...newer]);
    for (const name of keptTables) {
      const wanted = manifest.rows[name];
      // The export is older than the table.
      if (wanted === undefined) continue;
      let read = 0;
      for await (const batch of rowBatches(archive.read(name))) {
        const rows = batch.filter((row) => isRestored(name, row, purged));
        if (rows.length > 0) await ports.rawRows(name).put(rows);
        read += batch.length;
      }
      if (read !== wanted) throw new Error(`${name}: ${read} rows read, the export says ${wanted}.`);
    }
    const jobs = await mendJobs(ports);
    const enrollments = await mendEnrollments(ports);
    return { ...manifest, mended: { jobs, ...enrollments } };
  };
