import { commonFaults } from '../../kit/errors/catalogue.js';
import { ownerOf, type Place, type WorkItem, type WorkKey } from '../../work/item/workItem.js';
import { ERASE, type ErasureScope } from '../upkeep/erasureScope.js';
import { idKeyOf } from '../land/land.js';

/** How much was erased. */
export interface ErasureCounts {
  readonly farms: number;
  readonly fields: number;
  readonly insights: number;
  readonly files: number;
  readonly jobs: number;
  /** Cascade deletes and imports, done or not. */
  readonly requests: number;
  readonly parties: number;
}

export const NOTHING_ERASED: ErasureCounts = {
  ...{ parties: 0, farms: 0, fields: 0, insights: 0 },
  ...{ files: 0, jobs: 0, requests: 0 },
};

/** An erasure as its operator sees it. Instants are milliseconds since 1970 UTC. */
export interface Erasure extends ErasureScope {
  readonly status: 'Waiting' | 'Running' | 'Succeeded' | 'Failed';
  readonly counts: ErasureCounts;
  readonly createdAt: number;
  readonly endedAt?: number;
  readonly errorCode?: string;
}

/** How far the work has come. */
export interface ErasureProgress {
  readonly counts: ErasureCounts;
  /** When something was found last: until some time later a writer may still be under way who has seen it. */
  readonly foundAt: number;
}

/** No id of a party has a star. */
const ALL = '*';

/** The work of the erasure of this scope: asked for twice, it is done once. */
export const workOfErasure = ({ tenant, partyId }: ErasureScope): WorkKey => ({
  kind: ERASE,
  id: `${tenant}|${partyId === undefined ? ALL : idKeyOf(partyId)}`,
});

/** The scope of a work item. */
export function scopeOf(item: Pick<WorkItem, 'kind' | 'id'>): ErasureScope {
  const tenant = ownerOf(item);
  const partyId = item.id.slice(tenant.length + 1);
  return partyId === ALL ? { tenant } : { tenant, partyId };
}

export const placeOfErasure = ({ counts, foundAt }: ErasureProgress): Place => ({
  step: 'erase',
  state: { foundAt, counts: { ...counts } },
});

/** Undefined before anything was done. */
export const progressOfErasure = (place: Place | undefined): ErasureProgress | undefined =>
  place?.state as ErasureProgress | undefined;

export const withMore = (sum: ErasureCounts, more: Partial<ErasureCounts>): ErasureCounts => ({
  parties: sum.parties + (more.parties ?? 0),
  farms: sum.farms + (more.farms ?? 0),
  fields: sum.fields + (more.fields ?? 0),
  insights: sum.insights + (more.insights ?? 0),
  files: sum.files + (more.files ?? 0),
  jobs: sum.jobs + (more.jobs ?? 0),
  requests: sum.requests + (more.requests ?? 0),
});

export const succeededErasure = (erasure: Erasure, counts: ErasureCounts, endedAt: number): Erasure => ({
  ...erasure,
  ...{ status: 'Succeeded', counts, endedAt },
});

export const failedErasure = (erasure: Erasure, endedAt: number): Erasure => ({
  ...erasure,
  ...{ status: 'Failed', endedAt, errorCode: commonFaults.internal.code },
});
