import { createHmac } from 'node:crypto';

/** What secrets of webhooks begin with: they are base64 behind it. */
export const SECRET_PREFIX = 'whsec_';

/** A secret as its owner gets it. @param bytes 24 to 64, as receivers' libraries take */
export const secretText = (bytes: Uint8Array): string => `${SECRET_PREFIX}${Buffer.from(bytes).toString('base64')}`;

export interface Signed {
  readonly id: string;
  /** Seconds since 1970 of this very attempt. */
  readonly timestamp: number;
  /** The bytes that are sent. */
  readonly body: string;
}

/**
 * The header `webhook-signature`: a signature for each secret, so that a receiver with either takes it.
 *
 * @see Standard Webhooks 1.0.0, symmetric signatures
 */
export function signatureOf({ id, timestamp, body }: Signed, secrets: readonly string[]): string {
  const content = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${hmacOf(content, secret)}`).join(' ');
}

function hmacOf(content: string, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(content, 'utf8').digest('base64');
}
