import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificate } from '../../infra/local/certificates.js';
import { forgetCodes, newCode, takeCode } from '../../infra/local/console/codes.js';
import { startStorageReader, type ConsoleSession, type StorageReader } from '../../infra/local/storageReader.js';

const BASE = 'http://127.0.0.1:7071';
const session: ConsoleSession = {
  apiKey: 'a-key',
  token: 'a-token',
  farm: { partyId: 'p', farmId: 'f', fields: [], point: { longitude: 1, latitude: 2 } },
};

let directory: string;
let blobs: Server;
let reader: StorageReader;
const asked: { method: string; url: string; host: string; range: string | undefined }[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'reader-'));
  const { certificateFile, keyFile, caFile } = await ensureCertificate(directory, new Date());
  blobs = createServer({ cert: readFileSync(certificateFile), key: readFileSync(keyFile) }, (received, response) => {
    const { method = '', url = '', headers } = received;
    asked.push({ method, url, host: headers.host ?? '', range: headers.range });
    response.writeHead(206, { 'content-range': 'bytes 0-3/9', 'access-control-allow-origin': BASE }).end('data');
  });
  blobs.listen(0, '127.0.0.1');
  await once(blobs, 'listening');
  const blobEndpoint = `https://127.0.0.1:${(blobs.address() as AddressInfo).port}/account`;
  const redeem = (code: string) => Promise.resolve(takeCode(directory, code, new Date()) ? session : undefined);
  reader = await startStorageReader({ blobEndpoint, caFile, port: 0, redeem });
});
afterAll(async () => {
  await reader.close();
  blobs.closeAllConnections();
  blobs.close();
  rmSync(directory, { recursive: true, force: true });
});

const sessionAddress = (): string => `${new URL(reader.blobEndpoint).origin}/console/session`;
const redeem = (code: string, origin: string = BASE) =>
  fetch(sessionAddress(), { method: 'POST', body: code, headers: { origin } });

describe('what a browser reads storage through', () => {
  test('passes reading on over https, with its range and its answer', async () => {
    const answer = await fetch(`${reader.blobEndpoint}/imagery/a%20b.tiff?sig=x`, { headers: { range: 'bytes=0-3' } });
    expect([answer.status, await answer.text()]).toEqual([206, 'data']);
    expect(answer.headers.get('content-range')).toBe('bytes 0-3/9');
    expect(answer.headers.get('access-control-allow-origin')).toBe(BASE);
    const { port } = blobs.address() as AddressInfo;
    expect(asked.at(-1)).toEqual({
      method: 'GET',
      url: '/account/imagery/a%20b.tiff?sig=x',
      host: `127.0.0.1:${port}`,
      range: 'bytes=0-3',
    });
  });

  test.each(['PUT', 'POST', 'DELETE', 'PATCH'])('lets no %s through', async (method) => {
    const before = asked.length;
    expect((await fetch(`${reader.blobEndpoint}/imagery/a`, { method })).status).toBe(405);
    expect(asked).toHaveLength(before);
  });
});

describe('a one-time code', () => {
  test('signs in nobody before the service answers', async () => {
    expect((await redeem(newCode(directory, new Date()))).status).toBe(403);
    reader.serve(BASE);
  });

  test('gives key, token and farm to the console, once', async () => {
    const code = newCode(directory, new Date());
    const [first, second] = [await redeem(code), await redeem(code)];
    expect([first.status, second.status]).toEqual([200, 410]);
    expect(await first.json()).toEqual(session);
    expect(first.headers.get('access-control-allow-origin')).toBe(BASE);
    expect(first.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['http://127.0.0.1:7072', 'https://127.0.0.1:7071', 'http://evil.example', 'null'])(
    'is not asked for by %s, and stays good',
    async (origin) => {
      const code = newCode(directory, new Date());
      const answer = await redeem(code, origin);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
      expect((await redeem(code, 'http://localhost:7071')).status).toBe(200);
    },
  );

  test('is not taken under another name of this machine, as after a change of a name on the way', async () => {
    const { hostname, port } = new URL(reader.blobEndpoint);
    const code = newCode(directory, new Date());
    const headers = { host: 'rebound.example', origin: BASE };
    const sent = request({ hostname, port, path: '/console/session', method: 'POST', headers }).end(code);
    const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume: () => void }];
    answer.resume();
    expect(answer.statusCode).toBe(403);
  });

  test.each(['', 'guessed', '../peppers.json', 'x'.repeat(500)])('that nobody gave out (%s) is gone', async (code) => {
    expect((await redeem(code)).status).toBe(410);
  });

  test('is not good for longer than a day, nor after another start', () => {
    const now = new Date('2026-07-01T00:00:00Z');
    const old = newCode(directory, now);
    expect(takeCode(directory, old, new Date('2026-07-02T00:00:01Z'))).toBe(false);
    const former = newCode(directory, now);
    forgetCodes(directory);
    expect(takeCode(directory, former, now)).toBe(false);
  });
});
