import { ManagedIdentityCredential } from '@azure/identity';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Identity, startIdentity } from '../../../infra/local/standIns/identity.js';
import { tokenForArguments } from '../../../infra/local/standIns/identity/tokenCommand.js';
import { tenantId } from '../../../infra/local/standIns/tenants.js';
import { JwksClient } from '../../../shared/access/auth/jwksClient.js';
import { ManualClock } from '../../support/manualClock.js';

const NOON = new Date('2026-05-01T12:00:00Z');
let localDirectory: string;
let identity: Identity;

/** The claims, checked by a library that is not ours against the keys the stand-in publishes. */
async function verified(token: string): Promise<jsonwebtoken.JwtPayload> {
  const kid = jsonwebtoken.decode(token, { complete: true })?.header.kid;
  const { keys } = (await (await fetch(identity.jwksUri)).json()) as { keys: (JsonWebKey & { kid: string })[] };
  const jwk = keys.find((key) => key.kid === kid);
  if (jwk === undefined) throw new Error('the key is not published');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return jsonwebtoken.verify(token, key, { algorithms: ['RS256'], ignoreExpiration: true }) as jsonwebtoken.JwtPayload;
}

/** Making a key takes long; each test begins with a copy of the same one. */
const keyDirectory = mkdtempSync(join(tmpdir(), 'identity-key-'));
beforeAll(() => {
  tokenForArguments([], keyDirectory, NOON);
});
afterAll(() => {
  rmSync(keyDirectory, { recursive: true });
});
beforeEach(async () => {
  localDirectory = mkdtempSync(join(tmpdir(), 'identity-'));
  cpSync(keyDirectory, localDirectory, { recursive: true });
  identity = await startIdentity({ directory: join(localDirectory, 'identity') });
});
afterEach(async () => {
  await identity.close();
  rmSync(localDirectory, { recursive: true });
});

describe('a token for a caller', () => {
  test('is signed RS256 by a published key and carries every claim the service asks for', async () => {
    const token = identity.issueToken({ tenant: 'demo', expiresInSeconds: 600 });
    const claims = await verified(token);
    expect(jsonwebtoken.decode(token, { complete: true })?.header).toMatchObject({ alg: 'RS256', typ: 'JWT' });
    expect(claims).toMatchObject({
      aud: identity.audience,
      tid: tenantId('demo'),
      iss: identity.issuerPattern.replace('{tid}', tenantId('demo')),
      azp: expect.any(String),
    });
    expect(claims.exp! - claims.iat!).toBe(600);
    expect(claims.nbf).toBe(claims.iat);
  });

  test('names no port, so that it outlives the service it was made for', () => {
    expect(identity.issuerPattern).not.toMatch(/:\d/);
  });

  test('is still good after a restart on the same directory', async () => {
    const token = identity.issueToken();
    await identity.close();
    identity = await startIdentity({ directory: join(localDirectory, 'identity') });
    expect((await verified(token)).aud).toBe(identity.audience);
  });

  test('survives a rotation of the keys, and new tokens name the new key', async () => {
    const before = identity.issueToken();
    const { kid } = (await (await fetch(`${identity.url}/admin/rotate`, { method: 'POST' })).json()) as { kid: string };
    expect((await verified(before)).aud).toBe(identity.audience);
    expect(jsonwebtoken.decode(identity.issueToken(), { complete: true })?.header.kid).toBe(kid);
  });

  test('is taken back by a rotation that forgets the earlier keys', async () => {
    const before = identity.issueToken();
    identity.rotate({ forget: true });
    await expect(verified(before)).rejects.toThrow('the key is not published');
  });
});

