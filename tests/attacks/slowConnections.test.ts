import { afterEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { createGdd, fetchGdd, newJobId, service } from '../contract/service.js';
import { multipartType } from '../support/multipart.js';

const SOCKETS = 100;
const { hostname, port, host } = new URL(service.baseUrl);

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A connection that has sent this much and sends a byte now and then; what comes back is kept. */
interface Stalled {
  readonly socket: Socket;
  received: string;
  isClosed: boolean;
}

function stall(head: string, drip: string | undefined): Promise<Stalled> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(head);
      resolve(stalled);
    });
    const stalled: Stalled = { socket, received: '', isClosed: false };
    open.push(socket);
    const dripping = drip === undefined ? undefined : setInterval(() => socket.writable && socket.write(drip), 500);
    socket.setEncoding('latin1').on('data', (text: string) => (stalled.received += text));
    socket.on('error', reject).on('close', () => {
      clearInterval(dripping);
      stalled.isClosed = true;
    });
  });
}

const stallMany = (head: string, drip?: string): Promise<Stalled[]> =>
  Promise.all(Array.from({ length: SOCKETS }, () => stall(head, drip)));

const key = `Api-Key: ${service.apiKey}\r\n`;
const bearer = `Authorization: Bearer ${service.jwt}\r\n`;
const create = `POST /solutions/partnerAgPowered.gdd:create HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n`;
const submission = `POST /v1/enrollments HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${multipartType()}\r\n`;

describe(`${SOCKETS} connections`, () => {
  test.each<[string, string, string | undefined]>([
    ['that send a header a byte at a time', `GET /health HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `, 'a'],
    ['that open and say nothing', '', undefined],
    ['that announce a body and stop', `${create}${bearer}Content-Length: 500\r\n\r\n{`, undefined],
    ['that drip a body of unknown length', `${create}${bearer}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['that drip a submission', `${submission}${key}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n-\r\n'],
    ['that announce 50 MB and stop', `${submission}${key}Content-Length: 50000000\r\n\r\n--`, undefined],
    ['that drip without a key', `${submission}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n-\r\n'],
    ['that ask and never read', `GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(10), undefined],
  ])('%s leave a normal caller served', async (_what, head, drip) => {
    const stalled = await stallMany(head, drip);
    if (head.includes('openapi')) for (const { socket } of stalled) socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 600));
    const jobId = newJobId();
    expect((await createGdd(jobId)).status).toBe(202);
    for (let call = 0; call < 20; call += 1) expect((await fetchGdd(jobId)).status).toBe(200);
    const list = await fetch(`${service.baseUrl}/v1/enrollments`, { headers: { 'api-key': service.apiKey } });
    expect(list.status).toBe(200);
    expect((await fetch(`${service.baseUrl}/v1/enrollments/${randomUUID()}`)).status).toBe(401);
  });
});

test('a JSON body that has dripped without a known length is answered 408', async () => {
  const { socket } = await stall(`${create}${bearer}Transfer-Encoding: chunked\r\n\r\n`, undefined);
  const answer = new Promise<string>((resolve) => socket.once('data', resolve));
  const drip = setInterval(() => socket.write('1\r\n \r\n'), 500);
  // The host asks for the answer when all is sent.
  setTimeout(() => {
    clearInterval(drip);
    socket.write('0\r\n\r\n');
  }, 20_000);
  expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
});
