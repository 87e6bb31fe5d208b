import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { JwksClient } from '../../../shared/access/auth/jwksClient.js';
import { RecentMap } from '../../../shared/kit/recentMap.js';
import { verifyToken, type SigningKey, type TokenCaller } from '../../../shared/access/auth/verifyToken.js';
import { ManualClock } from '../../support/manualClock.js';
import { AUDIENCE, claimsOf, signedToken } from './signedToken.js';

const TENANT = '0f2f0a1e-9f53-4d0e-8f3a-0d6f7a1b2c3d';
const ISSUER = 'https://issuer.test/{tid}/v2.0';
const HOUR_MS = 3_600_000;

let ours: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
let other: typeof ours;
beforeAll(() => {
  ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
  other = generateKeyPairSync('rsa', { modulusLength: 2048 });
});

let clock: ManualClock;
let tenants: Set<string>;
let published: Map<string, SigningKey>;
/** How often a signature was checked. */
let checks: number;
let verify: (header: string) => Promise<TokenCaller>;

/** A published key that counts its use. */
const counted = ({ publicKey }: typeof ours, issuer?: string): SigningKey => ({
  get publicKey() {
    checks += 1;
    return publicKey;
  },
  ...(issuer === undefined ? {} : { issuer }),
});

beforeEach(() => {
  clock = new ManualClock();
  tenants = new Set([TENANT]);
  checks = 0;
  published = new Map([['key-1', counted(ours)]]);
  const signingKeys = { find: (kid: string) => Promise.resolve(published.get(kid)) };
  const rules = { issuers: [ISSUER], audience: AUDIENCE, isTenant: (tid: string) => Promise.resolve(tenants.has(tid)) };
  verify = verifyToken({ signingKeys, clock }, rules);
});

const aToken = (changes: object = {}): string => {
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const claims = { ...claimsOf(TENANT, ISSUER.replace('{tid}', TENANT), seconds), ...changes };
  return `Bearer ${signedToken({ alg: 'RS256', kid: 'key-1' }, claims, ours.privateKey)}`;
};
const reasonOf = (header: string): Promise<string> =>
  verify(header).then(
    () => 'accepted',
    (error: unknown) => (error as { reason: string }).reason,
  );

describe('a token that was accepted', () => {
  test('is known again, with its tenant and its roles', async () => {
    const token = aToken({ roles: ['Jobs.Read'] });
    for (let call = 0; call < 3; call += 1) {
      await expect(verify(token)).resolves.toEqual({ tenant: TENANT, objectId: 'app', roles: ['Jobs.Read'] });
    }
    expect(checks).toBe(1);
  });

  test('is refused once it has expired', async () => {
    const token = aToken();
    await verify(token);
    clock.jump(HOUR_MS + 59_000);
    await expect(reasonOf(token)).resolves.toBe('accepted');
    clock.jump(1_000);
    await expect(reasonOf(token)).resolves.toBe('expired');
    expect(checks).toBe(1);
  });

  test('is refused once its key is no longer published', async () => {
    const token = aToken();
    await verify(token);
    published.delete('key-1');
    await expect(reasonOf(token)).resolves.toBe('unknown key id');
  });

  test.each([
    ['another key', () => counted(other), 'invalid signature'],
    ['the same key for another issuer', () => counted(ours, 'https://elsewhere.test/'), 'key of another issuer'],
    ['the same key, read anew', () => counted(ours), 'accepted'],
  ])('is checked in full again when %s is published under its key id', async (_what, key, outcome) => {
    const token = aToken();
    await verify(token);
    published.set('key-1', key());
    await expect(reasonOf(token)).resolves.toBe(outcome);
    expect(checks).toBe(2);
  });

  test('is refused while its tenant is disabled, and no longer', async () => {
    const token = aToken();
    await verify(token);
    tenants.delete(TENANT);
    await expect(reasonOf(token)).resolves.toBe('tenant');
    tenants.add(TENANT);
    await expect(reasonOf(token)).resolves.toBe('accepted');
  });

  test('stands for itself alone: one letter more or less is another token', async () => {
    const token = aToken();
    await verify(token);
    await expect(reasonOf(`${token.slice(0, -1)}${token.endsWith('A') ? 'Q' : 'A'}`)).resolves.toBe(
      'invalid signature',
    );
    await expect(reasonOf(token.slice(0, -2))).resolves.not.toBe('accepted');
  });

  test('is refused when the issuer takes its key back', async () => {
    let keys = [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'key-1', use: 'sig' }];
    const fetchKeys = (): Promise<Response> => Promise.resolve(Response.json({ keys }));
    const signingKeys = new JwksClient({ uri: 'https://issuer.test/keys', clock, fetch: fetchKeys });
    const rules = { issuers: [ISSUER], audience: AUDIENCE, isTenant: () => Promise.resolve(true) };
    verify = verifyToken({ signingKeys, clock }, rules);
    const token = aToken({ exp: Math.floor(clock.now().getTime() / 1000) + 48 * 3600 });
    await verify(token);
    keys = [{ ...other.publicKey.export({ format: 'jwk' }), kid: 'key-2', use: 'sig' }];
    clock.jump(25 * HOUR_MS);
    await expect(reasonOf(token)).resolves.toBe('unknown key id');
  });
});

describe('a token that was refused is judged anew', () => {
  test('when its time has come', async () => {
    const token = aToken({ nbf: Math.floor(clock.now().getTime() / 1000) + 120 });
    await expect(reasonOf(token)).resolves.toBe('jwt not active');
    clock.jump(120_000);
    await expect(reasonOf(token)).resolves.toBe('accepted');
  });

  test('when its tenant has been registered', async () => {
    tenants.clear();
    const token = aToken();
    await expect(reasonOf(token)).resolves.toBe('tenant');
    tenants.add(TENANT);
    await expect(reasonOf(token)).resolves.toBe('accepted');
  });
});

describe('what is remembered', () => {
  test('is what was used last, never more than there is room for', () => {
    const operation = fc.record({ key: fc.integer({ min: 0, max: 12 }).map(String), isUse: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(operation), (size, operations) => {
        const remembered = new RecentMap<string>(size);
        let model: string[] = [];
        for (const { key, isUse } of operations) {
          if (isUse) {
            remembered.use(key, `value ${key}`);
            model = [...model.filter((other) => other !== key), key].slice(-size);
          }
          expect(remembered.get(key)).toBe(model.includes(key) ? `value ${key}` : undefined);
        }
      }),
    );
  });
});
