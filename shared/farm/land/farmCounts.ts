import { landKinds, type LandKind } from './land.js';
import type { LandPosition } from './landPlace.js';
import type { Etag, Rows } from '../../storage/rows.js';

/** How many parties, farms and fields a tenant has. */
export type LandCounts = Readonly<Record<LandKind, number>>;

export const NO_LAND: LandCounts = { party: 0, farm: 0, field: 0 };

/** Where a count stands that a night has not brought to its end. */
export interface CountInProgress {
  readonly kind: LandKind;
  /** The last row that was counted; absent before the first of its kind. */
  readonly after?: LandPosition;
  readonly counts: LandCounts;
}

/** What is known of a tenant's counts. */
export interface StoredCounts {
  /** The latest full count; undefined before the first. */
  readonly counts?: LandCounts;
  /** When it was done, milliseconds since 1970 UTC; 0 before the first. */
  readonly countedAt: number;
  readonly inProgress?: CountInProgress;
}

/** Partition of table `limits`; rows by tenant. What is missing comes again in a night. */
const COUNTS = 'farmCounts';

interface CountsRow extends Partial<Record<LandKind, number | undefined>> {
  readonly countedAt: number;
  /** JSON of `CountInProgress`. */
  readonly inProgress?: string | undefined;
}

/** The counts of all tenants. */
export class FarmCountStore {
  readonly #rows: Rows;

  /** @param rows of table `limits` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(tenant: string): Promise<StoredCounts | undefined> {
    const row = await this.#rows.find<CountsRow>(COUNTS, tenant);
    return row && countsOf(row);
  }

  async list(): Promise<ReadonlyMap<string, StoredCounts>> {
    const rows = await this.#rows.range<CountsRow>(COUNTS);
    return new Map(rows.map((row) => [row.rowKey, countsOf(row)]));
  }

  put(tenant: string, { counts, countedAt, inProgress }: StoredCounts): Promise<Etag> {
    const row = { ...counts, countedAt, inProgress: inProgress && JSON.stringify(inProgress) };
    return this.#rows.put<CountsRow>(COUNTS, tenant, row);
  }

  async remove(tenant: string): Promise<void> {
    await this.#rows.delete(COUNTS, tenant);
  }
}

function countsOf({ countedAt, inProgress, ...row }: CountsRow): StoredCounts {
  const counts = Object.fromEntries(landKinds.map((kind) => [kind, row[kind] ?? 0])) as unknown as LandCounts;
  return {
    ...(row.party === undefined ? {} : { counts }),
    countedAt,
    ...(inProgress === undefined ? {} : { inProgress: JSON.parse(inProgress) as CountInProgress }),
  };
}
