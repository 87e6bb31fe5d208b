import type { TableClient } from '@azure/data-tables';
import type { Clock } from '../clock.js';
import type { TableName } from '../storage/names.js';
import type { Rows } from '../storage/rows.js';
import { forgetTakeOver } from '../openMarks/tableMarkStore.js';
import type { BackupArchive, BackupManifest } from './backupArchive.js';
import { mendEnrollments, mendJobs, type Mended } from './mendRows.js';
import { rowBatches, type BackupRow } from './rowBatches.js';
import { keptTables } from './tableKinds.js';
import { comesBack, restoreTombstones } from './tombstones.js';

export interface RestorePorts {
  readonly table: (name: TableName) => TableClient;
  readonly rows: (name: TableName) => Rows;
  readonly clock: Pick<Clock, 'now'>;
}

export interface Restored extends BackupManifest {
  readonly mended: Mended;
}

async function isEmpty(table: TableClient): Promise<boolean> {
  const pages = table.listEntities({ queryOptions: { select: ['rowKey'] } }).byPage({ maxPageSize: 1 });
  // The platform may answer an empty page that has a successor.
  for await (const page of pages) if (page.length > 0) return false;
  return true;
}

async function refuseUnlessEmpty({ table }: RestorePorts): Promise<void> {
  const full: string[] = [];
  for (const name of keptTables) if (!(await isEmpty(table(name)))) full.push(name);
  if (full.length === 0) return;
  throw new Error(
    `The tables ${full.join(', ')} are not empty. Restored rows would replace newer ones: restore into an empty account, ` +
      'or say --merge to replace the rows of the export and leave all others.',
  );
}

/** A job comes back without its entries in lists; by this they are found missing. */
function unlisted({ isListed: _, ...job }: BackupRow): BackupRow {
  return job;
}

async function write(table: TableClient, batch: readonly BackupRow[]): Promise<void> {
  await table.submitTransaction(batch.map((row) => ['upsert', { ...row }, 'Replace']));
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
    const purged = await restoreTombstones(ports.table('customers'), [archive, ...newer]);
    for (const name of keptTables) {
      const wanted = manifest.rows[name];
      // An export from before a table was there.
      if (wanted === undefined) continue;
      let read = 0;
      for await (const batch of rowBatches(archive.read(name))) {
        const rows = batch.filter((row) => comesBack(name, row, purged));
        if (rows.length > 0) await write(ports.table(name), name === 'jobs' ? rows.map(unlisted) : rows);
        read += batch.length;
      }
      if (read !== wanted) throw new Error(`${name}: ${read} rows read, the export says ${wanted}.`);
    }
    const jobs = await mendJobs(ports);
    const schedules = await mendEnrollments(ports);
    await forgetTakeOver(ports.table('marks'));
    return { ...manifest, mended: { jobs, ...schedules } };
  };
