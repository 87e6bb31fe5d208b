import { once } from 'node:events';
import { createServer, request as requestOf } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PageSettings } from '../../shared/http/pages/consoleSettings.js';
import { pageHeaders } from '../../shared/http/pages/consolePolicy.js';
import { service } from '../contract/service.js';

/** The service at an origin of its own, which no storage knows. */
export interface Fronted {
  readonly baseUrl: string;
  readonly close: () => Promise<void>;
}

/** The service as it answers with other settings: what the page is told, and its policy. */
export async function frontedWith(settings: Partial<PageSettings>): Promise<Fronted> {
  const own = (await (await fetch(`${service.baseUrl}/console/settings.json`)).json()) as PageSettings;
  const told = { ...own, ...settings };
  const server = createServer((request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    if (url === '/console/settings.json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
      return;
    }
    const asked = requestOf(`${service.baseUrl}${url}`, { method, headers }, (answer) => {
      const policy = url === '/console/' ? pageHeaders(told) : {};
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...policy });
      answer.pipe(response);
    });
    request.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
