import { BlobServiceClient } from '@azure/storage-blob';
import { QueueServiceClient } from '@azure/storage-queue';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type AccountKeys,
  accountsVariable,
  connectionStringOf,
  type ServiceUrls,
} from '../../infra/local/azurite/accounts.js';
import { type AzuriteProcessOptions, optionsVariable } from '../../infra/local/azurite/azuriteMessages.js';
import { ensureCertificate } from '../../infra/local/certificates.js';

export interface AzuriteUnderTest {
  readonly process: ChildProcess;
  readonly urls: ServiceUrls;
  readonly caFile: string;
  readonly ca: string;
  connectionString(account: keyof AccountKeys): string;
  /** Clients with the account key of the data account that trust the certificate. */
  queues(): QueueServiceClient;
  blobs(account?: keyof AccountKeys): BlobServiceClient;
  stop(): Promise<number | null>;
}

const key = Buffer.alloc(64, 7).toString('base64');
const keys: AccountKeys = { fieldhost: key, fielddata: key, fieldimagery: key, fieldbackups: key };

/** Options by which the SDK trusts a certificate; their type does not know the TLS settings it hands on. */
export const trusting = (ca: string): { readonly retryOptions: object } => {
  const options = { tlsOptions: { ca }, retryOptions: { maxTries: 2 } };
  return options;
};

export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** Starts the Azurite process of the local environment on free ports, with this process as its parent. */
export async function startAzuriteUnderTest(
  program: string,
  options: { readonly directory: string } & Partial<AzuriteProcessOptions>,
): Promise<AzuriteUnderTest> {
  const { certificateFile, keyFile, caFile } = await ensureCertificate(options.directory, new Date());
  const settings = { inMemory: false, ports: { blob: 0, queue: 0, table: 0 }, certificateFile, keyFile, ...options };
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      AZURITE_ACCOUNTS: accountsVariable(keys),
      NODE_EXTRA_CA_CERTS: caFile,
      [optionsVariable]: JSON.stringify(settings),
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [ready] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(errors))),
  ])) as [{ urls: ServiceUrls }];
  const { urls } = ready;
  const ca = readFileSync(caFile, 'utf8');
  const connectionString = (account: keyof AccountKeys): string => connectionStringOf(urls, account, keys);
  return {
    process: child,
    urls,
    caFile,
    ca,
    connectionString,
    queues: () => QueueServiceClient.fromConnectionString(connectionString('fielddata'), trusting(ca)),
    blobs: (account = 'fielddata') => BlobServiceClient.fromConnectionString(connectionString(account), trusting(ca)),
    stop: () => {
      child.kill('SIGTERM');
      return exitOf(child);
    },
  };
}
