import { ERASED, tombstoneKey, TombstoneStore, type TombstoneRow } from '../../farm/erase/tombstoneStore.js';
import type { CascadeJob } from '../../farm/cascade/cascadeJob.js';
import type { FarmWorkRow } from '../../farm/upkeep/farmWorkStore.js';
import { JOB_PREFIX, type JobRow } from '../../jobs/jobRows.js';
import { tenantOfOwner } from '../../notices/log/noticeOwner.js';
import type { TableName } from '../../storage/names.js';
import type { RawRow, RawRows } from '../../storage/azure/rawRows.js';
import { valueOf } from '../../storage/rowFormat.js';
import type { Rows } from '../../storage/rows.js';
import type { BackupArchive } from './backupArchive.js';
import type { Kept } from './keptTombstones.js';
import { CASCADE_PREFIX } from '../../farm/cascade/cascadeJob.js';
import { rowOf } from './rowBatches.js';

/** When a party, or everything of a tenant, was erased, by the keys of tombstones. */
export type ErasedAt = ReadonlyMap<string, number>;

/** What is read of rows that are restored: of tombstones, jobs, cascade deletes, farm data, webhooks. */
interface RestoredColumns extends TombstoneRow, JobRow, Pick<FarmWorkRow, 'value'> {
  readonly modifiedAt: number;
  /** Of a webhook. */
  readonly json: string;
}

/** The columns of a raw row as they were written. */
const columnsOf = (row: RawRow): Partial<RestoredColumns> => {
  const cells = Object.entries(row).map(([name, cell]): [string, unknown] => {
    if (typeof cell !== 'object' || cell === null) return [name, cell];
    const { type, value } = cell as { readonly type?: string; readonly value: unknown };
    return [name, type === 'Double' ? Number(value) : value];
  });
  return valueOf(Object.fromEntries(cells));
};

/**
 * Adds the tombstones of farm data in the exports, and those that were kept beside them, to the existing ones; of several for
 * the same the latest counts. What was kept alone may not have come to its end: the erasure is done again.
 *
 * @param parties table `farmParties`
 */
export async function restoreFarmTombstones(
  parties: { readonly rows: Rows; readonly raw: RawRows },
  archives: readonly BackupArchive[],
  kept: Kept['erased'],
): Promise<ErasedAt> {
  const there = await parties.rows.range<TombstoneRow>(ERASED);
  const erased = new Map(there.map(({ rowKey, erasedAt }) => [rowKey, erasedAt]));
  for (const archive of archives) {
    if ((await archive.manifest())?.rows.farmParties === undefined) continue;
    for await (const line of archive.read('farmParties')) {
      const row = rowOf(line);
      if (!isTombstone('farmParties', row)) continue;
      const { erasedAt = 0 } = columnsOf(row);
      if (erasedAt <= (erased.get(row.rowKey) ?? 0)) continue;
      erased.set(row.rowKey, erasedAt);
      await parties.raw.put([row]);
    }
  }
  await addKept(parties.rows, erased, kept);
  return erased;
}

async function addKept(parties: Rows, erased: Map<string, number>, kept: Kept['erased']): Promise<void> {
  const store = new TombstoneStore(parties);
  for (const { erasedAt, ...scope } of kept) {
    if (erasedAt <= (erased.get(tombstoneKey(scope)) ?? 0)) continue;
    erased.set(tombstoneKey(scope), erasedAt);
    await store.bury(scope, { erasedAt, isOpen: true });
  }
}

/** Whether a row is a tombstone of farm data. */
export const isTombstone = (table: TableName, { partitionKey }: RawRow): boolean =>
  table === 'farmParties' && partitionKey === ERASED;

/** Whether a row was written before its party, or everything of its tenant, was erased. */
export function isErased(table: TableName, row: RawRow, erased: ErasedAt): boolean {
  const written = writtenOf(table, row);
  if (written === undefined) return false;
  const { tenant, partyId, at } = written;
  const keys = [tombstoneKey({ tenant }), ...(partyId === undefined ? [] : [tombstoneKey({ tenant, partyId })])];
  return keys.some((key) => at <= (erased.get(key) ?? -Infinity));
}

interface Written {
  readonly tenant: string;
  readonly partyId: string | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** Whose a row is and when it was written; undefined for one of no party. */
function writtenOf(table: TableName, row: RawRow): Written | undefined {
  if (table === 'work') return writtenWork(row);
  if (table === 'webhooks') return writtenWebhook(row);
  if (!BY_PARTY.has(table)) return undefined;
  const [tenant = '', partyId = row.rowKey] = row.partitionKey.split('|');
  return { tenant, partyId, at: columnsOf(row).modifiedAt ?? Infinity };
}

/** Of a job, or of a cascade delete. */
function writtenWork(row: RawRow): Written | undefined {
  const { job, value } = columnsOf(row);
  if (row.rowKey.startsWith(JOB_PREFIX) && job !== undefined) {
    const { tenant, parameters, createdAt } = JSON.parse(job) as JobOfParty;
    return { tenant, partyId: parameters.partyId, at: createdAt };
  }
  if (!row.rowKey.startsWith(CASCADE_PREFIX) || value === undefined) return undefined;
  const { target, createdAt } = JSON.parse(value) as CascadeJob;
  return { ...target, at: createdAt };
}

function writtenWebhook(row: RawRow): Written | undefined {
  const tenant = tenantOfOwner(row.partitionKey);
  const { createdAt } = JSON.parse(columnsOf(row).json ?? '{}') as { readonly createdAt?: number };
  return tenant === undefined ? undefined : { tenant, partyId: undefined, at: createdAt ?? Infinity };
}

interface JobOfParty {
  readonly tenant: string;
  readonly createdAt: number;
  readonly parameters: { readonly partyId?: string };
}

/** PartitionKey `<tenant>` with the party as RowKey, or `<tenant>|<party>`. */
const BY_PARTY: ReadonlySet<TableName> = new Set(['farmParties', 'farmFarms', 'farmFields', 'farmInsights']);
