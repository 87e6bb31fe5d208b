// `npm run backup -- export|import|list|restore`: the tables, to files and back, for operators.
import { DefaultAzureCredential } from '@azure/identity';
import type { ContainerClient } from '@azure/storage-blob';
import { parseArgs } from 'node:util';
import { blobBackupArchive, listBackups } from '../../shared/operate/backup/blobBackupArchive.js';
import { exportTables } from '../../shared/operate/backup/exportTables.js';
import { restoreTables } from '../../shared/operate/restore/restoreTables.js';
import { EnrollmentInputStore } from '../../shared/enrollments/record/enrollmentInputStore.js';
import { systemClock } from '../../shared/kit/clock.js';
import { settings } from '../../shared/wiring/settings/config.js';
import { KeptTombstones } from '../../shared/operate/backup/keptTombstones.js';
import { backupStorage, dataStorage, tombstoneStorage } from '../../shared/wiring/clients/storageClients.js';
import { workLimits } from '../../shared/storage/timeLimits.js';
import type { TableName } from '../../shared/storage/names.js';
import { RawRows } from '../../shared/storage/azure/rawRows.js';
import { folderArchive } from './backup/folderArchive.js';
import { backupByUrl } from './operate/byUrl.js';
import { operatorProgram } from './operatorProgram.js';

const usage = `npm run backup -- export <folder>              every table that is kept, to files
npm run backup -- import <folder> [--merge]    and back; tables that hold rows are refused without --merge
npm run backup -- now <name>                   an export beside those of the nights, of a local service; in Azure people
                                               only read the backup account: with --url <service> --reason <text>
                                               the service makes and names it
npm run backup -- list                         their names, the oldest first
npm run backup -- restore <name> [--merge]     one of them back; latest is the newest
With --from <blob service> list and restore read the exports of another account, such as that of a region that is lost.`;

function storageOf(environment: Readonly<Record<string, string | undefined>>) {
  // Only what a command touches is asked for; an address that is not given is of no use to it.
  const uriOf = (name: 'tableServiceUri' | 'queueServiceUri' | 'blobServiceUri'): string => {
    const given = environment[`DATA_STORAGE__${name}`];
    return given === undefined ? 'https://not-given.invalid' : settings[`DATA_STORAGE__${name}`].parse(given);
  };
  const uris = {
    DATA_STORAGE__tableServiceUri: uriOf('tableServiceUri'),
    DATA_STORAGE__queueServiceUri: uriOf('queueServiceUri'),
    DATA_STORAGE__blobServiceUri: uriOf('blobServiceUri'),
  };
  return dataStorage(uris, new DefaultAzureCredential(), workLimits);
}

/** The account of exports: the given one, else the service's own. */
function backupAccount(from: string | undefined): Parameters<typeof backupStorage> {
  const { BACKUP_STORAGE__blobServiceUri: setting } = settings;
  const address = from ?? process.env['BACKUP_STORAGE__blobServiceUri'];
  if (address === undefined) throw new Error(`BACKUP_STORAGE__blobServiceUri is missing. ${setting.meaning}`);
  return [{ BACKUP_STORAGE__blobServiceUri: setting.parse(address) }, new DefaultAzureCredential()];
}

const exportsIn = (from: string | undefined): ContainerClient => backupStorage(...backupAccount(from));

async function run(argv: readonly string[]): Promise<unknown> {
  const options = { merge: { type: 'boolean', default: false }, from: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
  const [command, place] = positionals;
  const storage = storageOf(process.env);
  const ports = {
    rawRows: (name: TableName) => new RawRows(storage.table(name)),
    rows: storage.rows,
    files: storage.blobs,
    inputs: new EnrollmentInputStore(storage.blobs('enrollment-inputs')),
    // Every restore needs them, that of a folder too.
    keptTombstones: { read: () => new KeptTombstones(tombstoneStorage(...backupAccount(values.from))).read() },
    clock: systemClock,
  };
  if (command === 'list') return listBackups(exportsIn(values.from));
  if (place === undefined) throw new Error(usage);
  if (command === 'export') return exportTables(ports)(folderArchive(place));
  if (command === 'now') return exportTables(ports)(blobBackupArchive(exportsIn(undefined), place));
  if (command === 'import') return restoreTables(ports)(folderArchive(place), { isMerge: values.merge });
  if (command === 'restore') {
    const container = exportsIn(values.from);
    const all = await listBackups(container);
    const name = place === 'latest' ? all.at(-1) : place;
    if (name === undefined) throw new Error(`${container.url} holds no finished export.`);
    const newer = all.filter((other) => other !== name).map((other) => blobBackupArchive(container, other));
    const restored = await restoreTables(ports)(blobBackupArchive(container, name), { isMerge: values.merge, newer });
    return { restored: name, ...restored };
  }
  throw new Error(usage);
}

await operatorProgram(import.meta.url, run, backupByUrl);
