import { odata, type TableClient } from '@azure/data-tables';
import { fromStorage, unlessStatus } from '../storage/storageErrors.js';
import type { Customer, StoredKey } from './customer.js';
import type { CustomerInsert, CustomerStore } from './customerPorts.js';

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

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type CustomerRow = { readonly fieldLimit: number; readonly createdAt: string; readonly isPurging?: boolean };

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type TombstoneRow = { readonly purgedAt: string };

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- the client wants an implicit index signature
type KeyRow = {
  readonly customer: string;
  readonly digest: string;
  readonly pepper: string;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
};

const instantText = (instant: number): string => new Date(instant).toISOString();

export class TableCustomerStore implements CustomerStore {
  readonly #table: TableClient;

  constructor(table: TableClient) {
    this.#table = table;
  }

  async find(customer: string): Promise<Customer | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<CustomerRow>(CUSTOMERS, customer));
    return row === undefined ? undefined : customerOf(customer, row);
  }

  async list(): Promise<readonly Customer[]> {
    return fromStorage(async () => {
      const customers: Customer[] = [];
      const filter = odata`PartitionKey eq ${CUSTOMERS}`;
      for await (const row of this.#table.listEntities<CustomerRow>({ queryOptions: { filter } })) {
        customers.push(customerOf(row.rowKey ?? '', row));
      }
      return customers;
    });
  }

  async insert({ customer, fieldLimit, createdAt }: Customer): Promise<CustomerInsert> {
    if ((await this.findTombstone(customer)) !== undefined) return 'purged';
    const row = { partitionKey: CUSTOMERS, rowKey: customer, fieldLimit, createdAt: instantText(createdAt) };
    if ((await unlessStatus([409], () => this.#table.createEntity(row))) === undefined) return 'exists';
    // A purge that ended in between has set its tombstone before it took the row away: this look finds it.
    if ((await this.findTombstone(customer)) === undefined) return 'created';
    await this.remove(customer);
    return 'purged';
  }

  async change(customer: string, changes: Partial<Pick<Customer, 'fieldLimit' | 'isPurging'>>): Promise<boolean> {
    return this.#merge({ partitionKey: CUSTOMERS, rowKey: customer, ...changes });
  }

  async remove(customer: string): Promise<void> {
    await unlessStatus([404], () => this.#table.deleteEntity(CUSTOMERS, customer));
  }

  async bury(customer: string, purgedAt: number): Promise<void> {
    const row = { partitionKey: PURGED, rowKey: customer, purgedAt: instantText(purgedAt) };
    await unlessStatus([409], () => this.#table.createEntity(row));
  }

  async findTombstone(customer: string): Promise<number | undefined> {
    const row = await unlessStatus([404], () => this.#table.getEntity<TombstoneRow>(PURGED, customer));
    return row === undefined ? undefined : Date.parse(row.purgedAt);
  }

  async findKey(keyId: string): Promise<StoredKey | undefined> {
    const key = keyPartition(keyId);
    const row = await unlessStatus([404], () => this.#table.getEntity<KeyRow>(key, key));
    return row === undefined ? undefined : storedKeyOf(keyId, row);
  }

  async listKeys(customer: string): Promise<readonly StoredKey[]> {
    const keys = await Promise.all((await this.#keyIdsOf(customer)).map((keyId) => this.findKey(keyId)));
    return keys.filter((key) => key !== undefined);
  }

  async insertKey(key: StoredKey): Promise<void> {
    const { keyId, customer, digest, pepper, createdAt, expiresAt } = key;
    // The index first: a key that opens something but isn't listed could not be revoked by its customer's list.
    const entry = { partitionKey: indexPartition(customer), rowKey: keyId };
    await fromStorage(() => this.#table.upsertEntity(entry, 'Replace'));
    const row = {
      partitionKey: keyPartition(keyId),
      rowKey: keyPartition(keyId),
      customer,
      digest,
      pepper,
      createdAt: instantText(createdAt),
      ...(expiresAt === undefined ? {} : { expiresAt: instantText(expiresAt) }),
    };
    await fromStorage(() => this.#table.upsertEntity(row, 'Replace'));
  }

  async changeKey(keyId: string, changes: Partial<Pick<StoredKey, 'expiresAt' | 'revokedAt'>>): Promise<boolean> {
    const texts = Object.fromEntries(Object.entries(changes).map(([name, instant]) => [name, instantText(instant)]));
    return this.#merge({ partitionKey: keyPartition(keyId), rowKey: keyPartition(keyId), ...texts });
  }

  async removeKey({ keyId, customer }: Pick<StoredKey, 'keyId' | 'customer'>): Promise<void> {
    const key = keyPartition(keyId);
    await unlessStatus([404], () => this.#table.deleteEntity(key, key));
    await unlessStatus([404], () => this.#table.deleteEntity(indexPartition(customer), keyId));
  }

  async #merge(row: { readonly partitionKey: string; readonly rowKey: string }): Promise<boolean> {
    return (await unlessStatus([404], () => this.#table.updateEntity(row, 'Merge'))) !== undefined;
  }

  async #keyIdsOf(customer: string): Promise<string[]> {
    return fromStorage(async () => {
      const keyIds: string[] = [];
      const filter = odata`PartitionKey eq ${indexPartition(customer)}`;
      for await (const { rowKey } of this.#table.listEntities({ queryOptions: { filter } })) keyIds.push(rowKey ?? '');
      return keyIds;
    });
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
