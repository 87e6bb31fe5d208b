// A receiver of webhooks on this machine that keeps what comes.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Settings of a service that tells a receiver on this port. The source of the events is called by nobody. */
export const environmentOf = (port) => ({
  PUBLIC_URL: 'https://fields.example',
  WEBHOOK_LOCAL_HOSTS: `127.0.0.1:${port}`,
});

/**
 * Starts a receiver that consents to everything.
 *
 * @param options `port`; `beforeAnswer(body, path)`: awaited after an event has come and before it is answered
 * @returns `url`, `bodies` (by event id: what came, in the order of arrival) and `stop()`
 */
export async function startReceiver({ port, beforeAnswer }) {
  const bodies = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      if (request.method === 'POST') {
        const body = Buffer.concat(chunks).toString('utf8');
        const id = request.headers['webhook-id'];
        bodies.set(id, [...(bodies.get(id) ?? []), body]);
        await beforeAnswer(body, request.url);
      }
      response.writeHead(204, { 'webhook-allowed-origin': '*' }).end();
    });
    // Whoever was killed leaves half a request.
    request.on('error', () => undefined);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}/`,
    bodies,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
