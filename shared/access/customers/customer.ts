/** A customer of area C: the owner of enrollments, keys and imagery. */
export interface Customer {
  /** Its id; also the first segment of every storage path of its own. */
  readonly customer: string;
  /** Most fields in one enrollment. */
  readonly fieldLimit: number;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  /** Set while everything of the customer is being deleted, when nothing new may begin. */
  readonly isPurging?: true;
}

const CUSTOMER_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** 1 to 63 lower-case letters, digits and inner hyphens: safe as a storage path segment and as a table key. */
export const isCustomerId = (text: string): boolean => CUSTOMER_ID.test(text);

/** Bounds of `fieldLimit`. */
export const fieldLimitRange = { least: 1, most: 5_000 } as const;
