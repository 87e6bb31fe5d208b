import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { openChannel, type Channel } from '../../../infra/local/functionsHost/streaming.js';
import type { ProgrammingModel } from '../../../infra/local/functionsHost/rpc.js';

// The channel lends the library this module's server; an ES namespace would not show it.
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http');

let worker: Server;
let channel: Channel;
const said: string[] = [];
/** What the worker does as a request arrives at the host. */
let atArrival = (): void => undefined;
const host = createServer((incoming, response) => {
  atArrival();
  const sent = { invocationId: 'i', method: 'POST', path: '/', headers: {}, body: { stream: incoming } };
  channel.forward(sent, response).done.catch(() => response.writeHead(500).end());
});

/** Answers with the number of bytes of the body. */
async function count(request: IncomingMessage): Promise<string> {
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length;
  return String(bytes);
}

beforeAll(async () => {
  const getCapabilities = async (): Promise<Record<string, string>> => {
    worker = http.createServer();
    worker.on('request', (request, answer) => void count(request).then((text) => answer.end(text)));
    await new Promise<void>((done) => worker.listen(done));
    return { HttpUri: 'http://127.0.0.1' };
  };
  const log = { system: (_level: string, text: string) => said.push(text), user: () => undefined };
  channel = (await openChannel({ getCapabilities } as unknown as ProgrammingModel, log))!;
  await once(host.listen(0, '127.0.0.1'), 'listening');
});

afterAll(() => {
  channel.close();
  host.close();
});

test('a body is sent over another connection when the worker ends the kept one as the request arrives', async () => {
  const upload = async (): Promise<readonly [number, string]> => {
    const url = `http://127.0.0.1:${String((host.address() as AddressInfo).port)}`;
    const answer = await fetch(url, { method: 'POST', body: Buffer.alloc(100_000) });
    return [answer.status, await answer.text()];
  };
  expect(await upload()).toEqual([200, '100000']);
  atArrival = () => {
    worker.closeIdleConnections();
  };
  expect(await upload()).toEqual([200, '100000']);
  expect(said).toEqual(['The worker ended the connection of POST / before it had answered. It is sent again.']);
});
