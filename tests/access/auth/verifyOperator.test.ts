import { beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { operatorRolesOf, requireRole } from '../../../shared/access/auth/roles.js';
import { verifyOperator } from '../../../shared/access/auth/verifyOperator.js';
import { ManualClock } from '../../support/manualClock.js';
import { AUDIENCE, claimsOf, signedToken } from './signedToken.js';

const HOME = '0f2f0a1e-9f53-4d0e-8f3a-0d6f7a1b2c3d';
const OTHER = '1a2b3c4d-9f53-4d0e-8f3a-0d6f7a1b2c3d';
const clock = new ManualClock();
const now = Math.floor(clock.now().getTime() / 1000);
let keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
beforeAll(() => {
  keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
});

const token = (tid: string, changes: object = {}): string => {
  const claims = {
    ...claimsOf(tid, `https://issuer.test/${tid}/v2.0`, now),
    ver: '2.0',
    roles: ['Operate'],
    ...changes,
  };
  return `Bearer ${signedToken({ alg: 'RS256', typ: 'JWT', kid: 'key-1' }, claims, keys.privateKey)}`;
};
const verify = (header: string | null, home: string | undefined = HOME) =>
  verifyOperator(
    { signingKeys: { find: () => Promise.resolve({ publicKey: keys.publicKey }) }, clock },
    { issuers: ['https://issuer.test/{tid}/v2.0'], audience: AUDIENCE },
    home,
  )(header);

describe('the token of an operator', () => {
  test('is one of the home tenant, of version 2', async () => {
    await expect(verify(token(HOME, { oid: 'ada' }))).resolves.toMatchObject({ objectId: 'ada', roles: ['Operate'] });
  });

  test.each([
    { what: 'of another tenant, whatever its roles', header: () => token(OTHER) },
    { what: 'of version 1', header: () => token(HOME, { ver: '1.0' }) },
    { what: 'of no version', header: () => token(HOME, { ver: undefined }) },
    { what: 'for another audience', header: () => token(HOME, { aud: 'api://other' }) },
    { what: 'that has expired', header: () => token(HOME, { exp: now - 61 }) },
    { what: 'that is missing', header: () => null },
  ])('is none $what', async ({ header }) => {
    await expect(verify(header())).rejects.toThrow('of the tenant that operates the service');
  });

  test('is none where nobody operates the service by its API', async () => {
    const nobody = verifyOperator(
      { signingKeys: { find: () => Promise.resolve({ publicKey: keys.publicKey }) }, clock },
      { issuers: ['https://issuer.test/{tid}/v2.0'], audience: AUDIENCE },
      undefined,
    );
    await expect(nobody(token(HOME))).rejects.toMatchObject({ reason: 'tenant' });
  });
});

describe('the roles of an operator', () => {
  test.each<[string, object, readonly string[]]>([
    ['of an application stand in roles', { roles: ['Release'] }, ['Release']],
    ['of a person stand in roles, with the scope', { roles: ['Operate'], scp: 'openid Operate' }, ['Operate']],
    ['of a person without the scope are none', { roles: ['Operate'], scp: 'Jobs.ReadWrite' }, []],
    ['of a person are none by the scope alone', { scp: 'Operate' }, []],
    ['of a person are never those of pipelines', { roles: ['Release'], scp: 'Operate' }, []],
    ['are none of those of tenants', { roles: ['Jobs.ReadWrite', 'Operate.All'] }, []],
    ['are none where roles is a text', { roles: 'Operate' }, []],
  ])('%s', (_what, claims, expected) => {
    expect(operatorRolesOf({ ...claims })).toEqual(expected);
  });

  test.each([
    { least: 'Release', carried: ['Release'], isOpen: true },
    { least: 'Release', carried: ['Operate'], isOpen: true },
    { least: 'Operate', carried: ['Operate'], isOpen: true },
    { least: 'Operate', carried: ['Release'], isOpen: false },
    { least: 'Release', carried: ['Jobs.ReadWrite'], isOpen: false },
  ] as const)('what needs $least opens to $carried: $isOpen', ({ least, carried, isOpen }) => {
    const asked = (): void => {
      requireRole({ roles: carried }, least);
    };
    if (isOpen) expect(asked).not.toThrow();
    else expect(asked).toThrow('The token carries no role');
  });
});
