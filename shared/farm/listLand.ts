import { doMeet } from '../geo/intersects.js';
import type { Land } from './land.js';
import { landFilter, type LandFilters } from './landFilters.js';
import type { LandPosition, LandScope, LandStore, ListedLand } from './landStore.js';

/** Resources read by one request at most: 5 operations of 1,000 rows. A page of a rare filter may be short, even empty. */
const READS = 5;
const ROWS_A_READ = 1_000;

export interface LandPage {
  readonly items: readonly Land[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: LandPosition;
}

export interface LandListing extends LandFilters {
  readonly after?: LandPosition | undefined;
  /** Most resources of the page. */
  readonly size: number;
}

/**
 * A page of the parties, farms or fields of a tenant or of one party, by party and then by id, without geometries.
 *
 * @throws ServiceError 400 for a filter of a wrong form
 */
export const listLand =
  ({ land }: { readonly land: Pick<LandStore, 'page' | 'findMany'> }) =>
  async (scope: LandScope, listing: LandListing): Promise<LandPage> => {
    const { ids, meets } = listing;
    const passes = landFilter(listing);
    const doesMeet = ({ geometry }: Land): boolean =>
      meets === undefined || (geometry !== undefined && doMeet(geometry, meets));
    const isWanted = (each: Land): boolean => each.isDeleting !== true && passes(each) && doesMeet(each);
    const { partyId } = scope;
    if (ids !== undefined && partyId !== undefined) {
      const found = await land.findMany({ ...scope, partyId }, ids);
      return {
        items: found
          .map((each) => each.land)
          .filter(isWanted)
          .map(withoutGeometry),
      };
    }
    return scanned(land, scope, { listing, isWanted });
  };

interface Search {
  readonly listing: LandListing;
  readonly isWanted: (land: Land) => boolean;
}

async function scanned(
  land: Pick<LandStore, 'page'>,
  scope: LandScope,
  { listing, isWanted }: Search,
): Promise<LandPage> {
  const { size, after, meets, ...filters } = listing;
  const isFiltered = meets !== undefined || Object.values(filters).some((filter) => filter !== undefined);
  // One more than the page shows whether another follows; a filter may leave most of what is read out.
  const most = isFiltered ? ROWS_A_READ : Math.min(size + 1, ROWS_A_READ);
  const found: ListedLand[] = [];
  let at = after;
  for (let reads = 0; reads < READS; reads += 1) {
    const page = await land.page(scope, { after: at, most, withGeometry: meets !== undefined });
    found.push(...page.filter((each) => isWanted(each.land)));
    if (found.length > size) return pageOf(found.slice(0, size), found[size - 1]?.at);
    if (page.length < most) return pageOf(found, undefined);
    at = page.at(-1)?.at;
  }
  return pageOf(found, at);
}

const pageOf = (found: readonly ListedLand[], next: LandPosition | undefined): LandPage => ({
  items: found.map(({ land }) => withoutGeometry(land)),
  ...(next === undefined ? {} : { next }),
});

const withoutGeometry = ({ geometry: _geometry, ...land }: Land): Land => land;
