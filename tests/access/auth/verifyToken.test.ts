import { beforeAll, describe, expect, test } from '@jest/globals';
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { TokenRefusal, verifyToken, type TokenCaller } from '../../../shared/access/auth/verifyToken.js';
import { ManualClock } from '../../support/manualClock.js';
import { AUDIENCE, claimsOf, encode, signedToken } from './signedToken.js';

const TENANT = '0f2f0a1e-9f53-4d0e-8f3a-0d6f7a1b2c3d';
const clock = new ManualClock();
const now = Math.floor(clock.now().getTime() / 1000);

let ours: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
let foreign: typeof ours;
beforeAll(() => {
  ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
  foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
});

const verify = (header: string | null): Promise<TokenCaller> =>
  verifyToken(
    {
      signingKeys: { find: (kid) => Promise.resolve(kid === 'key-1' ? { publicKey: ours.publicKey } : undefined) },
      clock,
    },
    {
      issuers: ['https://issuer.test/{tid}/v2.0'],
      audience: AUDIENCE,
      isTenant: (tid) => Promise.resolve(tid === TENANT),
    },
  )(header);

const goodClaims = claimsOf(TENANT, `https://issuer.test/${TENANT}/v2.0`, now);
const caller = { tenant: TENANT, objectId: 'app', roles: ['Jobs.ReadWrite'] };
const goodHeader = { alg: 'RS256', typ: 'JWT', kid: 'key-1' };

/** A token signed with our key over exactly this text, valid in all that the changes don't touch. */
const tokenOf = (claims: object | string, header: object = goodHeader, key = ours.privateKey): string =>
  signedToken(header, claims, key);
const without = (name: string): object =>
  Object.fromEntries(Object.entries(goodClaims).filter(([key]) => key !== name));

