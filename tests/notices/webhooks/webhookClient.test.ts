import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { webhookClient, type ResolveAll } from '../../../shared/notices/webhooks/webhookClient.js';

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let answering: Answering;
let hits: number;
let host: string;
beforeEach(async () => {
  hits = 0;
  answering = (_request, response) => response.writeHead(204).end();
  server = createServer((request, response) => {
    hits += 1;
    answering(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const client = (totalMs = 2_000) => webhookClient({ rule: { ownHost: 'x.example', localHosts: [host] }, totalMs });
const post = (call = client()) => call({ method: 'POST', url: `http://${host}/hooks`, headers: {}, body: 'x' });

describe('a call of a receiver', () => {
  test('tells the status of the answer', async () => {
    expect(await post()).toMatchObject({ status: 204 });
  });
  test('follows no redirect', async () => {
    answering = (_request, response) => response.writeHead(307, { location: `http://${host}/metadata` }).end();
    expect(await post()).toMatchObject({ status: 307 });
    expect(hits).toBe(1);
  });
  test('reads no answer to its end: one without an end takes no time and no memory', async () => {
    answering = (_request, response) => {
      response.writeHead(200);
      const pour = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour).on('error', () => undefined);
      pour();
    };
    expect(await post()).toMatchObject({ status: 200 });
  });
  test('ends after its time where headers drip', async () => {
    answering = (_request, response) => {
      const { socket } = response;
      socket?.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket?.write('x: y\r\n'), 50);
      socket?.on('close', () => {
        clearInterval(drip);
      });
    };
    expect(await post(client(300))).toMatchObject({ error: 'timeout' });
  });
  test('ends where another protocol is offered in place of an answer', async () => {
    answering = (_request, { socket }) =>
      socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    expect(await post()).toMatchObject({ error: 'connect' });
  });
  test('takes no headers beyond 16 kB', async () => {
    answering = (_request, response) => response.writeHead(200, { x: 'y'.repeat(20_000) }).end();
    expect(await post()).toMatchObject({ error: 'too_long' });
  });
  test('says when nobody is there', async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await post()).toMatchObject({ error: 'connect' });
  });
});

describe('the guard of addresses', () => {
  const resolving =
    (...addresses: readonly string[]): ResolveAll =>
    (_host, callback) => {
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
  const guarded = (resolve: ResolveAll) =>
    webhookClient({ rule: { ownHost: 'x.example', localHosts: [] }, resolve, totalMs: 2_000 });
  const call = (resolve: ResolveAll, url = 'https://receiver.example/') =>
    guarded(resolve)({ method: 'POST', url, headers: {}, body: 'x' });

  test.each([['127.0.0.1'], ['168.63.129.16'], ['169.254.169.254'], ['8.8.8.8', '10.0.0.1'], ['::ffff:7f00:1'], []])(
    'connects to no name that leads to %s',
    async (...addresses) => {
      expect(await call(resolving(...addresses))).toMatchObject({ error: 'refused_address' });
      expect(hits).toBe(0);
    },
  );
  test('looks a name up for the very connection: one that leads elsewhere after the check is refused', async () => {
    let looks = 0;
    const rebinding: ResolveAll = (name, callback) => {
      looks += 1;
      resolving(looks === 1 ? '192.0.2.1' : '127.0.0.1')(name, callback);
    };
    expect(await call(rebinding)).toMatchObject({ error: 'refused_address' });
    expect(await call(rebinding)).toMatchObject({ error: 'refused_address' });
    expect(looks).toBe(2);
  });
  test('refuses a literal address that was stored before it was closed', async () => {
    expect(await call(resolving('8.8.8.8'), 'https://127.0.0.1/')).toMatchObject({ error: 'refused_address' });
  });
  test('says that a name is not there', async () => {
    const missing: ResolveAll = (_host, callback) => {
      callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []);
    };
    expect(await call(missing)).toMatchObject({ error: 'dns' });
  });
});
