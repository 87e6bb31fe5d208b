import type { Customer, StoredKey } from './customer.js';

/** What became of an insert: an id that exists, or that a purge has used up, is not given again. */
export type CustomerInsert = 'created' | 'exists' | 'purged';

/** Where customers and their keys are kept. */
export interface CustomerStore {
  find(customer: string): Promise<Customer | undefined>;
  list(): Promise<readonly Customer[]>;
  insert(customer: Customer): Promise<CustomerInsert>;
  /** Changes what is given and leaves the rest. @returns false when there is no such customer */
  change(customer: string, changes: Partial<Pick<Customer, 'fieldLimit' | 'isPurging'>>): Promise<boolean>;
  /** Deleting twice is harmless. */
  remove(customer: string): Promise<void>;
  /** Uses an id up for ever, by a tombstone; the first one stays. @param purgedAt milliseconds since 1970 UTC */
  bury(customer: string, purgedAt: number): Promise<void>;
  /** When the id was used up; undefined for one that was not. */
  findTombstone(customer: string): Promise<number | undefined>;

  findKey(keyId: string): Promise<StoredKey | undefined>;
  /** Every key of the customer, live or not. */
  listKeys(customer: string): Promise<readonly StoredKey[]>;
  insertKey(key: StoredKey): Promise<void>;
  /** @returns false when there is no such key */
  changeKey(keyId: string, changes: Partial<Pick<StoredKey, 'expiresAt' | 'revokedAt'>>): Promise<boolean>;
  removeKey(key: Pick<StoredKey, 'keyId' | 'customer'>): Promise<void>;
}
