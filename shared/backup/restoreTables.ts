import type { Clock } from '../clock.js';
import type { EnrollmentInputStore } from '../enrollments/enrollmentInputStore.js';
import type { TableName } from '../storage/names.js';
import type { RawRows } from '../storage/rawRows.js';
import type { Rows } from '../storage/rows.js';
import type { BackupArchive, BackupManifest } from './backupArchive.js';
import { mendEnrollments, type MendedEnrollments } from './mendEnrollments.js';
import { mendJobs } from './mendJobs.js';
import { rowBatches } from './rowBatches.js';
import { keptTables } from './tableKinds.js';
import { comesBack, restoreTombstones } from './tombstones.js';

export interface RestorePorts {
  readonly rawRows: (name: TableName) => RawRows;
  readonly rows: (name: TableName) => Rows;
  readonly inputs: Pick<EnrollmentInputStore, 'listWritten'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Of how many the entries were made again. */
export interface Mended extends MendedEnrollments {
  readonly jobs: number;
}

export interface Restored extends BackupManifest {
  readonly mended: Mended;
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
 * Brings an export back, and what belongs together into one state.
 *
 * @param isMerge true to replace rows that are there; otherwise tables that hold any are refused
 * @param newer other exports: who was purged by then stays so
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
    const archives = [archive, ...newer];
    const purged = await restoreTombstones(
      { rows: ports.rows('customers'), raw: ports.rawRows('customers') },
      archives,
    );
    for (const name of keptTables) {
      const wanted = manifest.rows[name];
      // An export that was made when the table was not there yet.
      if (wanted === undefined) continue;
      let read = 0;
      for await (const batch of rowBatches(archive.read(name))) {
        const rows = batch.filter((row) => comesBack(name, row, purged));
        if (rows.length > 0) await ports.rawRows(name).put(rows);
        read += batch.length;
      }
      if (read !== wanted) throw new Error(`${name}: ${read} rows read, the export says ${wanted}.`);
    }
    const jobs = await mendJobs(ports);
    const enrollments = await mendEnrollments(ports);
    return { ...manifest, mended: { jobs, ...enrollments } };
  };
