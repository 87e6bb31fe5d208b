import { beforeAll, describe, expect, test } from '@jest/globals';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { callerToken } from '../../infra/local/standIns/identity/callerTokens.js';
import { SigningKeys } from '../../infra/local/standIns/identity/signingKeys.js';
import { disableTenant, farmOf, newTenant, newTenants, withVersion, type FarmCalls } from './farmCalls.js';
import { call, service, tokenOf, type Reply } from './service.js';

let tid: string;
let calls: FarmCalls;
let disabled: string;
beforeAll(async () => {
  [tid = '', disabled = ''] = await newTenants(2);
  calls = farmOf(tid);
  await calls.patch('/parties/party', { name: 'Party' });
  await disableTenant(disabled);
});

/** Looks again while what an instance knows of the register may be some seconds old. */
async function until(look: () => Promise<Reply>, isThere: (reply: Reply) => boolean): Promise<Reply> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const reply = await look();
    if (isThere(reply) || Date.now() > deadline) return reply;
    await new Promise((done) => setTimeout(done, 250));
  }
}

describe('who may see farm data', () => {
  const tokenWith = (claims: Readonly<Record<string, unknown>>): string => {
    const keys = new SigningKeys(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'identity'));
    return callerToken(keys.current(), new Date(), { tenant: tid, roles: ['Farm.ReadWrite'], claims });
  };

  test('is not a token that was made for the known product: 401', async () => {
    for (const aud of ['https://farmbeats.azure.net', 'https://farmbeats.azure.net/', 'https://management.azure.com']) {
      const reply = await call(withVersion('/parties'), { token: tokenWith({ aud }) });
      expect([reply.status, reply.json.error.code]).toEqual([401, 'Unauthorized']);
    }
    expect((await call(withVersion('/parties'), { token: tokenWith({}) })).status).toBe(200);
  });

  test('is no key of a customer: 401', async () => {
    const headers = { 'api-key': service.apiKey };
    for (const path of ['/parties', '/fields', '/parties/party']) {
      expect((await call(withVersion(path), { token: null, headers })).status).toBe(401);
    }
  });
});

describe('two tenants with the same ids', () => {
  test('have each its own', async () => {
    const other = farmOf(await newTenant());
    expect((await other.get('/parties/party')).status).toBe(404);
    expect((await other.get('/parties')).json).toEqual({ value: [] });
    expect((await other.patch('/parties/party', { name: 'Other' })).status).toBe(201);
    expect((await calls.get('/parties/party')).json.name).toBe('Party');
    expect((await other.remove('/parties/party')).status).toBe(204);
    expect((await calls.get('/parties/party')).status).toBe(200);
  });
});

describe('a link', () => {
  test('is no matter of X-Forwarded headers', async () => {
    const token = tokenOf(tid, '--roles', 'Farm.ReadWrite');
    await calls.patch('/parties/linked');
    const path = withVersion('/parties/cascade-delete/linked', 'partyId=linked');
    const headers = {
      authorization: `Bearer ${token}`,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'gopher',
      forwarded: 'host=evil.example;proto=gopher',
      'x-original-host': 'evil.example',
    };
    const location = await new Promise<string | undefined>((resolve, reject) => {
      const asked = request(`${service.baseUrl}${path}`, { method: 'PUT', headers }, (answer) => {
        answer.resume();
        resolve(answer.headers.location);
      });
      asked.on('error', reject);
      asked.end();
    });
    expect(location).toMatch(new RegExp(`^${service.baseUrl}/parties/cascade-delete/linked\\?`));
  });
});

describe('a tenant that was served and is disabled', () => {
  test('is refused: 401', async () => {
    const reply = await until(
      () => farmOf(disabled).get('/parties'),
      ({ status }) => status !== 200,
    );
    expect([reply.status, reply.json.error.code]).toEqual([401, 'Unauthorized']);
  });
});
