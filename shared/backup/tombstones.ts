import { JOB_PREFIX } from '../jobs/jobRows.js';
import type { TableName } from '../storage/names.js';
import type { RawRow, RawRows } from '../storage/rawRows.js';
import type { Rows } from '../storage/rows.js';
import type { BackupArchive } from './backupArchive.js';
import { rowOf } from './rowBatches.js';

/**
 * Customers who were purged must stay so: their tombstones, rows of table `customers`, come back before anything else, and
 * what an older export still has of these customers does not come back at all.
 */
const PURGED = 'purged';

/** Tables whose partition is a customer. */
const BY_CUSTOMER: readonly TableName[] = ['enrollments', 'fields', 'fieldDates'];

/** The tombstones of exports, by customer; the oldest of each stands. */
async function tombstonesOf(archives: readonly BackupArchive[]): Promise<ReadonlyMap<string, RawRow>> {
  const found = new Map<string, RawRow>();
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
  customers: { readonly rows: Rows; readonly raw: RawRows },
  archives: readonly BackupArchive[],
): Promise<ReadonlySet<string>> {
  const there = await customers.rows.range(PURGED, {}, { select: [] });
  const purged = new Set(there.map(({ rowKey }) => rowKey));
  for (const [customer, row] of await tombstonesOf(archives)) {
    if (!purged.has(customer)) await customers.raw.put([row]);
    purged.add(customer);
  }
  return purged;
}

/** The customer a row belongs to; undefined for a row of nobody, and for a tombstone. */
function customerOf(table: TableName, { partitionKey, rowKey, ...row }: RawRow): string | undefined {
  if (BY_CUSTOMER.includes(table)) return partitionKey;
  if (table !== 'customers') return undefined;
  if (partitionKey === 'customers') return rowKey;
  if (partitionKey.startsWith('keys_')) return partitionKey.slice('keys_'.length);
  const { customer } = row as { readonly customer?: string | { readonly value: string } };
  return typeof customer === 'object' ? customer.value : customer;
}

/**
 * Whether an export has a row: of table `work` only jobs, everything else is made of them (see `mendJobs`) and of
 * enrollments (see `mendEnrollments`).
 */
export const isTold = (table: TableName, { rowKey }: RawRow): boolean =>
  table !== 'work' || rowKey.startsWith(JOB_PREFIX);

/**
 * Whether a row may come back: tombstones have already, of purged customers nothing does.
 */
export const comesBack = (table: TableName, row: RawRow, purged: ReadonlySet<string>): boolean =>
  isTold(table, row) &&
  !(table === 'customers' && row.partitionKey === PURGED) &&
  !purged.has(customerOf(table, row) ?? '');
