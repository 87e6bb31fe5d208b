import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const message =
  'A filter joins its conditions by "or". The platform reads the whole partition for it, which the emulator does not show: ' +
  'read rows by their keys (Rows.findMany) or ask for one range at a time.';

/**
 * Whether a query of one partition joins conditions by `or`; texts in it may hold the word. One that names no partition
 * goes through the whole table in any case.
 */
export function asksForScan(url: string): boolean {
  const filter = (new URL(url, 'http://localhost').searchParams.get('$filter') ?? '').replaceAll(/'(?:[^']|'')*'/g, '');
  return /\bPartitionKey\b/.test(filter) && /\bor\b/.test(filter);
}

function refuse(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json', 'x-ms-error-code': 'InvalidInput' });
  response.end(JSON.stringify({ 'odata.error': { code: 'InvalidInput', message: { lang: 'en-US', value: message } } }));
}

/**
 * Refuses queries which the platform would answer by reading whole partitions: Azurite answers them at once, so nothing
 * else would tell before a customer has millions of rows.
 */
export function refuseScans(server: Server): void {
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.method === 'GET' && asksForScan(request.url ?? '')) refuse(response);
    else for (const listener of listeners) listener.call(server, request, response);
  });
}
