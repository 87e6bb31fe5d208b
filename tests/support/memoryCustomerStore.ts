import type { Customer, StoredKey } from '../../shared/customers/customer.js';
import type { CustomerInsert, CustomerStore } from '../../shared/customers/customerPorts.js';

/** Customers and their keys in memory; the same suite runs against it and against the table. */
export class MemoryCustomerStore implements CustomerStore {
  readonly #customers = new Map<string, Customer>();
  readonly #tombstones = new Map<string, number>();
  readonly #keys = new Map<string, StoredKey>();

  find(customer: string): Promise<Customer | undefined> {
    return Promise.resolve(this.#customers.get(customer));
  }

  list(): Promise<readonly Customer[]> {
    return Promise.resolve([...this.#customers.values()]);
  }

  insert(customer: Customer): Promise<CustomerInsert> {
    if (this.#tombstones.has(customer.customer)) return Promise.resolve('purged');
    if (this.#customers.has(customer.customer)) return Promise.resolve('exists');
    this.#customers.set(customer.customer, customer);
    return Promise.resolve('created');
  }

  change(customer: string, changes: Partial<Pick<Customer, 'fieldLimit' | 'isPurging'>>): Promise<boolean> {
    const found = this.#customers.get(customer);
    if (found !== undefined) this.#customers.set(customer, { ...found, ...changes });
    return Promise.resolve(found !== undefined);
  }

  remove(customer: string): Promise<void> {
    this.#customers.delete(customer);
    return Promise.resolve();
  }

  bury(customer: string, purgedAt: number): Promise<void> {
    this.#tombstones.set(customer, this.#tombstones.get(customer) ?? purgedAt);
    return Promise.resolve();
  }

  findTombstone(customer: string): Promise<number | undefined> {
    return Promise.resolve(this.#tombstones.get(customer));
  }

  findKey(keyId: string): Promise<StoredKey | undefined> {
    return Promise.resolve(this.#keys.get(keyId));
  }

  listKeys(customer: string): Promise<readonly StoredKey[]> {
    return Promise.resolve([...this.#keys.values()].filter((key) => key.customer === customer));
  }

  insertKey(key: StoredKey): Promise<void> {
    this.#keys.set(key.keyId, key);
    return Promise.resolve();
  }

  changeKey(keyId: string, changes: Partial<Pick<StoredKey, 'expiresAt' | 'revokedAt'>>): Promise<boolean> {
    const found = this.#keys.get(keyId);
    if (found !== undefined) this.#keys.set(keyId, { ...found, ...changes });
    return Promise.resolve(found !== undefined);
  }

  removeKey({ keyId }: Pick<StoredKey, 'keyId'>): Promise<void> {
    this.#keys.delete(keyId);
    return Promise.resolve();
  }
}
