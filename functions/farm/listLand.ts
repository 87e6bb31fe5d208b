import type { TObject, TSchema } from 'typebox';
import {
  FarmFieldList,
  FarmFieldListParameters,
  FarmList,
  LandListParameters,
  PartyList,
} from '../../shared/farm/operations/farmSchemas.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import type { LandFilters } from '../../shared/farm/wire/landFilters.js';
import type { LandScope } from '../../shared/farm/land/landPlace.js';
import { landView } from '../../shared/farm/wire/landView.js';
import { listLand, type ListLandPorts } from '../../shared/farm/operations/listLand.js';
import type { WireObject } from '../../shared/farm/wire/resourceRules.js';
import { commonFiltersOf, listIn } from '../../shared/farm/wire/wireFilters.js';
import { pageStartOf, wirePage, type WirePageRequest } from '../../shared/farm/wire/wirePage.js';
import { listExampleOf } from './examples.js';
import { farmRoute } from './farmRoute.js';
import { landRoutes, partyParam } from './landKinds.js';

interface ListedKind {
  readonly kind: LandKind;
  readonly title: string;
  readonly parameters: TObject;
  readonly list: TSchema;
}

const parties: ListedKind = { kind: 'party', title: 'Parties', parameters: LandListParameters, list: PartyList };
const farms: ListedKind = { kind: 'farm', title: 'Farms', parameters: LandListParameters, list: FarmList };
const fields: ListedKind = { kind: 'field', title: 'Fields', parameters: FarmFieldListParameters, list: FarmFieldList };

const OF_TENANT = 'of your tenant';
const OF_PARTY = 'of a party';

function listRoute({ kind, title, parameters, list }: ListedKind, of: typeof OF_TENANT | typeof OF_PARTY) {
  const { folder, example } = landRoutes[kind];
  const path = of === OF_TENANT ? folder : `parties/{partyId}/${folder}`;
  return farmRoute({
    name: of === OF_TENANT ? `farm${title}List` : `farm${title}OfPartyList`,
    method: 'GET',
    path,
    role: 'Farm.Read',
    summary: `List the ${folder} ${of}`,
    description: LIST_TEXT,
    ...(of === OF_TENANT ? {} : { params: partyParam }),
    query: parameters,
    success: {
      status: 200,
      description: 'One page. Go on with its `nextLink` until there is none.',
      content: { 'application/json': { schema: list, example: listExampleOf(example) } },
    },
    faults: [],
    handle: async ({ tenant, params: { partyId }, query, origin }, { farm }) => {
      const filters = { ...commonFiltersOf(query), farmIds: listIn(query, 'farmIds') };
      const asked = { origin, path: partyId === undefined ? path : `parties/${partyId}/${folder}`, query };
      const scope = { kind, tenant, ...(partyId === undefined ? {} : { partyId }) };
      return { status: 200, json: await landPage(farm, scope, filters, asked) };
    },
  });
}

const LIST_TEXT =
  'By party, then by id. A page may be short, even empty, and have a successor: rare filters are looked for in many. Search regions of Smart Boundary jobs are fields of the status `SearchRegion`.';

/** A page of parties, farms or fields. */
export async function landPage(
  ports: ListLandPorts,
  scope: LandScope,
  filters: LandFilters,
  asked: WirePageRequest,
): Promise<WireObject> {
  const { after: [party, row] = [], size } = pageStartOf(asked);
  const after = party === undefined || row === undefined ? undefined : { party, row };
  const { items, next } = await listLand(ports)(scope, { ...filters, after, size });
  return wirePage(asked, items.map(landView), next && [next.party, next.row]);
}

/** GET /parties */
export const farmPartiesList = listRoute(parties, OF_TENANT);
/** GET /farms */
export const farmFarmsList = listRoute(farms, OF_TENANT);
/** GET /parties/{partyId}/farms */
export const farmFarmsOfPartyList = listRoute(farms, OF_PARTY);
/** GET /fields — of the version of 2022; later ones have the search. */
export const farmFieldsList = listRoute(fields, OF_TENANT);
/** GET /parties/{partyId}/fields */
export const farmFieldsOfPartyList = listRoute(fields, OF_PARTY);
