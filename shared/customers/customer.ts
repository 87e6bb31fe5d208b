/** A customer of area C: the owner of enrollments, keys and imagery. */
export interface Customer {
  /** Its id; also the first segment of every storage path of its own. */
  readonly customer: string;
  /** Most fields in one enrollment. */
  readonly fieldLimit: number;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Set while everything of the customer is being deleted: nothing new may begin. */
  readonly isPurging?: true;
}

/** One stored key of a customer. The key itself is nowhere; its digest is. */
export interface StoredKey {
  readonly keyId: string;
  readonly customer: string;
  /** HMAC of the key, base64. */
  readonly digest: string;
  /** Version of the pepper the digest was made with. */
  readonly pepper: string;
  readonly createdAt: number;
  /** The key is refused from then on; absent for a key without an end. */
  readonly expiresAt?: number;
  readonly revokedAt?: number;
}

const CUSTOMER_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** 1 to 63 lower-case letters, digits and inner hyphens: safe as a storage path segment and as a table key. */
export const isCustomerId = (text: string): boolean => CUSTOMER_ID.test(text);

/** Whether a key opens anything at this instant. */
export function isLive({ expiresAt, revokedAt }: StoredKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}

/** Fewest and most fields an operator can grant a customer in one enrollment. */
export const fieldLimitRange = { least: 1, most: 5_000 } as const;
