import type { StoredKey } from '../auth/storedKey.js';
import type { Rows } from '../../storage/rows.js';
import type { Customer } from './customer.js';

/**
 * Rows of table `customers`:
 *
 * - PartitionKey `customers`, RowKey the customer: its record. Few and rarely written, so that one partition lists them
 * - PartitionKey `purged`, RowKey the customer: its tombstone, with `purgedAt`. Never deleted: the id is used up, since a
 *   storage token of the old customer would open the new one's imagery
 * - PartitionKey and RowKey `key_<keyId>`: one key, found without knowing whose it is
 * - PartitionKey `keys_<customer>`, RowKey the keyId: which keys a customer has
 */
const CUSTOMERS = 'customers';
const PURGED = 'purged';
const keyPartition = (keyId: string): string => `key_${keyId}`;
const indexPartition = (customer: string): string => `keys_${customer}`;

interface CustomerRow {
  readonly fieldLimit: number;
  readonly createdAt: string;
  readonly isPurging?: boolean;
}

interface TombstoneRow {
  readonly purgedAt: string;
}

interface KeyRow {
  readonly customer: string;
  readonly digest: string;
  readonly pepper: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

const instantText = (instant: number): string => new Date(instant).toISOString();

/** Table `customers`: customers and their keys. */
export class CustomerStore {
  readonly #rows: Rows;

  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(customer: string): Promise<Customer | undefined> {
    const row = await this.#rows.find<CustomerRow>(CUSTOMERS, customer);
    return row && customerOf(customer, row);
  }

  async list(): Promise<readonly Customer[]> {
    const rows = await this.#rows.range<CustomerRow>(CUSTOMERS);
    return rows.map((row) => customerOf(row.rowKey, row));
  }

  /** `exists` and `purged` for an id that is in use, or was used up by a purge: neither is given again. */
  async insert({ customer, fieldLimit, createdAt }: Customer): Promise<'created' | 'exists' | 'purged'> {
    if ((await this.findTombstone(customer)) !== undefined) return 'purged';
    const row = { fieldLimit, createdAt: instantText(createdAt) };
    if ((await this.#rows.insert(CUSTOMERS, customer, row)) === undefined) return 'exists';
    // A purge that ended meanwhile wrote its tombstone before it deleted the row of the customer.
    if ((await this.findTombstone(customer)) === undefined) return 'created';
    await this.remove(customer);
    return 'purged';
  }

  /** Changes the given members. @returns false when there is no such customer */
  async change(customer: string, changes: Partial<Pick<Customer, 'fieldLimit' | 'isPurging'>>): Promise<boolean> {
    return (await this.#rows.merge(CUSTOMERS, customer, changes)) !== undefined;
  }

  async remove(customer: string): Promise<void> {
    await this.#rows.delete(CUSTOMERS, customer);
  }

  /** Writes a tombstone, after which the id is never given again; an earlier one stays. @param purgedAt milliseconds since 1970 UTC */
  async bury(customer: string, purgedAt: number): Promise<void> {
    await this.#rows.insert(PURGED, customer, { purgedAt: instantText(purgedAt) });
  }

  /** When the customer was purged; undefined when it was not. */
  async findTombstone(customer: string): Promise<number | undefined> {
    const row = await this.#rows.find<TombstoneRow>(PURGED, customer);
    return row && Date.parse(row.purgedAt);
  }

  async findKey(keyId: string): Promise<StoredKey | undefined> {
    const key = keyPartition(keyId);
    const row = await this.#rows.find<KeyRow>(key, key);
    return row && storedKeyOf(keyId, row);
  }

  /** Every key of the customer, live or not. */
  async listKeys(customer: string): Promise<readonly StoredKey[]> {
    const entries = await this.#rows.range(indexPartition(customer));
    const keys = await Promise.all(entries.map(({ rowKey }) => this.findKey(rowKey)));
    return keys.filter((key) => key !== undefined);
  }

  async insertKey({ keyId, customer, digest, pepper, createdAt, expiresAt }: StoredKey): Promise<void> {
    // The index first: a live key that is not listed could not be found to be revoked.
    await this.#rows.put(indexPartition(customer), keyId, {});
    const key = keyPartition(keyId);
    const times = {
      createdAt: instantText(createdAt),
      expiresAt: expiresAt === undefined ? undefined : instantText(expiresAt),
    };
    await this.#rows.put(key, key, { customer, digest, pepper, ...times });
  }

  /** @returns false when there is no such key */
  async changeKey(keyId: string, changes: Partial<Pick<StoredKey, 'expiresAt' | 'revokedAt'>>): Promise<boolean> {
    const texts = Object.fromEntries(Object.entries(changes).map(([name, instant]) => [name, instantText(instant)]));
    const key = keyPartition(keyId);
    return (await this.#rows.merge(key, key, texts)) !== undefined;
  }

  async removeKey({ keyId, customer }: Pick<StoredKey, 'keyId' | 'customer'>): Promise<void> {
    const key = keyPartition(keyId);
    await this.#rows.delete(key, key);
    await this.#rows.delete(indexPartition(customer), keyId);
  }
}

function customerOf(customer: string, { fieldLimit, createdAt, isPurging }: CustomerRow): Customer {
  return {
    customer,
    fieldLimit,
    createdAt: Date.parse(createdAt),
    ...(isPurging === true ? { isPurging: true } : {}),
  };
}

function storedKeyOf(keyId: string, row: KeyRow): StoredKey {
  const { customer, digest, pepper, createdAt, expiresAt, revokedAt } = row;
  return {
    keyId,
    customer,
    digest,
    pepper,
    createdAt: Date.parse(createdAt),
    ...(expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: Date.parse(revokedAt) }),
  };
}
