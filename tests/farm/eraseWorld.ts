import type { ArchivePart, BackupArchive, BackupManifest } from '../../shared/operate/backup/backupArchive.js';
import { exportTables } from '../../shared/operate/backup/exportTables.js';
import { restoreTables } from '../../shared/operate/restore/restoreTables.js';
import type { ErasureScope } from '../../shared/farm/upkeep/erasureScope.js';
import { insightIdOf } from '../../shared/jobs/steps/insightId.js';
import { ended, running, type Job } from '../../shared/jobs/job.js';
import type { TableName } from '../../shared/storage/names.js';
import { aJob } from '../jobs/aJob.js';
import { memoryRawRows } from '../support/memoryRawRows.js';
import { newItem } from '../../shared/work/item/workItem.js';
import { workOf } from '../../shared/jobs/job.js';
import { FarmWorld, type Process } from './farmWorld.js';
import { TENANT } from './landInMemory.js';

/** A backup in memory. */
export class MemoryArchive implements BackupArchive {
  readonly place = 'memory';
  readonly #files = new Map<ArchivePart, string[]>();
  #manifest: BackupManifest | undefined;

  async write(name: ArchivePart, lines: AsyncIterable<string>): Promise<void> {
    const kept: string[] = [];
    for await (const line of lines) kept.push(line);
    this.#files.set(name, kept);
  }

  async *read(name: ArchivePart): AsyncGenerator<string> {
    for (const line of this.#files.get(name) ?? []) yield await Promise.resolve(line);
  }

  finish(manifest: BackupManifest): Promise<void> {
    this.#manifest = manifest;
    return Promise.resolve();
  }

  manifest(): Promise<BackupManifest | undefined> {
    return Promise.resolve(this.#manifest);
  }
}

const portsOf = (world: FarmWorld) => ({
  rows: (name: TableName) => world.rows(name),
  rawRows: (name: TableName) => memoryRawRows(world.rows(name)),
  files: () => world.blobs,
  inputs: { listWritten: () => Promise.resolve([]) },
  keptTombstones: world.keptTombstones,
  clock: world.clock,
});

/** Every table as it is now. */
export async function backedUp(world: FarmWorld): Promise<MemoryArchive> {
  const archive = new MemoryArchive();
  await exportTables(portsOf(world))(archive);
  return archive;
}

/** Brings a backup back. @param newer other backups that are there */
export const restored = (world: FarmWorld, archive: BackupArchive, newer: readonly BackupArchive[] = []) =>
  restoreTables(portsOf(world))(archive, { isMerge: true, newer });

/** A job about a party that has ended with an insight, or waits. */
export async function jobOf(
  world: FarmWorld,
  { jobs }: Process,
  given: { readonly jobId: string; readonly partyId: string; readonly isOpen?: boolean },
): Promise<Job> {
  const { jobId, partyId, isOpen = false } = given;
  const now = world.now();
  const parameters = { partyId };
  const job = aJob({ tenant: TENANT, jobId, parameters, createdAt: now, lastActionAt: now });
  await jobs.insert(job, newItem(workOf(job), now));
  if (isOpen) return job;
  const stored = await jobs.find(job);
  const insightId = insightIdOf(job);
  const next = ended(running(job, { epoch: now }, now), { status: 'SUCCEEDED', insightId }, now);
  if (stored !== undefined) await jobs.replace(stored, next, await jobs.findWork(job));
  await world.insightBlobs.write(`${TENANT}/${insightId}/record.json`, Buffer.from('{}'), { type: 'application/json' });
  return next;
}

/** Starts an erasure and brings it to its end. */
export async function erased(world: FarmWorld, process: Process, scope: ErasureScope): Promise<void> {
  await process.startErasure(scope);
  await world.work(process);
}
