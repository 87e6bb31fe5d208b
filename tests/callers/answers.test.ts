/** What callers' programs make of answers: our client for TypeScript, and the rule that it shares with that for Python. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { FieldClient, isSameJob, Refusal } from '../../clients/typescript/index.js';

const partyId = '6d1f0c9a-3b7e-4a52-8f14-c0e5d2a7b911';
const gdd = { partyId, resourceType: 'Field', crop: 'CORN' } as const;
const gddEcho = { crop: 'CORN', partyId, resourceType: 'FIELD', temperatureUnit: 'C' };
const imagery = { imageStartDate: '2026-06-01', pointOnSurface: { latitude: 2, longitude: 1.5 } };
const boundary = { ...imagery, resourceType: 'Farm' };

const PAIRS = [
  { why: 'type and default unit as answers have them', sent: gdd, echo: gddEcho, isSame: true },
  { why: 'a unit in the other case', sent: { ...gdd, temperatureUnit: 'c' }, echo: gddEcho, isSame: true },
  { why: 'null for what is optional', sent: { ...gdd, temperatureUnit: null }, echo: gddEcho, isSame: true },
  { why: 'an id in the other case', sent: { ...gdd, partyId: partyId.toUpperCase() }, echo: gddEcho, isSame: true },
  { why: 'another unit', sent: { ...gdd, temperatureUnit: 'f' }, echo: gddEcho, isSame: false },
  { why: 'another crop', sent: { ...gdd, crop: 'COTTON' }, echo: gddEcho, isSame: false },
  { why: 'an event that was not sent', sent: gdd, echo: { ...gddEcho, startEvent: 'EMERGENCE' }, isSame: false },
  { why: 'the event that is the default', sent: gdd, echo: { ...gddEcho, startEvent: 'PLANTING' }, isSame: true },
  {
    why: 'imagery in modelSpec, its point in another order',
    sent: boundary,
    echo: {
      resourceType: 'FARM',
      modelSpec: { pointOnSurface: { longitude: 1.5, latitude: 2 }, imageStartDate: '2026-06-01' },
    },
    isSame: true,
  },
  {
    why: 'another point',
    sent: boundary,
    echo: { ...boundary, pointOnSurface: { longitude: 1.5, latitude: 3 } },
    isSame: false,
  },
];

const ACCESS = {
  account_name: 'contoso',
  file_system: 'imagery',
  sas_token: 'sv=1&se=2026-11-28T11%3A30%3A00Z&sig=x',
  path: 'contoso/field-imagery',
};

let server: Server;
let baseUrl: string;
let creates: number;
/** Loses the answer of the first create and has stored it all the same. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      const isCreate = request.url?.endsWith(':create') === true;
      creates += isCreate ? 1 : 0;
      if (request.url === '/v1/auth/sas-token') response.end(JSON.stringify(ACCESS));
      else if (isCreate && creates === 1) request.socket.destroy();
      else if (isCreate) response.writeHead(409).end('{}');
      else response.end(JSON.stringify({ status: 'WAITING', partnerRequestBody: gddEcho }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

describe('the parameters of a job are told from others by their meaning', () => {
  test.each(PAIRS)('in TypeScript: $why', ({ sent, echo, isSame }) => {
    expect(isSameJob(sent, echo)).toBe(isSame);
  });

  const hasPython = spawnSync('python3', ['-c', 'import requests']).status === 0;
  (hasPython ? test : test.skip)('in Python too', async () => {
    const lines =
      'import json, sys; from partner_fields import same_job; ' +
      'print(json.dumps([same_job(pair["sent"], pair["echo"]) for pair in json.loads(sys.argv[1])]))';
    const env = { ...process.env, PYTHONPATH: resolve('clients/python') };
    const { stdout } = await promisify(execFile)('python3', ['-B', '-c', lines, JSON.stringify(PAIRS)], { env });
    expect(JSON.parse(stdout)).toEqual(PAIRS.map(({ isSame }) => isSame));
  });
});

describe('a create whose answer is lost', () => {
  const client = () => new FieldClient({ baseUrl, token: () => 'a' });
  const parameters = { ...gdd, resourceId: partyId, gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' };

  test('has worked in TypeScript when the job is there, and is refused when that is another one', async () => {
    creates = 0;
    const job = client().gdd.create('corn', gdd as unknown as typeof parameters);
    expect((await job).status).toBe('WAITING');
    await expect(client().gdd.create('corn', parameters)).rejects.toThrow(Refusal);
  });
});

describe('one call of the storage token', () => {
  const folderUrl = 'https://contoso.blob.core.windows.net/imagery/contoso/field-imagery';

  test('tells in TypeScript where the folder lies, what opens it and until when', async () => {
    const { url, sasToken, endsAt } = await new FieldClient({ baseUrl, apiKey: 'b' }).storage().folder();
    expect([url, sasToken, endsAt]).toEqual([folderUrl, ACCESS.sas_token, new Date('2026-11-28T11:30:00Z')]);
  });
});
