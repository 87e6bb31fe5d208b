import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { TableClient } from '@azure/data-tables';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { randomId } from '../../shared/kit/ids.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { systemClock } from '../../shared/kit/clock.js';
import { bucketKeyOf } from '../../shared/access/rates/caller.js';
import { limitRate } from '../../shared/access/rates/limitRate.js';
import { parseRates } from '../../shared/access/rates/rates.js';
import { bucketBelongings, BucketStore } from '../../shared/access/rates/bucketStore.js';
import { startService, type RunningService } from '../faults/runningService.mjs';
import { describeInFull } from '../support/fullRun.js';
import { service } from './service.js';
import { rowsOf } from './storage.js';

describeInFull('a service with rate limits', () => {
  let running: RunningService;
  beforeAll(async () => {
    const environment = {
      RATE_LIMITS: 'on',
      // Slow rates, so that nothing comes back within the test.
      RATE_LIMIT_RATES: 'create=1/min:3,read=1/min:4,submit=1/min:2,list=1/min:5,sas=1/min:2,farmWrite=1/min:2',
    };
    running = await startService({ app: resolve('.'), environment });
  });
  afterAll(async () => {
    await running.stop();
  });

  const get = async (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${running.service.baseUrl}${path}`, { headers });
  const statusesOf = async (count: number, call: () => Promise<Response>): Promise<number[]> => {
    const replies: number[] = [];
    for (let index = 0; index < count; index += 1) replies.push((await call()).status);
    return replies;
  };
  const key = (): Record<string, string> => ({ 'api-key': running.service.apiKey });

  test('answers 429 with Retry-After in the shape of area C', async () => {
    expect(await statusesOf(3, () => get('/v1/auth/sas-token', key()))).toEqual([200, 200, 429]);
    const refused = await get('/v1/auth/sas-token', key());
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests', details: null });
  });

  test('counts each kind of call by itself', async () => {
    expect(await statusesOf(6, () => get('/v1/enrollments', key()))).toEqual([200, 200, 200, 200, 200, 429]);
    const { status } = await get('/v1/enrollments/7f0f3b8e-31f2-4d63-9a52-7b7c1e5f0c11', key());
    expect(status).toBe(404);
  });

  test('holds areas A and B to theirs, in their shape', async () => {
    const { baseUrl, jwt } = running.service;
    const create = (): Promise<Response> =>
      fetch(`${baseUrl}/solutions/partnerAgPowered.gdd:create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
        body: '{}',
      });
    expect(await statusesOf(4, create)).toEqual([400, 400, 400, 429]);
    expect(await (await create()).json()).toMatchObject({ error: { code: 'TooManyRequests' } });
  });

  const operate = (command: string, ...args: readonly string[]): string =>
    execFileSync(process.execPath, [`build/local/${command}.mjs`, ...args], {
      env: { ...process.env, LOCAL_DIR: running.directory },
      encoding: 'utf8',
    });

  test('holds a tenant to the creates a second that its operator has set', async () => {
    const tid = '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11';
    operate('tenants', 'add', tid, 'createsPerSecond=1');
    const jwt = operate('token', '--tenant', tid).trim();
    const create = (): Promise<Response> =>
      fetch(`${running.service.baseUrl}/solutions/partnerAgPowered.gdd:create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
        body: '{}',
      });
    // The service may have read its register a moment ago.
    while ((await create()).status === 401) await new Promise((done) => setTimeout(done, 250));
    // Sixty times the rate of the others, so sixty times their burst of three; some come back meanwhile.
    const seen = await statusesOf(300, create);
    expect(seen.indexOf(429)).toBeGreaterThanOrEqual(179);
  });

  test('holds the writes of farm data to their rate, and reads to the usual one, which the setting need not name', async () => {
    const tid = '3c9e1d52-7f40-4b6a-8d1e-5a2b6c7d8e90';
    operate('tenants', 'add', tid);
    const bearer = { authorization: `Bearer ${operate('token', '--tenant', tid, '--roles', 'Farm.ReadWrite').trim()}` };
    const path = '/parties/party?api-version=2023-11-01-preview';
    while ((await get(path, bearer)).status === 401) await new Promise((done) => setTimeout(done, 250));
    const patch = (): Promise<Response> =>
      fetch(`${running.service.baseUrl}${path}`, {
        method: 'PATCH',
        headers: { ...bearer, 'content-type': 'application/merge-patch+json' },
        body: '{}',
      });
    expect(await statusesOf(3, patch)).toEqual([201, 200, 429]);
    const refused = await patch();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    expect(await refused.json()).toMatchObject({ error: { code: 'TooManyRequests' } });
    expect(new Set(await statusesOf(20, () => get(path, bearer)))).toEqual(new Set([200]));
  });

  test('lets a second caller do what the first may no more', async () => {
    const { apiKey } = JSON.parse(operate('customers', 'create', 'second')) as { readonly apiKey: string };
    const second = { 'api-key': apiKey };
    expect(await statusesOf(2, () => get('/v1/auth/sas-token', second))).toEqual([200, 200]);
    expect((await get('/v1/auth/sas-token', key())).status).toBe(429);
  });

  test('lets a tenant do what a customer named like it may no more', async () => {
    const tid = '7d5b9f0e-2a41-4c7e-8a55-3b1c2d4e5f60';
    operate('tenants', 'add', tid);
    const { apiKey } = JSON.parse(operate('customers', 'create', tid)) as { readonly apiKey: string };
    const bearer = { authorization: `Bearer ${operate('token', '--tenant', tid).trim()}` };
    while ((await get('/v1/insights/7f0f3b8e-31f2-4d63-9a52-7b7c1e5f0c11', bearer)).status === 401) {
      await new Promise((done) => setTimeout(done, 250));
    }
    const customer = { 'api-key': apiKey };
    expect(await statusesOf(6, () => get('/v1/enrollments', customer))).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await statusesOf(6, () => get('/v1/jobs', bearer))).toEqual([200, 200, 200, 200, 200, 429]);
  });

  test('counts no call without a valid credential', async () => {
    const unknown = { 'api-key': 'none' };
    expect(await statusesOf(8, () => get('/v1/auth/sas-token', unknown))).toEqual(Array(8).fill(401));
  });

  test('keeps the buckets in the table, so that a restarted host does not forget', async () => {
    // What has come back since the tests before is used up again.
    await statusesOf(3, () => get('/v1/auth/sas-token', key()));
    const ca = readFileSync(running.service.caFile, 'utf8');
    const table = TableClient.fromConnectionString(running.settings['DATA_STORAGE'] ?? '', 'limits', {
      tlsOptions: { ca },
    });
    const bucket = await new BucketStore(new AzureRows(table, randomId)).find(bucketKeyOf(running.service), 'sas');
    expect(bucket?.bucket.tokens).toBeLessThan(1);
    running.killHost();
    for (;;) {
      const health = await get('/health', {}).catch(() => undefined);
      if (health?.status === 200) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    expect((await get('/v1/auth/sas-token', key())).status).toBe(429);
  });
});

describe('the service of all other tests', () => {
  test('lets every call pass', async () => {
    const headers = { 'api-key': service.apiKey };
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => fetch(`${service.baseUrl}/v1/auth/sas-token`, { headers })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

test('four instances on one table let a burst pass once', async () => {
  const rates = parseRates('create=60/min:50,read=1/s:1,submit=1/s:1,list=1/s:1,sas=1/s:1');
  const caller = { customer: `limits-${Date.now()}` };
  const instance = () => limitRate({ buckets: new BucketStore(rowsOf('limits')), clock: systemClock }, rates);
  const startedAt = Date.now();
  const calls = [instance(), instance(), instance(), instance()].flatMap((limit) =>
    Array.from({ length: 60 }, () => limit(caller, 'create')),
  );
  const passed = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled').length;
  const refilled = Math.ceil((Date.now() - startedAt) / 1000);
  // Whoever loses a race for the bucket five times is refused for a second, so a few of the burst may go unused.
  expect(passed).toBeGreaterThanOrEqual(30);
  expect(passed).toBeLessThanOrEqual(50 + refilled);
});

test('a purge takes the buckets of the customer and leaves those of a tenant of the same name', async () => {
  const rows = rowsOf('limits');
  const store = new BucketStore(rows);
  const customer = `purged-${Date.now()}`;
  const keys = [bucketKeyOf({ customer }), bucketKeyOf({ tenant: customer })];
  for (const key of keys) await store.put(key, 'list', { bucket: { tokens: 1, at: 0 }, etag: undefined });
  const { count, removeAll } = bucketBelongings('rows of limits', rows);
  expect(await count(customer)).toBe(1);
  expect(await removeAll(customer)).toBe(1);
  const left = await Promise.all(keys.map((key) => store.find(key, 'list')));
  expect(left.map((bucket) => bucket !== undefined)).toEqual([false, true]);
});
