import { describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JwksClient } from '../../shared/auth/jwksClient.js';
import { verifyToken } from '../../shared/auth/verifyToken.js';
import { ManualClock } from '../support/manualClock.js';
import { AUDIENCE, claimsOf, signedToken } from './signedToken.js';

const TENANT = '0f2f0a1e-9f53-4d0e-8f3a-0d6f7a1b2c3d';
const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad';
const clock = new ManualClock();
const now = clock.now().getTime() / 1000;
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwk = own.publicKey.export({ format: 'jwk' });

const v2 = (tid: string): string => `https://login.microsoftonline.com/${tid}/v2.0`;
const v1 = (tid: string): string => `https://sts.windows.net/${tid}/`;

/** What becomes of a token of the tenant signed by key `kid` of the document. */
function verdict(keys: readonly object[], kid: string, token: { readonly tid?: string; readonly iss?: string } = {}) {
  const fetchKeys = (): Promise<Response> => Promise.resolve(Response.json({ keys }));
  const signingKeys = new JwksClient({ uri: 'https://issuer.test/keys', clock, fetch: fetchKeys });
  const verify = verifyToken(
    { signingKeys, clock },
    {
      issuers: [v2('{tid}'), v1('{tid}')],
      audience: AUDIENCE,
      isTenant: (tid) => Promise.resolve([TENANT, CONSUMERS].includes(tid)),
    },
  );
  const { tid = TENANT, iss = v2(tid) } = token;
  const text = signedToken({ alg: 'RS256', kid }, claimsOf(tid, iss, now), own.privateKey);
  return verify(`Bearer ${text}`).then(
    () => 'accepted',
    (error: unknown) => (error as { reason?: string }).reason ?? String(error),
  );
}

describe('a key counts for the issuer it names', () => {
  const key = (issuer?: unknown): object[] => [{ ...jwk, kid: 'key-1', use: 'sig', issuer }];
  const another = 'key of another issuer';

  test.each<[string, unknown, { tid?: string; iss?: string }, string]>([
    ['of work tenants: a work tenant', v2('{tenantid}'), {}, 'accepted'],
    ['of work tenants: a token of version 1', v2('{tenantid}'), { iss: v1(TENANT) }, 'accepted'],
    ['of personal accounts: a work tenant', v2(CONSUMERS), {}, another],
    ['of personal accounts: a work tenant, version 1', v2(CONSUMERS), { iss: v1(TENANT) }, another],
    ['of personal accounts: their own tenant', v2(CONSUMERS), { tid: CONSUMERS }, 'accepted'],
    ['of one tenant: that tenant', v2(TENANT), {}, 'accepted'],
    ['of another cloud: a work tenant', 'https://login.microsoftonline.us/{tenantid}/v2.0', {}, another],
    ['of another path: a work tenant, version 1', `https://evil.test/${TENANT}/v2.0/x`, { iss: v1(TENANT) }, another],
    ['that is empty: a work tenant', '', {}, another],
    ['that is no text: a work tenant', { '{tenantid}': true }, {}, another],
    ['that is null: a work tenant', null, {}, another],
    ['that is absent: an issuer of ours', undefined, {}, 'accepted'],
    ['that is absent: an issuer that is not configured', undefined, { iss: 'https://evil.test/' }, 'issuer'],
  ])('%s', async (_what, issuer, token, expected) => {
    await expect(verdict(key(issuer), 'key-1', token)).resolves.toBe(expected);
  });
});

const folder = '../shared/data/recorded/jwks';
const documents = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('entra-')) : [];

(documents.length > 0 ? describe : describe.skip)('a document that Entra published', () => {
  test.each(documents)('%s: its keys for work tenants sign for a work tenant, the others do not', async (name) => {
    const { keys } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as {
      readonly keys: readonly { readonly kid: string; readonly issuer: string }[];
    };
    expect(keys.length).toBeGreaterThan(3);
    // Our own numbers in its keys, since nobody has the private halves.
    const ours = keys.map((key) => ({ ...key, n: jwk.n, e: jwk.e, x5c: undefined }));
    for (const { kid, issuer } of keys) {
      const isPersonal = issuer === v2(CONSUMERS);
      const expected = isPersonal ? 'key of another issuer' : 'accepted';
      await expect(verdict(ours, kid)).resolves.toBe(expected);
      await expect(verdict(ours, kid, { iss: v1(TENANT) })).resolves.toBe(expected);
      await expect(verdict(ours, kid, { tid: CONSUMERS })).resolves.toBe('accepted');
    }
  });

  test.each(documents)('%s: every key of it can be used as it stands', async (name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const client = new JwksClient({
      uri: 'https://issuer.test',
      clock,
      fetch: () => Promise.resolve(new Response(text)),
    });
    for (const { kid } of (JSON.parse(text) as { keys: readonly { kid: string }[] }).keys) {
      await expect(client.find(kid)).resolves.toMatchObject({ issuer: expect.stringContaining('/v2.0') });
    }
  });
});
