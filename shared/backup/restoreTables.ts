import type { TableName } from '../storage/names.js';
import type { RawRow, RawRows } from '../storage/rawRows.js';
import type { BackupArchive, BackupManifest } from './backupArchive.js';
import { isErased, isTombstone, restoreFarmTombstones } from './farmTombstones.js';
import { mendEnrollments, type MendedEnrollments } from './mendEnrollments.js';
import { mendErasures } from './mendErasures.js';
import { mendJobs, type MendPorts } from './mendJobs.js';
import { rowBatches } from './rowBatches.js';
import { keptTables } from './tableKinds.js';
import { isRestored, restoreTombstones } from './tombstones.js';

interface RestorePorts extends MendPorts {
  readonly rawRows: (name: TableName) => RawRows;
}

interface Restored extends BackupManifest {
  /** How many jobs, enrollments and erasures have their other rows again. */
  readonly mended: MendedEnrollments & { readonly jobs: number; readonly erasures: number };
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
 * @param newer other exports: the customers who are purged in one of them stay purged, and so does what
 *   was erased of farm data
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
    const parties = { rows: ports.rows('farmParties'), raw: ports.rawRows('farmParties') };
    const erased = await restoreFarmTombstones(parties, [archive, ...newer]);
    const isWanted = (name: TableName, row: RawRow): boolean =>
      isRestored(name, row, purged) && !isTombstone(name, row) && !isErased(name, row, erased);
    for (const name of keptTables) {
      const wanted = manifest.rows[name];
      // The export is older than the table.
      if (wanted === undefined) continue;
      let read = 0;
      for await (const batch of rowBatches(archive.read(name))) {
        const rows = batch.filter((row) => isWanted(name, row));
        if (rows.length > 0) await ports.rawRows(name).put(rows);
        read += batch.length;
      }
      if (read !== wanted) throw new Error(`${name}: ${read} rows read, the export says ${wanted}.`);
    }
    const jobs = await mendJobs(ports);
    const enrollments = await mendEnrollments(ports);
    const erasures = await mendErasures(ports);
    return { ...manifest, mended: { jobs, erasures, ...enrollments } };
  };