describe('the OpenID configuration', () => {
  test('leads to the keys and names the issuer of the tenant', async () => {
    const tid = tenantId('demo');
    const answer = await fetch(`${identity.url}/${tid}/v2.0/.well-known/openid-configuration`);
    expect(await answer.json()).toMatchObject({
      issuer: identity.issuerPattern.replace('{tid}', tid),
      jwks_uri: `${identity.url}/${tid}/discovery/v2.0/keys`,
    });
  });

  test.each([
    { tenant: 'common', issuers: ['{tenantid}', '9188040d-6c67-4c5b-b112-36a304b66dad'] },
    { tenant: 'organizations', issuers: ['{tenantid}'] },
    { tenant: 'consumers', issuers: ['9188040d-6c67-4c5b-b112-36a304b66dad'] },
  ])('of $tenant leads to keys that name the issuers Entra names there, and no algorithm', async (expected) => {
    const { keys } = (await (await fetch(`${identity.url}/${expected.tenant}/discovery/v2.0/keys`)).json()) as {
      keys: { issuer: string; alg?: string }[];
    };
    const issuers = expected.issuers.map((tid) => identity.issuerPattern.replace('{tid}', tid));
    expect(keys.map(({ issuer }) => issuer)).toEqual(issuers);
    expect(keys.every((key) => !('alg' in key))).toBe(true);
  });

  test('leads to keys that lack the one that signs as often as it is told to, and the service goes on', async () => {
    const clock = new ManualClock();
    const known = new JwksClient({ uri: identity.jwksUri, clock });
    const kid = String(jsonwebtoken.decode(identity.issueToken(), { complete: true })?.header.kid);
    await known.find(kid);
    await fetch(`${identity.url}/admin/lose?documents=2`, { method: 'POST' });
    clock.jump(13 * 3_600_000);
    await expect(new JwksClient({ uri: identity.jwksUri, clock }).find(kid)).resolves.toBeUndefined();
    await expect(known.find(kid)).resolves.toBeDefined();
    await expect(verified(identity.issueToken())).resolves.toMatchObject({ aud: identity.audience });
  });

  test('shows no private half of a key', async () => {
    const text = await (await fetch(identity.jwksUri)).text();
    expect(Object.keys((JSON.parse(text) as { keys: object[] }).keys[0]!).sort()).toEqual([
      'e',
      'issuer',
      'kid',
      'kty',
      'n',
      'use',
    ]);
  });
});

describe('a token for the service itself', () => {
  const tokenFor = async (resource: string): Promise<jsonwebtoken.JwtPayload> => {
    const url = `${identity.identityEndpoint}?api-version=2019-08-01&resource=${encodeURIComponent(resource)}`;
    const answer = await fetch(url, { headers: { 'x-identity-header': identity.identityHeader } });
    return verified(((await answer.json()) as { access_token: string }).access_token);
  };

  test('for its own app is one of a client of its own tenant, with the role it was assigned', async () => {
    const tid = tenantId('service');
    const iss = identity.issuerPattern.replace('{tid}', tid);
    expect(await tokenFor(identity.audience)).toMatchObject({ tid, iss, ver: '2.0', roles: ['Jobs.ReadWrite'] });
  });

  test('for its own app carries no role when it was assigned none, as Entra gives it', async () => {
    await identity.close();
    identity = await startIdentity({ directory: join(localDirectory, 'identity'), serviceRoles: [] });
    const claims = await tokenFor(identity.audience);
    expect(claims['tid']).toBe(tenantId('service'));
    expect(claims).not.toHaveProperty('roles');
  });

  test('that proves it to an application names issuer and subject as a federated credential does', async () => {
    expect(await tokenFor('api://AzureADTokenExchange')).toMatchObject({
      iss: `https://login.microsoftonline.com/${tenantId('service')}/v2.0`,
      sub: expect.any(String),
    });
  });
});

describe('npm run token', () => {
  test('prints a token of the tenant demo for one hour that the running service accepts', async () => {
    const claims = await verified(tokenForArguments([], localDirectory, NOON));
    expect(claims).toMatchObject({
      tid: tenantId('demo'),
      iat: NOON.getTime() / 1000,
      exp: NOON.getTime() / 1000 + 3600,
    });
  });

  test('makes the key when no service ever ran, and the service that starts later uses it', async () => {
    const directory = join(localDirectory, 'fresh');
    const token = tokenForArguments(['--tenant', 'unlicensed'], directory, NOON);
    await identity.close();
    identity = await startIdentity({ directory: join(directory, 'identity') });
    expect((await verified(token))['tid']).toBe(tenantId('unlicensed'));
  });

  test.each([
    { expires: '90s', seconds: 90 },
    { expires: '15m', seconds: 900 },
    { expires: '2h', seconds: 7200 },
    { expires: '2d', seconds: 172_800 },
  ])('--expires $expires gives $seconds seconds', async ({ expires, seconds }) => {
    const claims = await verified(tokenForArguments(['--expires', expires], localDirectory, NOON));
    expect(claims.exp! - claims.iat!).toBe(seconds);
  });

  test.each([
    { args: [], roles: ['Jobs.ReadWrite', 'Farm.ReadWrite'] },
    { args: ['--roles', 'Farm.Read'], roles: ['Farm.Read'] },
    { args: ['--roles', 'Jobs.Read'], roles: ['Jobs.Read'] },
    { args: ['--roles', 'Jobs.Read,Jobs.ReadWrite'], roles: ['Jobs.Read', 'Jobs.ReadWrite'] },
    { args: ['--roles', 'none'], roles: undefined },
  ])('$args gives the roles $roles', async ({ args, roles }) => {
    expect((await verified(tokenForArguments(args, localDirectory, NOON)))['roles']).toEqual(roles);
  });

  test.each([
    { why: 'an empty role', args: ['--roles', ''], text: 'names no roles' },
    { why: 'a role with a space', args: ['--roles', 'Jobs.Read, Jobs.ReadWrite'], text: 'names no roles' },
    { why: 'no unit', args: ['--expires', '10'], text: 'is no lifetime' },
    { why: 'nothing', args: ['--expires', '0s'], text: 'is no lifetime' },
    { why: 'above a year', args: ['--expires', '366d'], text: 'is no lifetime' },
    { why: 'a name with a slash', args: ['--tenant', 'a/b'], text: 'is no tenant' },
    { why: 'an empty name', args: ['--tenant', ''], text: 'is no tenant' },
    { why: 'an unknown option', args: ['--scope', 'x'], text: 'Usage:' },
    { why: 'a stray word', args: ['demo'], text: 'Usage:' },
  ])('refuses $why with a text that says what to give', ({ args, text }) => {
    expect(() => tokenForArguments(args, localDirectory, NOON)).toThrow(text);
  });
});

