import type { UserDelegationKey } from '@azure/storage-blob';
import { DirectorySASPermissions, generateDataLakeSASQueryParameters, SASProtocol } from '@azure/storage-file-datalake';
import type { Clock } from '../../kit/clock.js';
import { fromStorage } from '../storageErrors.js';

/** Read access to one directory, as area C answers it (specification 2.5). */
export interface StorageAccess {
  readonly account_name: string;
  readonly file_system: string;
  readonly sas_token: string;
  readonly path: string;
}

/** Grants read access to `{customer}/{folder}`. */
export type GrantStorageAccess = (customer: string, folder: string) => Promise<StorageAccess>;

export interface DirectorySasOptions {
  /** Asks the account for a key to sign with, good between the two instants. */
  readonly getUserDelegationKey: (startsOn: Date, expiresOn: Date) => Promise<UserDelegationKey>;
  readonly accountName: string;
  readonly fileSystem: string;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Clocks differ: a SAS that begins now may not have begun for the storage yet. */
const SKEW_MS = 15 * MINUTE_MS;
const SAS_MS = 8 * HOUR_MS;
const KEY_MS = 24 * HOUR_MS;
/** A key is used as long as it outlives every SAS it signs by half an hour. */
const KEY_MARGIN_MS = SAS_MS + 30 * MINUTE_MS;
/** The wire format stays what it is when the client library is updated. */
const SERVICE_VERSION = '2025-07-05';
const SEGMENT = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$/;

/**
 * Mints SAS tokens on a customer's directory (`sr=d`): read and list, https only, for 8 hours.
 *
 * The key is fetched once for all callers and kept in memory alone, for it signs; a failure to fetch it isn't kept.
 */
export function directorySas(options: DirectorySasOptions): GrantStorageAccess {
  const keyOf = delegationKeys(options);
  const { accountName, fileSystem, clock } = options;
  return async (customer, folder) => {
    const path = directoryPath(customer, folder);
    const key = await keyOf();
    const now = clock.now().getTime();
    const sas = generateDataLakeSASQueryParameters(
      {
        fileSystemName: fileSystem,
        pathName: path,
        isDirectory: true,
        directoryDepth: 2,
        version: SERVICE_VERSION,
        permissions: DirectorySASPermissions.parse('rl'),
        startsOn: new Date(now - SKEW_MS),
        expiresOn: new Date(now + SAS_MS),
        protocol: SASProtocol.Https,
      },
      key,
      accountName,
    ).toString();
    requireScope(sas);
    return { account_name: accountName, file_system: fileSystem, sas_token: sas, path };
  };
}

/** The libraries make a SAS on the whole container of an empty path, so the path is checked before and the SAS after. */
function directoryPath(...segments: readonly string[]): string {
  for (const segment of segments) {
    if (!SEGMENT.test(segment) || segment.includes('..')) throw new Error('A SAS was asked for a bad path segment.');
  }
  return segments.join('/');
}

function requireScope(sas: string): void {
  const query = new URLSearchParams(sas);
  const scope = ['sr', 'sdd', 'sp', 'spr', 'sv'].map((name) => query.get(name)).join(' ');
  if (scope !== `d 2 rl https ${SERVICE_VERSION}`) throw new Error(`A SAS came out with the wrong scope: ${scope}.`);
}

function delegationKeys({ getUserDelegationKey, clock }: DirectorySasOptions): () => Promise<UserDelegationKey> {
  let current: UserDelegationKey | undefined;
  let fetching: Promise<UserDelegationKey> | undefined;
  const fetchKey = async (now: number): Promise<UserDelegationKey> => {
    const [startsOn, expiresOn] = [new Date(now - SKEW_MS), new Date(now + KEY_MS)];
    current = await fromStorage(() => getUserDelegationKey(startsOn, expiresOn));
    return current;
  };
  return async () => {
    const now = clock.now().getTime();
    if (current !== undefined && current.signedExpiresOn.getTime() - now > KEY_MARGIN_MS) return current;
    fetching ??= fetchKey(now).finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
}

/** The account of a blob endpoint: its first label, or on this machine's Azurite the first path segment. */
export function accountNameOf(blobServiceUri: string): string {
  const { hostname, pathname } = new URL(blobServiceUri);
  const segment = pathname.split('/')[1] ?? '';
  return segment === '' ? (hostname.split('.')[0] ?? '') : segment;
}
