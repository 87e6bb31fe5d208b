import { CustomerStore } from '../../access/customers/customerStore.js';
import { JOB_PREFIX } from '../../jobs/jobRows.js';
import { customerOfOwner } from '../../notices/log/noticeOwner.js';
import type { TableName } from '../../storage/names.js';
import type { RawRow, RawRows } from '../../storage/azure/rawRows.js';
import type { Rows } from '../../storage/rows.js';
import { WEBHOOK_PREFIX } from '../../notices/webhooks/webhookStore.js';
import type { BackupArchive } from './backupArchive.js';
import type { Kept } from './keptTombstones.js';
import { CASCADE_PREFIX } from '../../farm/cascade/cascadeJob.js';
import { rowOf } from './rowBatches.js';

/**
 * Partition of the tombstones in table `customers`. Purged customers stay purged: their tombstones are restored first, and
 * no row that an older export has of these customers is restored.
 */
const PURGED = 'purged';

/** Tables whose partition is a customer. */
const BY_CUSTOMER: readonly TableName[] = ['enrollments', 'fields', 'fieldDates'];

/** The tombstones in the exports by customer, of several the first. */
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
 * Adds the tombstones of the exports, and those that were kept beside them, to the existing ones.
 *
 * @returns every purged customer
 */
export async function restoreTombstones(
  customers: { readonly rows: Rows; readonly raw: RawRows },
  archives: readonly BackupArchive[],
  kept: Kept['purged'],
): Promise<ReadonlySet<string>> {
  const there = await customers.rows.range(PURGED, {}, { select: [] });
  const purged = new Set(there.map(({ rowKey }) => rowKey));
  for (const [customer, row] of await tombstonesOf(archives)) {
    if (!purged.has(customer)) await customers.raw.put([row]);
    purged.add(customer);
  }
  const store = new CustomerStore(customers.rows);
  for (const [customer, purgedAt] of kept) {
    await store.bury(customer, purgedAt);
    purged.add(customer);
  }
  return purged;
}

/** The customer of a row; undefined for a tombstone and for a row of no customer. */
function customerOf(table: TableName, { partitionKey, rowKey, ...row }: RawRow): string | undefined {
  if (BY_CUSTOMER.includes(table)) return partitionKey;
  if (table === 'webhooks') return customerOfOwner(partitionKey);
  if (table !== 'customers') return undefined;
  if (partitionKey === 'customers') return rowKey;
  if (partitionKey.startsWith('keys_')) return partitionKey.slice('keys_'.length);
  const { customer } = row as { readonly customer?: string | { readonly value: string } };
  return typeof customer === 'object' ? customer.value : customer;
}

/**
 * Whether a row is exported: of table `work` only jobs and cascade deletes, since all other rows follow from them (see
 * `mendJobs`, `mendDeletions`) and from enrollments (see `mendEnrollments`); of table `webhooks` only these, since who listens follows from them (see
 * `mendWebhooks`).
 */
export const isExported = (table: TableName, { rowKey }: RawRow): boolean =>
  (table !== 'work' || [JOB_PREFIX, CASCADE_PREFIX].some((prefix) => rowKey.startsWith(prefix))) &&
  (table !== 'webhooks' || rowKey.startsWith(WEBHOOK_PREFIX));

/** Whether a row is restored: not tombstones, which were restored first, and not the rows of purged customers. */
export const isRestored = (table: TableName, row: RawRow, purged: ReadonlySet<string>): boolean =>
  isExported(table, row) &&
  !(table === 'customers' && row.partitionKey === PURGED) &&
  !purged.has(customerOf(table, row) ?? '');
