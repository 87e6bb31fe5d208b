import { AnonymousCredential, BlobServiceClient } from '@azure/storage-blob';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AzureBlobs } from '../../../shared/storage/azure/azureBlobs.js';
import { writeFenced } from '../../../shared/storage/fencedBlobs.js';

const content = Buffer.from('a boundary in many positions, cut off on its way');
const CUT_AT = 10;
const type = 'application/json';

describe('a download that is cut off', () => {
  let server: Server;
  let blobs: AzureBlobs;
  /** What was asked for: the range and the ETag of each request. */
  let asked: string[];
  /** How many answers are cut after ten bytes. */
  let cuts: number;
  let etag: string;
  /** What the ETag becomes once the first answer has been cut off: somebody has written meanwhile. */
  let etagAfterCut: string | undefined;

  beforeEach(async () => {
    [asked, cuts, etag, etagAfterCut] = [[], 1, '"0x1"', undefined];
    server = createServer((request, response) => {
      const { range, 'x-ms-range': msRange = range ?? '', 'if-match': ifMatch = '' } = request.headers;
      asked.push(`${String(msRange)} ${ifMatch}`.trim());
      if (ifMatch !== '' && ifMatch !== etag) {
        response.writeHead(412, { 'x-ms-error-code': 'ConditionNotMet' }).end();
        return;
      }
      const from = Number(/bytes=(\d+)-/.exec(String(msRange))?.[1] ?? 0);
      const rest = content.subarray(from);
      response.writeHead(from === 0 ? 200 : 206, { etag, 'content-length': rest.length });
      if (asked.length > cuts) {
        response.end(rest);
        return;
      }
      response.write(rest.subarray(0, CUT_AT));
      setTimeout(() => {
        response.destroy();
        etag = etagAfterCut ?? etag;
      }, 20);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/account`;
    const account = new BlobServiceClient(address, new AnonymousCredential(), { retryOptions: { maxTries: 1 } });
    blobs = new AzureBlobs(account.getContainerClient('inputs'));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test('goes on where it was, onto the same blob', async () => {
    cuts = 2;
    expect((await blobs.read('fields.geojson'))?.bytes.toString()).toBe(content.toString());
    expect(asked).toEqual(['', 'bytes=10- "0x1"', 'bytes=20- "0x1"']);
  });

  test('is not put together with what somebody has written meanwhile', async () => {
    etagAfterCut = '"0x2"';
    await expect(blobs.read('fields.geojson')).rejects.toThrow();
    expect(asked).toEqual(['', 'bytes=10- "0x1"']);
  });

  test('again and again ends as storage that is away', async () => {
    cuts = 9;
    await expect(blobs.read('fields.geojson')).rejects.toMatchObject({ fault: { status: 503 } });
    expect(asked).toHaveLength(4);
  });
});

describe('a write whose condition storage refuses', () => {
  let storage: FakeStorage;
  /** How storage answers the request that would make the write visible. */
  let refusal: { readonly status: number; readonly code: string };

  beforeEach(async () => {
    storage = await fakeStorage(1, ({ url = '' }, response) => {
      if (url.includes('comp=block&')) response.writeHead(201).end();
      else refuse(response, refusal);
    });
  });
  afterEach(() => {
    storage.close();
  });

  const [inOneRequest, inBlocks] = [Buffer.from('{}'), Buffer.alloc(9 * 1024 * 1024)];
  test.each([
    { why: 'a blob is there already', status: 409, code: 'BlobAlreadyExists', onto: null, bytes: inOneRequest },
    { why: 'the blob is another one', status: 412, code: 'ConditionNotMet', onto: '"0x1"', bytes: inOneRequest },
    { why: 'another write dropped the blocks', status: 400, code: 'InvalidBlockList', onto: null, bytes: inBlocks },
  ])('is told so, and without a condition it is an error: $why', async ({ status, code, onto, bytes }) => {
    refusal = { status, code };
    expect(await storage.blobs.write('record.json', bytes, { type, onto })).toBeUndefined();
    const unconditional = storage.blobs.write('record.json', bytes, { type });
    await expect(unconditional).rejects.toMatchObject({ name: 'RestError', statusCode: status });
  });

  test('is an error where the request itself is wrong', async () => {
    refusal = { status: 400, code: 'InvalidMetadata' };
    const write = storage.blobs.write('record.json', inOneRequest, { type, onto: null });
    await expect(write).rejects.toMatchObject({ name: 'RestError', statusCode: 400 });
  });
});

describe('a fenced write whose answer is lost and whose repetition by the client library is refused', () => {
  let storage: FakeStorage;
  let asked: string[];
  /** The headers of the metadata of the blob that is there. */
  let marks: Readonly<Record<string, string>> | undefined;
  /** What somebody else writes between the first try and its repetition. */
  let othersMarks: Readonly<Record<string, string>> | undefined;

  beforeEach(async () => {
    [asked, marks, othersMarks] = [[], undefined, undefined];
    storage = await fakeStorage(2, ({ method = '', headers }, response) => {
      asked.push(method);
      if (method === 'HEAD') {
        response.writeHead(200, { etag: '"0x1"', ...marks }).end();
      } else if (marks === undefined) {
        // Names of metadata come back in letters of whatever case storage likes.
        const sent = Object.entries(headers).filter(([name]) => name.startsWith('x-ms-meta-'));
        marks = Object.fromEntries(sent.map(([name, value]) => [name.replace('meta-', 'Meta-'), String(value)]));
        response.destroy();
      } else {
        marks = othersMarks ?? marks;
        refuse(response, { status: 409, code: 'BlobAlreadyExists' });
      }
    });
  });
  afterEach(() => {
    storage.close();
  });

  test('is found done by a look', async () => {
    expect(await writeFenced(storage.blobs, 'record.json', content, { type, epoch: 1 })).toBe(true);
    expect(asked).toEqual(['PUT', 'PUT', 'HEAD']);
  });

  test('is found lost where a higher epoch came between', async () => {
    othersMarks = { 'x-ms-meta-epoch': '2' };
    expect(await writeFenced(storage.blobs, 'record.json', content, { type, epoch: 1 })).toBe(false);
    expect(asked).toEqual(['PUT', 'PUT', 'HEAD']);
  });
});

interface FakeStorage {
  readonly blobs: AzureBlobs;
  readonly close: () => void;
}

/** A container whose requests are answered here, each once its body has come. @param maxTries of the client library */
async function fakeStorage(maxTries: number, answer: RequestListener): Promise<FakeStorage> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      answer(request, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/account`;
  const retryOptions = { maxTries, retryDelayInMs: 1 };
  const account = new BlobServiceClient(address, new AnonymousCredential(), { retryOptions });
  return {
    blobs: new AzureBlobs(account.getContainerClient('insights')),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Storage names an error in the header and in the body. */
function refuse(response: ServerResponse, { status, code }: { readonly status: number; readonly code: string }): void {
  const headers = { 'x-ms-error-code': code, 'content-type': 'application/xml' };
  response.writeHead(status, headers).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
