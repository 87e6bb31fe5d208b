import { sign, verify } from 'node:crypto';
import { isJsonObject } from '../http/exchange.js';
import type { SigningKey } from './signingKeys.js';

/** Claims of a token; a claim that is undefined is left out. */
export type Claims = Readonly<Record<string, unknown>>;

/** A compact JWS (RFC 7515), signed RS256. */
export function signJwt({ kid, privateKey }: SigningKey, claims: Claims): string {
  const signed = [{ alg: 'RS256', typ: 'JWT', kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** The claims of a token that one of the keys signed; undefined when none did. Claims are not judged here. */
export function verifiedClaims(token: string, keys: readonly SigningKey[]): Claims | undefined {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  const isSigned = keys.some(({ publicKey }) =>
    verify('sha256', signed, publicKey, Buffer.from(signature, 'base64url')),
  );
  if (!isSigned || rest.length > 0) return undefined;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  return isJsonObject(claims) ? claims : undefined;
}
