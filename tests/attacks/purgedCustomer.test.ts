import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:https';
import { readFileSync } from 'node:fs';
import { callWithKey, customers, newCustomer, submit } from '../contract/enrollmentCalls.js';
import { containerOf, purged } from '../contract/purge.js';
import { service } from '../contract/service.js';
import { tableOf } from '../contract/storage.js';

/** What a storage token opens at a path of the imagery container. */
const statusOf = (path: string, sas: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const url = `${service.blobEndpoint}/imagery/${path}?${sas}`;
    request(url, { ca: readFileSync(service.caFile, 'utf8') }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe("a purged customer's credentials (API1, API2)", () => {
  test('open nothing of whoever comes after: the id is never given again', async () => {
    const gone = await newCustomer();
    const { sas_token: sas } = (await callWithKey('/v1/auth/sas-token', gone.apiKey)).json as { sas_token: string };
    const image = `${gone.customer}/field-imagery/sentinel-2/north/2026-05-01/ndvi.tiff`;
    const blob = containerOf(service.blobEndpoint, 'imagery').getBlockBlobClient(image);
    await blob.upload('x', 1);
    expect(await statusOf(image, sas)).toBe(200);

    await expect(purged(gone.customer)).resolves.toMatchObject({ keys: 1, images: 1 });
    expect(await statusOf(image, sas)).toBe(404);
    expect((await submit(undefined, {}, gone)).status).toBe(401);

    // The storage token still opens the folder of that name: nobody may ever put anything there.
    expect(() => customers('create', gone.customer)).toThrow(/never used again/);
    expect(() => customers('create', gone.customer, '--fields', '7')).toThrow(/never used again/);
    expect(() => customers('purge', gone.customer)).toThrow(/was purged on/);
    expect(() => customers('rotate', gone.customer)).toThrow(/no customer/);
    const tombstone = await tableOf('customers').getEntity('purged', gone.customer);
    expect(tombstone).toMatchObject({ rowKey: gone.customer, purgedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
  });

  test('are not needed by a customer of a like name', async () => {
    const id = `c-${randomUUID()}`;
    customers('create', id);
    customers('create', `${id}-2`);
    await purged(id);
    expect(customers('list', `${id}-2`)).toMatchObject([{ customer: `${id}-2`, keys: [{ state: 'live' }] }]);
  });
});
