import { boundedScan, type ScanPage } from './boundedScan.js';
import type { Land } from './land.js';
import { landFilter, type LandFilters } from './landFilters.js';
import type { LandPosition, LandScope } from './landPlace.js';
import type { LandStore } from './landStore.js';

export interface LandListing extends LandFilters {
  readonly after?: LandPosition | undefined;
  /** Most resources of the page. */
  readonly size: number;
}

export interface ListLandPorts {
  readonly land: Pick<LandStore, 'page' | 'findMany'>;
}

/**
 * A page of the parties, farms or fields of a tenant or of one party, by party and then by id.
 *
 * @throws ServiceError 400 for a filter of a wrong form
 */
export const listLand =
  ({ land }: ListLandPorts) =>
  async (scope: LandScope, listing: LandListing): Promise<ScanPage<Land, LandPosition>> => {
    const { size, after, meets, ...filters } = listing;
    const isWanted = filterOf(filters);
    const { partyId } = scope;
    if (filters.ids !== undefined && partyId !== undefined) {
      const found = await land.findMany({ ...scope, partyId }, filters.ids, { meets });
      return {
        items: found.filter(({ item, isMeeting }) => isMeeting !== false && isWanted(item)).map(({ item }) => item),
      };
    }
    return boundedScan({
      read: (behind, most) => land.page(scope, { after: behind, most, meets }),
      isFiltered: meets !== undefined || Object.values(filters).some((filter) => filter !== undefined),
      ...{ isWanted, after, size },
    });
  };

function filterOf(filters: LandFilters): (land: Land) => boolean {
  const passes = landFilter(filters);
  return (land) => land.isDeleting !== true && passes(land);
}
