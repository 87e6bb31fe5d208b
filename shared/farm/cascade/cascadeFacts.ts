import type { JsonObject } from '../../kit/json/json.js';
import { ownerOf, type WorkItem } from '../../work/item/workItem.js';
import type { LandKey, LandKind } from '../land/land.js';

/** What the work of a cascade is about. */
export interface CascadeFacts {
  readonly target: LandKey;
  /**
   * When the resource was created, milliseconds since 1970 UTC: one that was created again after the request is another.
   * Absent where the resource is deleted only once it is marked.
   */
  readonly createdAt?: number;
}

export const cascadeFacts = ({ target, createdAt }: CascadeFacts): JsonObject => {
  const { kind, partyId, id } = target;
  return { kind, partyId, id, ...(createdAt === undefined ? {} : { createdAt }) };
};

export function factsOf(item: WorkItem): CascadeFacts {
  const { createdAt, ...target } = item.facts as unknown as {
    readonly kind: LandKind;
    readonly partyId: string;
    readonly id: string;
    readonly createdAt?: number;
  };
  return { target: { ...target, tenant: ownerOf(item) }, ...(createdAt === undefined ? {} : { createdAt }) };
}
