import type { TableName } from '../../storage/names.js';
import type { RawRow, RawRows } from '../../storage/azure/rawRows.js';
import {
  fileParts,
  type ArchivePart,
  type BackupArchive,
  type BackupManifest,
  type FilePart,
} from '../backup/backupArchive.js';
import { writeFiles, type Files } from '../backup/exportedFiles.js';
import { isErased, isTombstone, restoreFarmTombstones } from '../backup/farmTombstones.js';
import type { KeptTombstones } from '../backup/keptTombstones.js';
import { mendDeletions } from './mendDeletions.js';
import { mendEnrollments, type MendedEnrollments } from './mendEnrollments.js';
import { mendErasures } from './mendErasures.js';
import { mendJobs, type MendPorts } from './mendJobs.js';
import { mendWebhooks } from './mendWebhooks.js';
import { rowBatches } from '../backup/rowBatches.js';
import { keptTables } from '../backup/tableKinds.js';
import { isRestored, restoreTombstones } from '../backup/tombstones.js';

interface RestorePorts extends MendPorts {
  readonly rawRows: (name: TableName) => RawRows;
  readonly files: Files;
  /** What was kept beside the exports. */
  readonly keptTombstones: Pick<KeptTombstones, 'read'>;
}

interface Restored extends BackupManifest {
  /** How many jobs, enrollments, deletions, erasures and webhooks have their other rows again. */
  readonly mended: MendedEnrollments & Readonly<Record<'jobs' | 'deletions' | 'erasures' | 'webhooks', number>>;
}

async function refuseUnlessEmpty({ rawRows }: RestorePorts): Promise<void> {
  const full: string[] = [];
  // Any command of an operator leaves a row in the audit, and rows there replace none of the service.
  const looked = keptTables.filter((name) => name !== 'audit');
  for (const name of looked) if (!(await rawRows(name).isEmpty())) full.push(name);
  if (full.length === 0) return;
  throw new Error(
    `The tables ${full.join(', ')} are not empty. Restored rows would replace newer ones: restore into an empty account, ` +
      'or say --merge to replace the rows of the export and leave all others.',
  );
}

/** The file of a field's geometry, which is too large for its row. */
function shapesOf(row: RawRow): readonly string[] {
  const { shapeBlob } = row as { readonly shapeBlob?: string | { readonly value: string } };
  if (shapeBlob === undefined) return [];
  return [typeof shapeBlob === 'string' ? shapeBlob : shapeBlob.value];
}

/** An export that is finished. */
interface Finished {
  readonly archive: BackupArchive;
  readonly manifest: BackupManifest;
}

/** @returns the files of shapes that the restored rows name */
async function restoreRows(
  ports: RestorePorts,
  { archive, manifest }: Finished,
  isWanted: (name: TableName, row: RawRow) => boolean,
): Promise<ReadonlySet<string>> {
  const shapes = new Set<string>();
  for (const name of keptTables) {
    const wanted = manifest.rows[name];
    // The export is older than the table.
    if (wanted === undefined) continue;
    let read = 0;
    for await (const batch of rowBatches(archive.read(name))) {
      const rows = batch.filter((row) => isWanted(name, row));
      if (rows.length > 0) await ports.rawRows(name).put(rows);
      for (const row of rows) for (const shape of shapesOf(row)) shapes.add(shape);
      read += batch.length;
    }
    requireWhole(name, read, wanted);
  }
  return shapes;
}

async function restoreFiles(
  { files }: RestorePorts,
  { archive, manifest }: Finished,
  isWanted: (part: FilePart, file: string) => boolean,
): Promise<void> {
  for (const part of fileParts) {
    const wanted = manifest.files?.[part];
    // The export was made before files went with it.
    if (wanted === undefined) continue;
    const read = await writeFiles(files, { part, lines: archive.read(part) }, (file) => isWanted(part, file));
    requireWhole(part, read, wanted);
  }
}

function requireWhole(part: ArchivePart, read: number, wanted: number): void {
  if (read !== wanted) throw new Error(`${part}: ${read} lines read, the export says ${wanted}.`);
}

/**
 * Restores an export with its files, then writes what follows from its rows (see `mendJobs` and `mendEnrollments`).
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
    const kept = await ports.keptTombstones.read();
    const customers = { rows: ports.rows('customers'), raw: ports.rawRows('customers') };
    const purged = await restoreTombstones(customers, [archive, ...newer], kept.purged);
    const parties = { rows: ports.rows('farmParties'), raw: ports.rawRows('farmParties') };
    const erased = await restoreFarmTombstones(parties, [archive, ...newer], kept.erased);
    const isWanted = (name: TableName, row: RawRow): boolean =>
      isRestored(name, row, purged) && !isTombstone(name, row) && !isErased(name, row, erased);
    const shapes = await restoreRows(ports, { archive, manifest }, isWanted);
    await restoreFiles(ports, { archive, manifest }, (part, file) =>
      part === 'files-shapes' ? shapes.has(file) : !purged.has(file.slice(0, file.indexOf('/'))),
    );
    const jobs = await mendJobs(ports);
    const enrollments = await mendEnrollments(ports);
    const erasures = await mendErasures(ports);
    const deletions = await mendDeletions(ports);
    const webhooks = await mendWebhooks(ports);
    return { ...manifest, mended: { jobs, deletions, erasures, webhooks, ...enrollments } };
  };
