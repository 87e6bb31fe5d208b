import { SEARCH_REGION } from '../../jobs/dataManager/dataManager.js';
import { typeOfLand } from '../insights/farmInsight.js';
import type { FarmInsightStore } from '../insights/insightStore.js';
import type { LandKey } from '../land/land.js';
import type { LandStore } from '../land/landStore.js';

export interface RemoveSearchFieldsPorts {
  readonly land: Pick<LandStore, 'find' | 'remove'>;
  readonly insights: Pick<FarmInsightStore, 'removeSome'>;
}

/** Deletes the search fields of a job, with what may be told of them; a field that somebody made his own stays. */
export const removeSearchFields =
  ({ land, insights }: RemoveSearchFieldsPorts) =>
  async (tenant: string, partyId: string, fieldIds: readonly string[]): Promise<void> => {
    for (const id of fieldIds) {
      const key: LandKey = { kind: 'field', tenant, partyId, id };
      const found = await land.find(key);
      if (found?.land.status !== SEARCH_REGION) continue;
      const resource = { resourceType: typeOfLand[key.kind], resourceId: id };
      for (let left = 1; left > 0;) {
        const removed = await insights.removeSome(key, resource);
        left = removed.insights + removed.attachments;
      }
      await land.remove(key, found.etag);
    }
  };
