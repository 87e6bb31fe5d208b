import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { CONSUMERS, ownJwk, TENANT, v2 } from '../../access/auth/keyVerdict.js';

/** A key of a made document. */
export type MadeKey = JsonWebKey & Readonly<Record<string, unknown>>;

/** Names of keys as Entra writes them: 27 characters of base64url. */
const kidOf = (seed: string): string => Buffer.from(`made-up key ${seed}`.padEnd(20, '.')).toString('base64url');

const key = (seed: string, more: object = {}): MadeKey => ({
  kty: 'RSA',
  use: 'sig',
  kid: kidOf(seed),
  x5t: kidOf(seed),
  n: ownJwk.n ?? '',
  e: 'AQAB',
  x5c: [Buffer.from(`made-up certificate ${seed}`).toString('base64')],
  ...more,
});

const work = v2('{tenantid}');
const personal = v2(CONSUMERS);
const { issuer: _issuer, ...withoutIssuer } = key('v1 document', { issuer: work });
const { kid: _kid, ...withoutKid } = key('no name', { issuer: work });
const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });

/** Key documents as Entra publishes them, and as it might: work and personal keys mixed, variants of `issuer`, misfits. */
export const keyDocuments: Readonly<Record<string, readonly MadeKey[]>> = {
  'of every account: work and personal keys mixed': [
    ...['a', 'b', 'c', 'd'].map((seed) => key(`work ${seed}`, { issuer: work })),
    ...['e', 'f', 'g'].map((seed) => key(`personal ${seed}`, { issuer: personal })),
  ],
  'of organisations: work keys alone': ['h', 'i', 'j', 'k'].map((seed) => key(`work ${seed}`, { issuer: work })),
  'of one tenant and of other clouds': [
    key('one tenant', { issuer: v2(TENANT) }),
    key('another tenant', { issuer: v2('5b1c7e52-3a0f-4f0e-9d55-0c6d1f0a9b77') }),
    key('government', { issuer: 'https://login.microsoftonline.us/{tenantid}/v2.0' }),
    key('China', { issuer: 'https://login.partner.microsoftonline.cn/{tenantid}/v2.0' }),
  ],
  'with odd issuers': [
    withoutIssuer,
    key('null issuer', { issuer: null }),
    key('empty issuer', { issuer: '' }),
    key('issuer of no text', { issuer: [work] }),
  ],
  'with keys that are not for signing tokens': [
    key('for signing', { issuer: work }),
    key('for encryption', { issuer: work, use: 'enc' }),
    { ...key('too small', { issuer: work }), n: small.n ?? '' },
    { ...curve, kid: kidOf('curve'), use: 'sig', issuer: work },
    key('no number', { issuer: work, n: '' }),
    withoutKid,
  ],
};
