import { TableClient, type TableServiceClientOptions } from '@azure/data-tables';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { service } from './service.js';

const directory = dirname(process.env['SERVICE_FILE'] ?? '');

/** The settings of the running service. */
export const settings = JSON.parse(readFileSync(join(directory, 'settings.json'), 'utf8')) as Record<string, string>;

/** What a fault policy does with one exchange. */
export type Exchange = (send: () => Promise<void>) => Promise<void>;

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
            });
            if (response === undefined) throw new Error('The exchange was not sent.');
            return response;
          },
        },
      },
    ],
  };
  return TableClient.fromConnectionString(settings['DATA_STORAGE'] ?? '', name, options);
}
