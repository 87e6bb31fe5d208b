import type { Customer, StoredKey } from './customer.js';

/** Where customers and their keys are kept. */
export interface CustomerStore {
  find(customer: string): Promise<Customer | undefined>;
  list(): Promise<readonly Customer[]>;
  /** False when the customer exists already. */
  insert(customer: Customer): Promise<boolean>;
  /** Changes what is given and leaves the rest. @returns false when there is no such customer */
  change(customer: string, changes: Partial<Pick<Customer, 'fieldLimit' | 'isPurging'>>): Promise<boolean>;
  /** Deleting twice is harmless. */
  remove(customer: string): Promise<void>;

  findKey(keyId: string): Promise<StoredKey | undefined>;
  /** Every key of the customer, live or not. */
  listKeys(customer: string): Promise<readonly StoredKey[]>;
  insertKey(key: StoredKey): Promise<void>;
  /** @returns false when there is no such key */
  changeKey(keyId: string, changes: Partial<Pick<StoredKey, 'expiresAt' | 'revokedAt'>>): Promise<boolean>;
  removeKey(key: Pick<StoredKey, 'keyId' | 'customer'>): Promise<void>;
}
