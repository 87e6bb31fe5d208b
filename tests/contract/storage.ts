import { TableClient, type TableServiceClientOptions } from '@azure/data-tables';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
 */
export function tableOf(name: string, around: Exchange = (send) => send()): TableClient {
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

/** Does something before the next write of a table, as another process would between a read and the write that follows. */
export function meetsBeforeWrite(): {
  readonly around: Exchange;
  readonly arm: (other: () => Promise<unknown>) => void;
} {
  let other: (() => Promise<unknown>) | undefined;
  return {
    arm: (next) => {
      other = next;
    },
    around: async (send, isRead) => {
      const meet = isRead ? undefined : other;
      if (!isRead) other = undefined;
      await meet?.();
      await send();
    },
  };
}