describe('a token', () => {
  test('that is right gives its tenant and its roles', async () => {
    await expect(verify(`Bearer ${tokenOf(goodClaims)}`)).resolves.toEqual(caller);
  });

  test.each(['bearer ', 'BEARER ', 'Bearer  ', 'Bearer     '])('may be introduced by "%s"', async (scheme) => {
    await expect(verify(`${scheme}${tokenOf(goodClaims)}`)).resolves.toEqual(caller);
  });

  test('of a person is known for one by its scopes', async () => {
    const claims = { ...goodClaims, scp: 'Jobs.Read' };
    const person = { ...caller, roles: ['Jobs.Read'], isDelegated: true };
    await expect(verify(`Bearer ${tokenOf(claims)}`)).resolves.toEqual(person);
  });

  test('may be off by 60 seconds of clock', async () => {
    const claims = { ...goodClaims, iat: now + 59, nbf: now + 59, exp: now + 100 };
    await expect(verify(`Bearer ${tokenOf(claims)}`)).resolves.toEqual(caller);
    await expect(verify(`Bearer ${tokenOf({ ...goodClaims, exp: now - 59 })}`)).resolves.toEqual(caller);
  });

  const infinite = JSON.stringify(goodClaims).replace(/"exp":\d+/, '"exp":1e400');
  test.each<[string, () => string | null]>([
    ['that is missing', () => null],
    ['that is empty', () => 'Bearer '],
    ['after a tab', () => `Bearer\t${tokenOf(goodClaims)}`],
    ['after nothing', () => `Bearer${tokenOf(goodClaims)}`],
    ['of another scheme', () => `Basic ${tokenOf(goodClaims)}`],
    ['given twice', () => `Bearer ${tokenOf(goodClaims)}, Bearer ${tokenOf(goodClaims)}`],
    ['with algorithm none', () => `Bearer ${encode({ ...goodHeader, alg: 'none' })}.${encode(goodClaims)}.`],
    ['with algorithm nOnE', () => `Bearer ${encode({ ...goodHeader, alg: 'nOnE' })}.${encode(goodClaims)}.x`],
    [
      'with HS256 signed by the public key',
      () => {
        const signed = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(goodClaims)}`;
        const pem = ours.publicKey.export({ type: 'spki', format: 'pem' });
        return `Bearer ${signed}.${createHmac('sha256', pem).update(signed).digest('base64url')}`;
      },
    ],
    ['with PS256 in its header', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, alg: 'PS256' })}`],
    ['signed by a foreign key', () => `Bearer ${tokenOf(goodClaims, goodHeader, foreign.privateKey)}`],
    [
      'that brings its own key along',
      () => {
        const header = {
          ...goodHeader,
          jwk: foreign.publicKey.export({ format: 'jwk' }),
          jku: 'https://evil.test/keys',
        };
        return `Bearer ${tokenOf(goodClaims, header, foreign.privateKey)}`;
      },
    ],
    ['without its signature', () => `Bearer ${tokenOf(goodClaims).replace(/[^.]+$/, '')}`],
    [
      'with changed claims',
      () => `Bearer ${tokenOf(goodClaims).replace(/\.[^.]+\./, `.${encode({ ...goodClaims, x: 1 })}.`)}`,
    ],
    ['for another audience', () => `Bearer ${tokenOf({ ...goodClaims, aud: 'api://other' })}`],
    ['for a list of audiences with ours in it', () => `Bearer ${tokenOf({ ...goodClaims, aud: [AUDIENCE, 'x'] })}`],
    ['of another issuer', () => `Bearer ${tokenOf({ ...goodClaims, iss: 'https://evil.test/' })}`],
    ["with another tenant's issuer", () => `Bearer ${tokenOf({ ...goodClaims, iss: 'https://issuer.test/x/v2.0' })}`],
    ['that has expired', () => `Bearer ${tokenOf({ ...goodClaims, exp: now - 61 })}`],
    ['that is not valid yet', () => `Bearer ${tokenOf({ ...goodClaims, nbf: now + 61 })}`],
    ['that never expires (exp 1e400)', () => `Bearer ${tokenOf(infinite)}`],
    ['with exp as text', () => `Bearer ${tokenOf({ ...goodClaims, exp: String(now + 100) })}`],
    ['with a fractional exp', () => `Bearer ${tokenOf({ ...goodClaims, exp: now + 100.5 })}`],
    ['with nbf as text', () => `Bearer ${tokenOf({ ...goodClaims, nbf: '0' })}`],
    ['with iat as text', () => `Bearer ${tokenOf({ ...goodClaims, iat: '0' })}`],
    ['issued ten minutes ahead', () => `Bearer ${tokenOf({ ...goodClaims, iat: now + 600 })}`],
    ['without exp', () => `Bearer ${tokenOf(without('exp'))}`],
    ['without iat', () => `Bearer ${tokenOf(without('iat'))}`],
    ['without nbf', () => `Bearer ${tokenOf(without('nbf'))}`],
    ['without tid', () => `Bearer ${tokenOf(without('tid'))}`],
    [
      'of a tenant that is not registered',
      () => `Bearer ${tokenOf({ ...goodClaims, tid: 'x', iss: 'https://issuer.test/x/v2.0' })}`,
    ],
    ['with an unknown critical header', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, crit: ['x'], x: 1 })}`],
    ['with b64 false', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, b64: false })}`],
    ['without a key id', () => `Bearer ${tokenOf(goodClaims, { alg: 'RS256' })}`],
    ['with a number for a key id', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, kid: 1 })}`],
    ['with a path for a key id', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, kid: '../key-1' })}`],
    ['with an unknown key id', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, kid: 'key-2' })}`],
    ['of 200 KB', () => `Bearer ${tokenOf({ ...goodClaims, pad: 'x'.repeat(200_000) })}`],
    ['whose claims are null', () => `Bearer ${tokenOf('null')}`],
    ['whose claims are a list', () => `Bearer ${tokenOf('[]')}`],
    ['whose claims are no JSON', () => `Bearer ${tokenOf('{')}`],
    ['with a key id that every object has', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, kid: '__proto__' })}`],
    ['with a list for a key id', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, kid: ['key-1'] })}`],
    ['with a list for an algorithm', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, alg: ['RS256'] })}`],
    ['with rs256 in small letters', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, alg: 'rs256' })}`],
    ['with ES256 in its header', () => `Bearer ${tokenOf(goodClaims, { ...goodHeader, alg: 'ES256' })}`],
    [
      'that names certificates of its own',
      () => {
        const header = { ...goodHeader, x5u: 'https://evil.test/cert', x5c: ['MIIB'] };
        return `Bearer ${tokenOf(goodClaims, header, foreign.privateKey)}`;
      },
    ],
    ['whose header is null', () => `Bearer ${encode(null)}.${tokenOf(goodClaims).split('.').slice(1).join('.')}`],
    ['whose header is a list', () => `Bearer ${tokenOf(goodClaims, [goodHeader])}`],
    ['with a list of tenants', () => `Bearer ${tokenOf({ ...goodClaims, tid: [TENANT] })}`],
    ['with a list of issuers', () => `Bearer ${tokenOf({ ...goodClaims, iss: [goodClaims['iss']] })}`],
    ['with its tenant in capitals', () => `Bearer ${tokenOf({ ...goodClaims, tid: TENANT.toUpperCase() })}`],
    [
      "with the tenant's name as a pattern",
      () => `Bearer ${tokenOf({ ...goodClaims, iss: 'https://issuer.test/{tid}/v2.0' })}`,
    ],
    ['with a negative exp', () => `Bearer ${tokenOf({ ...goodClaims, exp: -1 })}`],
    ['with exp null', () => `Bearer ${tokenOf({ ...goodClaims, exp: null })}`],
    ['with padding behind its signature', () => `Bearer ${tokenOf(goodClaims)}==`],
    ['with a space inside', () => `Bearer ${tokenOf(goodClaims).replace('.', ' .')}`],
    ['with a line end behind it', () => `Bearer ${tokenOf(goodClaims)}\n`],
    ['of four parts', () => `Bearer ${tokenOf(goodClaims)}.x`],
    ['of two parts', () => `Bearer ${encode(goodHeader)}.${encode(goodClaims)}`],
  ])('%s is refused', async (_what, header) => {
    const sent = header();
    const refusal = await verify(sent).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(TokenRefusal);
    const challenge = sent === null ? 'Bearer' : 'Bearer error="invalid_token"';
    expect(refusal).toMatchObject({ fault: { status: 401 }, headers: { 'WWW-Authenticate': challenge } });
  });

  test('of 8 KB is taken, a longer one is not', async () => {
    const bare = tokenOf({ ...goodClaims, pad: '' }).length;
    const tokens = Array.from({ length: 12 }, (_, more) =>
      tokenOf({ ...goodClaims, pad: 'x'.repeat(Math.floor(((8_192 - bare) * 3) / 4) + more - 6) }),
    );
    const longestTaken = tokens.findLast(({ length }) => length <= 8_192)!;
    const shortestRefused = tokens.find(({ length }) => length > 8_192)!;
    expect(shortestRefused.length - longestTaken.length).toBeLessThanOrEqual(2);
    await expect(verify(`Bearer ${longestTaken}`)).resolves.toEqual(caller);
    await expect(verify(`Bearer ${shortestRefused}`)).rejects.toMatchObject({ reason: 'too long' });
  });

  test('is refused with one and the same message, whatever is wrong with it', async () => {
    const messages = await Promise.all(
      [null, 'Bearer x', `Bearer ${tokenOf({ ...goodClaims, exp: 1 })}`].map((header) =>
        verify(header).catch((error: unknown) => (error as Error).message),
      ),
    );
    expect(new Set(messages).size).toBe(1);
  });
});
