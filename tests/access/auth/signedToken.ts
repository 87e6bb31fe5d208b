/** Tokens as an issuer makes them, valid in all that the changes don't touch. */
import { createSign, type KeyObject } from 'node:crypto';

export const AUDIENCE = '6f0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d';

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact token over exactly these parts, signed RS256. @param claims as text it is signed as it stands */
export function signedToken(header: object, claims: object | string, key: KeyObject): string {
  const payload = typeof claims === 'string' ? Buffer.from(claims).toString('base64url') : encode(claims);
  const signed = `${encode(header)}.${payload}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
}

/** The claims of an application of the tenant that may do everything. @param nowSeconds since 1970 */
export const claimsOf = (tid: string, iss: string, nowSeconds: number): Record<string, unknown> => ({
  iss,
  aud: AUDIENCE,
  tid,
  azp: 'app',
  roles: ['Jobs.ReadWrite'],
  iat: nowSeconds - 10,
  nbf: nowSeconds - 10,
  exp: nowSeconds + 3600,
});
