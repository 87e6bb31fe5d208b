import type { TableClient } from '@azure/data-tables';
import { LIST_PREFIX } from '../jobs/jobRows.js';
import type { TableName } from '../storage/names.js';
import type { BackupArchive } from './backupArchive.js';
import { rowOf, type BackupRow } from './rowBatches.js';

/**
 * Customers who were purged must stay so: their tombstones, rows of table `customers`, come back before anything else, and
 * what an older export still has of these customers does not come back at all.
 */
const PURGED = 'purged';

/** Tables whose partition is a customer. */
const BY_CUSTOMER: readonly TableName[] = ['enrollments', 'fields', 'fieldDates'];

/** The tombstones of exports, by customer; the oldest of each stands. */
async function tombstonesOf(archives: readonly BackupArchive[]): Promise<ReadonlyMap<string, BackupRow>> {
  const found = new Map<string, BackupRow>();
  for (const archive of archives) {
    if ((await archive.manifest())?.rows.customers === undefined) continue;
    for await (const line of archive.read('customers')) {
      const row = rowOf(line);
      if (row.partitionKey === PURGED && !found.has(row.rowKey)) found.set(row.rowKey, row);
    }
  }
  return found;
}

/**
 * Writes the tombstones of the exports beside those that are there.
 *
 * @returns every purged customer
 */
export async function restoreTombstones(
  customers: TableClient,
  archives: readonly BackupArchive[],
): Promise<ReadonlySet<string>> {
  const purged = new Set<string>();
  const queryOptions = { filter: `PartitionKey eq '${PURGED}'`, select: ['rowKey'] };
  for await (const { rowKey = '' } of customers.listEntities({ queryOptions })) purged.add(rowKey);
  for (const [customer, row] of await tombstonesOf(archives)) {
    if (!purged.has(customer)) await customers.createEntity({ ...row });
    purged.add(customer);
  }
  return purged;
}

/** The customer a row belongs to; undefined for a row of nobody, and for a tombstone. */
function customerOf(table: TableName, { partitionKey, rowKey, ...row }: BackupRow): string | undefined {
  if (BY_CUSTOMER.includes(table)) return partitionKey;
  if (table !== 'customers') return undefined;
  if (partitionKey === 'customers') return rowKey;
  if (partitionKey.startsWith('keys_')) return partitionKey.slice('keys_'.length);
  const { customer } = row as { readonly customer?: string | { readonly value: string } };
  return typeof customer === 'object' ? customer.value : customer;
}

/**
 * Whether a row may come back: tombstones have already, of purged customers nothing does, and the lists of jobs are made
 * of the jobs.
 */
export const comesBack = (table: TableName, row: BackupRow, purged: ReadonlySet<string>): boolean =>
  !(table === 'jobs' && row.rowKey.startsWith(LIST_PREFIX)) &&
  !(table === 'customers' && row.partitionKey === PURGED) &&
  !purged.has(customerOf(table, row) ?? '');
