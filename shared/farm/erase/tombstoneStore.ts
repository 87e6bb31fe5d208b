import type { Rows } from '../../storage/rows.js';
import type { ErasureScope } from '../upkeep/erasureScope.js';
import { idKeyOf } from '../land/land.js';

/**
 * Partition of the tombstones in table `farmParties`: no tenant has this name. RowKey `<tenant>|<party>`, and `<tenant>|`
 * for everything of a tenant.
 */
export const ERASED = '~erased';

export interface TombstoneRow {
  /** What was written before is erased and stays so; milliseconds since 1970 UTC. */
  readonly erasedAt: number;
  /** Whether the erasure has still to come to its end. */
  readonly isOpen: boolean;
}

export const tombstoneKey = ({ tenant, partyId = '' }: ErasureScope): string => `${tenant}|${idKeyOf(partyId)}`;

/** What was erased and when, so that no restore of an older backup brings it back. */
export class TombstoneStore {
  readonly #rows: Rows;

  /** @param rows of table `farmParties` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  /** Writes the tombstone; the same once more is harmless. */
  async bury(scope: ErasureScope, tombstone: TombstoneRow): Promise<void> {
    await this.#rows.put(ERASED, tombstoneKey(scope), tombstone);
  }

  async find(scope: ErasureScope): Promise<TombstoneRow | undefined> {
    return this.#rows.find<TombstoneRow>(ERASED, tombstoneKey(scope));
  }

  /** Erasures that have not come to their end. */
  async listOpen(): Promise<readonly ErasureScope[]> {
    const options = { where: { column: 'isOpen', equals: true }, select: [] };
    const rows = await this.#rows.range(ERASED, {}, options);
    return rows.map(({ rowKey }) => {
      const [tenant = '', partyId = ''] = rowKey.split('|');
      return partyId === '' ? { tenant } : { tenant, partyId };
    });
  }
}
