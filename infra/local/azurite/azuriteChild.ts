import { randomBytes } from 'node:crypto';
import type { Certificate } from '../certificates.js';
import { startChild } from '../childProgram.js';
import {
  type AccountKeys,
  accountNames,
  accountsVariable,
  connectionStringOf,
  endpointOf,
  type ServiceUrls,
} from './accounts.js';
import { type AzuriteProcessOptions, type AzuriteReady, type AzuriteUser, optionsVariable } from './azuriteMessages.js';

export interface AzuriteOptions {
  /** LOCAL_DIR, absolute. */
  readonly directory: string;
  readonly inMemory: boolean;
  readonly certificate: Certificate;
  /** 0 takes a free port. */
  readonly ports: AzuriteProcessOptions['ports'];
  /** Told how to end it as soon as the process exists, so that a start that is given up ends it too. */
  readonly onStop: (end: () => Promise<void>) => void;
}

export interface Azurite {
  readonly urls: ServiceUrls;
  /** Connection strings with the account key: for the host and for infrastructure, never for the app. */
  readonly connectionStrings: { readonly host: string; readonly data: string; readonly imagery: string };
  readonly endpoints: {
    readonly dataBlob: string;
    readonly dataQueue: string;
    readonly dataTable: string;
    readonly imageryBlob: string;
    readonly backupBlob: string;
  };
  readonly ended: Promise<number | null>;
  /** Names the process that uses it; it outlives a killed parent until that one has ended. */
  setUser(pid: number): void;
}

/** How long saving may take. */
const closeLimitMs = 60_000;

/** New keys at every start: nothing that is stored depends on them. */
const newKeys = (): AccountKeys => {
  const key = (): string => randomBytes(64).toString('base64');
  return { fieldhost: key(), fielddata: key(), fieldimagery: key(), fieldbackups: key() };
};

/** What the child finds in its environment: keys do not stand on a command line, where others can read them. */
function environmentOf(options: AzuriteOptions, keys: AccountKeys): Readonly<Record<string, string | undefined>> {
  const { directory, inMemory, certificate, ports } = options;
  const { certificateFile, keyFile, caFile } = certificate;
  const settings: AzuriteProcessOptions = { directory, inMemory, certificateFile, keyFile, ports };
  return {
    ...process.env,
    AZURITE_ACCOUNTS: accountsVariable(keys),
    NODE_EXTRA_CA_CERTS: caFile,
    [optionsVariable]: JSON.stringify(settings),
  };
}

/** Starts Azurite as a child process and waits until its services answer and hold what the service needs. */
export async function startAzurite(options: AzuriteOptions): Promise<Azurite> {
  const keys = newKeys();
  const child = startChild<AzuriteReady>({
    program: 'azuriteProcess.mjs',
    environment: environmentOf(options, keys),
  });
  options.onStop(() => child.stop(closeLimitMs));
  const { urls } = await child.ready;
  const { host, data, imagery, backups } = accountNames;
  return {
    urls,
    connectionStrings: {
      host: connectionStringOf(urls, host, keys),
      data: connectionStringOf(urls, data, keys),
      imagery: connectionStringOf(urls, imagery, keys),
    },
    endpoints: {
      dataBlob: endpointOf(urls.blob, data),
      dataQueue: endpointOf(urls.queue, data),
      dataTable: endpointOf(urls.table, data),
      imageryBlob: endpointOf(urls.blob, imagery),
      backupBlob: endpointOf(urls.blob, backups),
    },
    ended: child.ended,
    setUser: (pid) => {
      child.send({ type: 'user', pid } satisfies AzuriteUser);
    },
  };
}
