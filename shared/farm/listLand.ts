import { doBoxesMeet } from '../geo/box.js';
import { doMeet, type ComparedArea } from '../geo/intersects.js';
import { boundedScan, type ScanPage } from './boundedScan.js';
import type { Extent, Land } from './land.js';
import { landFilter, type LandFilters } from './landFilters.js';
import type { LandPosition, LandScope, LandStore } from './landStore.js';

export interface LandListing extends LandFilters {
  readonly after?: LandPosition | undefined;
  /** Most resources of the page. */
  readonly size: number;
  /** Whether geometries are shown, too. */
  readonly withGeometry?: boolean;
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
    const { size, after, withGeometry = false, ...filters } = listing;
    const isWanted = filterOf(filters);
    const shown = (each: Land): Land => (withGeometry ? each : withoutGeometry(each));
    const { partyId } = scope;
    const isNear = filters.meets === undefined ? false : mayMeet(filters.meets);
    const reads = { withGeometry: withGeometry ? true : isNear };
    if (filters.ids !== undefined && partyId !== undefined) {
      const found = await land.findMany({ ...scope, partyId }, filters.ids, reads);
      return {
        items: found
          .map(({ item }) => item)
          .filter(isWanted)
          .map(shown),
      };
    }
    const { items, ...rest } = await boundedScan({
      read: (behind, most) => land.page(scope, { after: behind, most, ...reads }),
      isFiltered: Object.values(filters).some((filter) => filter !== undefined),
      ...{ isWanted, after, size },
    });
    return { items: items.map(shown), ...rest };
  };

/** Without a point in common with the box of an area a geometry need not be looked at. */
const mayMeet =
  (area: ComparedArea) =>
  ({ box }: Extent): boolean =>
    doBoxesMeet(box, area.box);

function filterOf({ meets, ...filters }: LandFilters): (land: Land) => boolean {
  const passes = landFilter(filters);
  const doesMeet = ({ geometry }: Land): boolean =>
    meets === undefined || (geometry !== undefined && doMeet(geometry, meets));
  return (land) => land.isDeleting !== true && passes(land) && doesMeet(land);
}

const withoutGeometry = ({ geometry: _geometry, ...land }: Land): Land => land;
