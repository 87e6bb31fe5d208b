import type { Row, Rows } from '../../storage/rows.js';
import { workPartitionOf, workPartitions, workPrefix } from '../../work/item/workStore.js';
import type { ErasureScope } from './erasureScope.js';
import { FARM_WORK_PREFIX, type FarmWorkRow } from './farmWorkStore.js';
import type { ImportFileStore } from './importFileStore.js';
import { isSameKey } from '../land/land.js';

/** The kinds of requests that go with their party or tenant; that of an erasure stays. */
const REMOVED_KINDS = ['cascade', 'import'] as const;

/** What says of which party a request is: a member of its own, or of its target. */
interface OfParty {
  readonly partyId?: string;
  readonly target?: { readonly partyId?: string };
}

/** Cascade deletes, imports and erasures as table `work` has them, whatever their kind. */
export class FarmRequests {
  readonly #rows: Rows;
  readonly #files: ImportFileStore;

  /** @param rows of table `work` */
  constructor(rows: Rows, files: ImportFileStore) {
    this.#rows = rows;
    this.#files = files;
  }

  /**
   * Deletes the cascade deletes and imports of a tenant, or those that name a party: what is shown of them, their open work
   * and their bodies. Each yield says how many were deleted.
   */
  async *removeOf(scope: ErasureScope): AsyncGenerator<number> {
    for (const partition of workPartitions) {
      const meant: Row<FarmWorkRow>[] = [];
      for (const kind of REMOVED_KINDS) {
        const prefix = `${FARM_WORK_PREFIX}${kind}|${scope.tenant}|`;
        const rows = await this.#rows.range<FarmWorkRow>(partition, { prefix });
        meant.push(...rows.filter((row) => isOf(row, scope)));
      }
      for (const { rowKey } of meant) await this.#removeFile(rowKey);
      const keys = meant.flatMap(({ rowKey }) => [rowKey, workPrefix() + rowKey.slice(FARM_WORK_PREFIX.length)]);
      await this.#rows.deleteMany(partition, keys);
      yield meant.length;
    }
  }

  /** Forgets what ended before an instant, milliseconds since 1970 UTC. @returns how many */
  async forgetEnded(before: number): Promise<number> {
    let forgotten = 0;
    for (const partition of workPartitions) {
      const options = { where: { column: 'endedAt', atMost: before }, select: [] };
      const rows = await this.#rows.range(partition, { prefix: FARM_WORK_PREFIX }, options);
      for (const { rowKey } of rows) await this.#removeFile(rowKey);
      await this.#rows.deleteMany(
        partition,
        rows.map(({ rowKey }) => rowKey),
      );
      forgotten += rows.length;
    }
    return forgotten;
  }

  /** Deletes bodies of imports of a tenant that no import names, written before an instant. @returns how many */
  async removeStrayFiles(tenant: string, writtenBefore: number): Promise<number> {
    let removed = 0;
    for (const key of await this.#files.old(tenant, writtenBefore)) {
      const id = `${tenant}|${key.importId}`;
      if ((await this.#rows.find(workPartitionOf(id), `${FARM_WORK_PREFIX}import|${id}`)) !== undefined) continue;
      await this.#files.remove(key);
      removed += 1;
    }
    return removed;
  }

  async #removeFile(rowKey: string): Promise<void> {
    const { kind, tenant, id } = partsOf(rowKey);
    if (kind === 'import') await this.#files.remove({ tenant, importId: id });
  }
}

function partsOf(rowKey: string) {
  const [, kind = '', tenant = '', ...id] = rowKey.split('|');
  return { kind, tenant, id: id.join('|') };
}

/** Whether a request of the tenant goes with the scope. */
function isOf({ value }: Row<FarmWorkRow>, scope: ErasureScope): boolean {
  if (scope.partyId === undefined) return true;
  const { partyId, target } = JSON.parse(value) as OfParty;
  const named = partyId ?? target?.partyId;
  return named !== undefined && isSameKey(named, scope.partyId);
}
