// The process of Azurite: storage for the local environment. It saves and ends when it is told to, or when the
// process that started it is gone, whatever ended that.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountNames, connectionStringOf, type AccountKeys, type ServiceUrls } from './azurite/accounts.js';
import type { AzuriteProcessOptions, AzuriteReady, AzuriteUser } from './azurite/azuriteMessages.js';
import { dataDirectory, optionsVariable, ownerFile } from './azurite/azuriteMessages.js';
import { startAzuriteServers, type AzuriteServers } from './azurite/azuriteServers.js';
import { addDirectorySas } from './azurite/directorySas.js';
import { lockDirectory, type DirectoryLock } from './azurite/directoryLock.js';
import { provision } from './azurite/provision.js';

/** An orphaned host may take this long to drain; it needs its storage until then. */
const userLimitMs = 50_000;

const options = JSON.parse(process.env[optionsVariable] ?? '{}') as AzuriteProcessOptions;
let userPid: number | undefined;

const tell = (message: AzuriteReady): void => {
  // The parent may be gone by now; its end is noticed by `disconnect`.
  if (process.connected) process.send?.(message);
};

/** A process that has ended but that nobody waited for, as happens to orphans in a container without an init. */
function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false; // Gone by now, or a system without /proc.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Waits until whoever uses the storage has ended, or nobody is connected any more. */
async function awaitUser(servers: AzuriteServers): Promise<void> {
  const end = Date.now() + userLimitMs;
  while (userPid !== undefined && isRunning(userPid) && Date.now() < end) {
    if ((await servers.connectionCount()) === 0) return;
    await sleep(50);
  }
}

function keysOfEnvironment(): AccountKeys {
  const pairs = (process.env['AZURITE_ACCOUNTS'] ?? '').split(';').map((entry) => entry.split(':'));
  return Object.fromEntries(pairs) as AccountKeys;
}

const provisionAt = async (urls: ServiceUrls): Promise<void> => {
  const keys = keysOfEnvironment();
  await provision({
    data: connectionStringOf(urls, accountNames.data, keys),
    imagery: connectionStringOf(urls, accountNames.imagery, keys),
    backups: connectionStringOf(urls, accountNames.backups, keys),
  });
};

const lockOf = (directory: string): Promise<DirectoryLock> =>
  lockDirectory({ directory, file: ownerFile(directory), patienceMs: 5_000, endingMs: 120_000 });

async function start(): Promise<void> {
  const lock = options.inMemory ? undefined : await lockOf(options.directory);
  addDirectorySas();
  const servers = await startAzuriteServers({ ...options, location: dataDirectory(options.directory) });
  let isEnding = false;
  const end = async (isOrphan: boolean): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    lock?.announceEnd();
    if (isOrphan) await awaitUser(servers);
    await servers.close();
    process.exit(0);
  };
  process.on('message', (message: AzuriteUser) => (userPid = message.pid));
  process.on('disconnect', () => void end(true));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void end(false));
  await provisionAt(servers.urls);
  // Our own connections must not look like those of somebody who still uses the storage.
  servers.closeIdleConnections();
  tell({ type: 'ready', urls: servers.urls });
  // The parent may have died before anybody listened to its end.
  if (!process.connected) await end(true);
}

/** A pipe whose reader is gone must not keep the data from being saved. */
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

start().catch((cause: unknown) => {
  process.stderr.write(`Azurite did not start: ${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exit(1);
});
