// `npm run backup -- export|import|list|restore`: the tables, to files and back, for operators.
import { DefaultAzureCredential } from '@azure/identity';
import { parseArgs } from 'node:util';
import { blobBackupArchive, listBackups } from '../../shared/backup/blobBackupArchive.js';
import { exportTables } from '../../shared/backup/exportTables.js';
import { restoreTables } from '../../shared/backup/restoreTables.js';
import { EnrollmentInputStore } from '../../shared/enrollments/enrollmentInputStore.js';
import { systemClock } from '../../shared/clock.js';
import { settings } from '../../shared/config.js';
import { dataStorage } from '../../shared/services/storageClients.js';
import { workLimits } from '../../shared/storage/limits.js';
import type { TableName } from '../../shared/storage/names.js';
import { RawRows } from '../../shared/storage/rawRows.js';
import { folderArchive } from './backup/folderArchive.js';
import { backupByUrl } from './operate/byUrl.js';
import { operatorProgram } from './operatorProgram.js';

const usage = `npm run backup -- export <folder>              every table that is kept, to files
npm run backup -- import <folder> [--merge]    and back; tables that hold rows are refused without --merge
npm run backup -- now <name>                   an export beside those of the nights, in container backups;
                                               with --url <service> --reason <text> the service makes and names it
npm run backup -- list                         their names
npm run backup -- restore <name> [--merge]     one of them back`;

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

async function run(argv: readonly string[]): Promise<unknown> {
  const options = { merge: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
  const [command, place] = positionals;
  const storage = storageOf(process.env);
  const ports = {
    rawRows: (name: TableName) => new RawRows(storage.table(name)),
    rows: storage.rows,
    inputs: new EnrollmentInputStore(storage.blobs('enrollment-inputs')),
    clock: systemClock,
  };
  if (command === 'list') return listBackups(storage.container('backups'));
  if (place === undefined) throw new Error(usage);
  const inContainer = () => blobBackupArchive(storage.container('backups'), place);
  if (command === 'export') return exportTables(ports)(folderArchive(place));
  if (command === 'now') return exportTables(ports)(inContainer());
  if (command === 'import') return restoreTables(ports)(folderArchive(place), { isMerge: values.merge });
  if (command === 'restore') {
    const container = storage.container('backups');
    const others = (await listBackups(container)).filter((name) => name !== place);
    const newer = others.map((name) => blobBackupArchive(container, name));
    return restoreTables(ports)(inContainer(), { isMerge: values.merge, newer });
  }
  throw new Error(usage);
}

await operatorProgram(import.meta.url, run, backupByUrl);
