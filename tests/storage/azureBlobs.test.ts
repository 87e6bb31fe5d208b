import { AnonymousCredential, BlobServiceClient } from '@azure/storage-blob';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AzureBlobs } from '../../shared/storage/azureBlobs.js';

const content = Buffer.from('a boundary in many positions, cut off on its way');
const CUT_AT = 10;

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
