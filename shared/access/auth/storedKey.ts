/** A key of a customer as it is stored: its digest, never the key itself. */
export interface StoredKey {
  readonly keyId: string;
  readonly customer: string;
  /** HMAC of the key, base64. */
  readonly digest: string;
  /** Version of the pepper of the digest. */
  readonly pepper: string;
  readonly createdAt: number;
  /** Milliseconds since 1970 UTC, from which on the key is refused; absent for a key without an end. */
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

/** Whether the key is accepted at this instant. */
export function isLive({ expiresAt, revokedAt }: StoredKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
