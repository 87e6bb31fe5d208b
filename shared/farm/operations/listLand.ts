import { doBoxesMeet } from '../../geo/shapes/box.js';
import type { ComparedArea } from '../../geo/shapes/intersects.js';
import { boundedScan, type Scan, type ScanPage } from '../../kit/boundedScan.js';
import type { Land } from '../land/land.js';
import { landFilter, type LandFilters } from '../wire/landFilters.js';
import type { LandPosition, LandScope } from '../land/landPlace.js';
import type { LandStore } from '../land/landStore.js';
import { shapesHere, type ShapeWork } from '../land/shapeWork.js';

export interface LandListing extends LandFilters {
  readonly after?: LandPosition | undefined;
  /** Most resources of the page. */
  readonly size: number;
}

export interface ListLandPorts {
  readonly land: Pick<LandStore, 'page' | 'findWhole'>;
  /** Compares geometries; in the event loop when absent. */
  readonly shapes?: ShapeWork;
}

/** Rows of a read. */
const ROWS_A_READ = 150;
/** Packed bytes of geometries that one request compares: some two seconds of work. */
const MOST_COMPARED_BYTES = 4 * 1024 * 1024;

/**
 * A page of the parties, farms or fields of a tenant or of one party, by party and then by id.
 *
 * @throws ServiceError 400 for a filter of a wrong form, 429 when too much of the tenant waits to be compared
 */
export const listLand =
  (ports: ListLandPorts) =>
  async (scope: LandScope, listing: LandListing): Promise<ScanPage<Land, LandPosition>> => {
    const { size, after, meets, ...filters } = listing;
    const { ids } = filters;
    const isFiltered = meets !== undefined || Object.values(filters).some((filter) => filter !== undefined);
    return boundedScan({
      read: (behind, most) => ports.land.page(scope, { after: behind, most, ids }),
      ...{ most: ROWS_A_READ, isFiltered, after },
      isWanted: filterOf(listing),
      judge: meets && meeting(ports, scope, meets),
      // Those of a party that are asked for by their ids are all on one page.
      size: scope.partyId === undefined ? size : Math.max(size, ids?.length ?? 0),
    });
  };

function filterOf({ size: _size, after: _after, meets, ...filters }: LandListing): (land: Land) => boolean {
  const passes = landFilter(filters);
  return (land) => land.isDeleting !== true && passes(land) && mayMeet(land, meets);
}

/** Without a point in common with the box of an area a geometry need not be looked at. */
const mayMeet = ({ extent }: Land, area: ComparedArea | undefined): boolean =>
  area === undefined || (extent !== undefined && doBoxesMeet(extent.box, area.box));

/** Compares geometries with an area, as many as one request may. */
function meeting(
  { land, shapes = shapesHere }: ListLandPorts,
  { kind, tenant }: LandScope,
  area: ComparedArea,
): NonNullable<Scan<Land, LandPosition>['judge']> {
  let left = MOST_COMPARED_BYTES;
  return async (lands) => {
    if (left <= 0) return [];
    const found = await Promise.all(lands.map(({ partyId, id }) => land.findWhole({ kind, tenant, partyId, id })));
    const verdicts: boolean[] = [];
    for (const stored of found) {
      if (left <= 0) break;
      const { packed } = stored?.land ?? {};
      left -= packed?.byteLength ?? 0;
      verdicts.push(packed !== undefined && (await shapes.doesMeet(tenant, { packed, area })));
    }
    return verdicts;
  };
}
