import { TableClient, type TableServiceClientOptions } from '@azure/data-tables';
import { BlobServiceClient, type StoragePipelineOptions } from '@azure/storage-blob';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { randomId } from '../../shared/kit/ids.js';
import { AzureBlobs } from '../../shared/storage/azure/azureBlobs.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { service } from './service.js';

const directory = dirname(process.env['SERVICE_FILE'] ?? '');

/** The settings of the running service. */
export const settings = JSON.parse(readFileSync(join(directory, 'settings.json'), 'utf8')) as Record<string, string>;

/** What a fault policy does with one exchange. */
export type Exchange = (send: () => Promise<void>, isRead: boolean) => Promise<void>;

/**
 * A table of the running service, as the app's own client sees it but with the account key.
 *
 * @param around called around every try of every request; lets a test lose answers
 * @param pageRows most rows of one page of a list, where a few are to take several pages
 */
export function tableOf(name: string, around: Exchange = (send) => send(), pageRows?: number): TableClient {
  const tlsOptions = { ca: readFileSync(service.caFile, 'utf8') };
  const options: TableServiceClientOptions = {
    tlsOptions,
    retryOptions: { maxRetries: 3, retryDelayInMs: 1 },
    additionalPolicies: [
      {
        position: 'perRetry',
        policy: {
          name: 'around',
          sendRequest: async (request, next) => {
            if (pageRows !== undefined && request.method === 'GET') request.url = paged(request.url, pageRows);
            let response: Awaited<ReturnType<typeof next>> | undefined;
            await around(async () => {
              response = await next(request);
            }, request.method === 'GET');
            if (response === undefined) throw new Error('The exchange was not sent.');
            return response;
          },
        },
      },
    ],
  };
  return TableClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', name, options);
}

/** The same as stores see it. */
export const rowsOf = (...table: Parameters<typeof tableOf>): AzureRows => new AzureRows(tableOf(...table), randomId);

/** A container of the data account. */
export function blobsOf(name: string): AzureBlobs {
  // The option is handed on to the pipeline, though the type of this client leaves it out.
  const trusting = { tlsOptions: { ca: readFileSync(service.caFile, 'utf8') } } as StoragePipelineOptions;
  const account = BlobServiceClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', trusting);
  return new AzureBlobs(account.getContainerClient(name));
}

function paged(address: string, rows: number): string {
  const url = new URL(address);
  url.searchParams.set('$top', String(rows));
  return url.href;
}

/** Does something before the next write of a table, or one behind it, as another process would that comes between. */
export function meetsBeforeWrite(): {
  readonly around: Exchange;
  readonly arm: (other: () => Promise<unknown>, writesBefore?: number) => void;
} {
  let others: (() => Promise<unknown>)[] = [];
  return {
    arm: (next, writesBefore = 0) => {
      others = [...Array<() => Promise<void>>(writesBefore).fill(() => Promise.resolve()), next];
    },
    around: async (send, isRead) => {
      await (isRead ? undefined : others.shift())?.();
      await send();
    },
  };
}

/** Loses the answer of the next write: it is done, and the client sees a broken connection. */
export function losesNextAnswer(): {
  readonly around: Exchange;
  readonly arm: () => void;
  readonly lost: () => number;
} {
  let isArmed = false;
  let lost = 0;
  return {
    arm: () => {
      isArmed = true;
    },
    lost: () => lost,
    around: async (send) => {
      await send();
      if (!isArmed) return;
      isArmed = false;
      lost += 1;
      throw Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });
    },
  };
}
