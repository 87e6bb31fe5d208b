/** What callers' programs make of answers: our client, and the Python of the examples. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

let folder: string;
let server: Server;
let baseUrl: string;
let creates: number;
/** Loses the answer of the first create and has stored it all the same. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callers-'));
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
  writeFileSync(join(folder, 'service.json'), JSON.stringify({ baseUrl, jwt: 'a', apiKey: 'b' }));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const hasPython = spawnSync('python3', ['--version']).status === 0;
/** What a Python program prints that has the example's functions. */
async function python(lines: string, argument: unknown): Promise<string> {
  // Other tests of the same run have a service of their own in `SERVICE_FILE`.
  const env = { ...process.env, SERVICE_FILE: join(folder, 'service.json'), PYTHONPATH: resolve('examples/python') };
  const given = ['-B', '-c', `import json, sys, service\ngiven = json.loads(sys.argv[1])\n${lines}`];
  return (await promisify(execFile)('python3', [...given, JSON.stringify(argument)], { env })).stdout.trim();
}
const testInPython = hasPython ? test : test.skip;

describe('the parameters of a job are told from others by their meaning', () => {
  test.each(PAIRS)('in TypeScript: $why', ({ sent, echo, isSame }) => {
    expect(isSameJob(sent, echo)).toBe(isSame);
  });

  testInPython('in Python too', async () => {
    const lines = 'print(json.dumps([service.same_job(pair["sent"], pair["echo"]) for pair in given]))';
    expect(JSON.parse(await python(lines, PAIRS))).toEqual(PAIRS.map(({ isSame }) => isSame));
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

  testInPython('has worked in Python too', async () => {
    creates = 0;
    const lines = 'service.create("gdd", "/v1/gdd/corn", given)\nprint("created")';
    expect(await python(lines, gdd)).toBe('created');
    await expect(python(lines, parameters)).rejects.toThrow('409');
  });
});

describe('one call of the storage token', () => {
  const folderUrl = 'https://contoso.blob.core.windows.net/imagery/contoso/field-imagery';

  test('tells in TypeScript where the folder lies, what opens it and until when', async () => {
    const { url, sasToken, endsAt } = await new FieldClient({ baseUrl, apiKey: 'b' }).storage().folder();
    expect([url, sasToken, endsAt]).toEqual([folderUrl, ACCESS.sas_token, new Date('2026-11-28T11:30:00Z')]);
  });

  testInPython('tells in Python too', async () => {
    const lines = 'url, token, ends_at = service.storage()\nprint(url, token, ends_at.isoformat())';
    expect(await python(lines, null)).toBe(`${folderUrl} ${ACCESS.sas_token} 2026-11-28T11:30:00+00:00`);
  });
});
