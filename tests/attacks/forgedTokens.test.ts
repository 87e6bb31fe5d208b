import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac, createPublicKey, createSign, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { dirname, join } from 'node:path';
import { callerToken } from '../../infra/local/standIns/identity/callerTokens.js';
import { SigningKeys } from '../../infra/local/standIns/identity/signingKeys.js';
import { newJobId, service } from '../contract/service.js';
import { settings } from '../contract/storage.js';
import { closeConnections, sendRaw, type RawReply } from './rawRequest.js';

afterAll(closeConnections);

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>;

const [goodHeader = '', goodClaims = '', goodSignature = ''] = service.jwt.split('.');
const header = decode(goodHeader);
const claims = decode(goodClaims);
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
let published: JsonWebKey;
beforeAll(async () => {
  const set = (await (await fetch(settings['JWKS_URI'] ?? '')).json()) as { readonly keys: readonly JsonWebKey[] };
  published = set.keys[0]!;
});

function signedByUs(changedHeader: object, changedClaims: object = claims): string {
  const signed = `${encode(changedHeader)}.${encode(changedClaims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(own.privateKey, 'base64url')}`;
}

const fetchWith = (authorization: string | readonly string[]): Promise<RawReply> =>
  sendRaw({
    method: 'POST',
    path: '/solutions/partnerAgPowered.gdd:fetch',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ requestPath: `/v1/gdd/${newJobId()}` }),
  });

describe('a token that the issuer has not made', () => {
  test.each<[string, () => string]>([
    ['without an algorithm', () => `${encode({ ...header, alg: 'none' })}.${goodClaims}.`],
    [
      'without an algorithm, its signature kept',
      () => `${encode({ ...header, alg: 'none' })}.${goodClaims}.${goodSignature}`,
    ],
    [
      'signed with the published key as a password',
      () => {
        const pem = createPublicKey({ key: published, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
        const signed = `${encode({ ...header, alg: 'HS256' })}.${goodClaims}`;
        return `${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
      },
    ],
    ['signed by a key of its own under the right key id', () => signedByUs(header)],
    ['that brings its key along', () => signedByUs({ ...header, jwk: own.publicKey.export({ format: 'jwk' }) })],
    ['that names where its key is', () => signedByUs({ ...header, jku: 'https://127.0.0.1:1/keys', kid: 'elsewhere' })],
    ['whose tenant was changed', () => `${goodHeader}.${encode({ ...claims, tid: 'unlicensed' })}.${goodSignature}`],
    ['whose end was changed', () => `${goodHeader}.${encode({ ...claims, exp: 9_999_999_999 })}.${goodSignature}`],
    ['without its signature', () => `${goodHeader}.${goodClaims}.`],
  ])('%s opens nothing', async (_what, token) => {
    const reply = await fetchWith(`Bearer ${token()}`);
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  test('signed with the published key for personal accounts, in the name of a registered tenant, opens nothing', async () => {
    const keys = new SigningKeys(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'identity'));
    const token = callerToken(keys.consumers(), new Date());
    const { kid } = decode(token.split('.')[0] ?? '');
    const set = (await (await fetch(settings['JWKS_URI'] ?? '')).json()) as {
      readonly keys: readonly { kid: string }[];
    };
    expect(set.keys.map((key) => key.kid)).toContain(kid);
    expect((await fetchWith(`Bearer ${callerToken(keys.current(), new Date())}`)).status).toBe(404);
    expect((await fetchWith(`Bearer ${token}`)).status).toBe(401);
  });

  test('and the issuer’s own together open nothing, in either order', async () => {
    const forged = `Bearer ${signedByUs(header)}`;
    const good = `Bearer ${service.jwt}`;
    expect((await fetchWith(good)).status).toBe(404);
    for (const both of [`${forged}, ${good}`, `${good}, ${forged}`]) expect((await fetchWith(both)).status).toBe(401);
    for (const both of [
      [forged, good],
      [good, forged],
    ])
      expect((await fetchWith(both)).status).toBe(401);
  });
});