describe('tenants', () => {
  test('a UUID stands for itself in lower case; a name always maps to the same UUID', () => {
    expect(tenantId('AAAAAAAA-0000-4000-8000-00000000000A')).toBe('aaaaaaaa-0000-4000-8000-00000000000a');
    expect(tenantId('demo')).toBe(tenantId('demo'));
    expect(tenantId('demo')).not.toBe(tenantId('unlicensed'));
    expect(tenantId('demo')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('the managed identity endpoint', () => {
  const saved = { endpoint: process.env['IDENTITY_ENDPOINT'], header: process.env['IDENTITY_HEADER'] };
  const restore = (name: string, value: string | undefined): void => {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  };
  afterAll(() => {
    restore('IDENTITY_ENDPOINT', saved.endpoint);
    restore('IDENTITY_HEADER', saved.header);
  });

  // One test, since the library reads IDENTITY_ENDPOINT once in the life of a process.
  test('gives the real ManagedIdentityCredential tokens for storage, the vault and Event Grid', async () => {
    process.env['IDENTITY_ENDPOINT'] = identity.identityEndpoint;
    process.env['IDENTITY_HEADER'] = identity.identityHeader;
    const resources = ['storage.azure.com', 'vault.azure.net', 'eventgrid.azure.net'];
    for (const resource of resources.map((host) => `https://${host}`)) {
      const token = await new ManagedIdentityCredential().getToken(`${resource}/.default`);
      expect(token.expiresOnTimestamp).toBeGreaterThan(Date.now() + 3_600_000);
      expect(await verified(token.token)).toMatchObject({
        aud: resource,
        iss: expect.stringMatching(/^https:\/\/sts\.windows\.net\//),
        oid: expect.any(String),
        tid: expect.any(String),
        nbf: expect.any(Number),
        iat: expect.any(Number),
      });
      const tenant = tenantId('service');
      expect(identity.isServiceToken(token.token, { tenant, resource })).toBe(true);
      expect(identity.isServiceToken(token.token, { tenant, resource: 'https://elsewhere.example' })).toBe(false);
      expect(identity.isServiceToken(token.token, { tenant: tenantId('demo'), resource })).toBe(false);
    }
  });

  test.each([
    {
      why: 'without the header',
      header: undefined,
      query: 'resource=https://vault.azure.net&api-version=2019-08-01',
      status: 401,
    },
    {
      why: 'of another version',
      header: 'right',
      query: 'resource=https://vault.azure.net&api-version=2017-09-01',
      status: 400,
    },
    {
      why: 'for an unknown resource',
      header: 'right',
      query: 'resource=https://a.example&api-version=2019-08-01',
      status: 400,
    },
  ])('refuses a request $why with $status', async ({ header, query, status }) => {
    const headers: Record<string, string> =
      header === undefined ? {} : { 'x-identity-header': identity.identityHeader };
    expect((await fetch(`${identity.identityEndpoint}?${query}`, { headers })).status).toBe(status);
  });

  test('does not take a caller token or garbage for a service token', () => {
    const asked = { tenant: tenantId('service'), resource: 'https://storage.azure.com' };
    expect(identity.isServiceToken(identity.issueToken(), asked)).toBe(false);
    expect(identity.isServiceToken('garbage', asked)).toBe(false);
    const claims = { aud: asked.resource, iss: `https://sts.windows.net/${asked.tenant}/`, tid: asked.tenant };
    expect(identity.isServiceToken(identity.issueToken({ claims }), asked)).toBe(true);
    expect(identity.isServiceToken(identity.issueToken({ claims: { ...claims, tid: 'x' } }), asked)).toBe(false);
    expect(identity.isServiceToken(identity.issueToken({ claims: { ...claims, iss: 'x' } }), asked)).toBe(false);
    expect(identity.isServiceToken(identity.issueToken({ claims: { ...claims, nbf: 9e9 } }), asked)).toBe(false);
    expect(identity.isServiceToken(identity.issueToken({ claims, expiresInSeconds: -1 }), asked)).toBe(false);
  });
});
