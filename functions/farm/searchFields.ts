import { farmFaults } from '../../shared/kit/errors/farmFaults.js';
import { FarmFieldList, pageOfWire, SearchFieldQuery } from '../../shared/farm/operations/farmSchemas.js';
import { searchGeometry } from '../../shared/farm/wire/fieldGeometry.js';
import { commonFiltersOf, listIn, type WireFilters } from '../../shared/farm/wire/wireFilters.js';
import { Type } from 'typebox';
import { fieldExample, listExampleOf, searchExample } from './examples.js';
import { farmRoute, requireId } from './farmRoute.js';
import { landPage } from './listLand.js';

const PATH = 'fields:search';

/** POST /fields:search — the fields of the caller's tenant, or of a party, that pass filters or meet a geometry. */
export const farmFieldsSearch = farmRoute({
  name: 'farmFieldsSearch',
  method: 'POST',
  path: PATH,
  role: 'Farm.Read',
  summary: 'Search fields',
  description:
    'By party, then by id. For the next page send the same body with the `skipToken` of this one in the query. A page may be short, even empty, and have a successor.',
  query: Type.Object(pageOfWire),
  body: {
    schema: SearchFieldQuery,
    maxBytes: 512 * 1024,
    invalid: farmFaults.invalidRequest,
    example: searchExample,
  },
  success: {
    status: 200,
    description: 'One page.',
    content: { 'application/json': { schema: FarmFieldList, example: listExampleOf(fieldExample) } },
  },
  faults: [],
  handle: async ({ tenant, query, body, origin }, { farm }) => {
    const search = body as WireFilters & { readonly partyId?: string | null };
    const { partyId, intersectsWithGeometry: area } = search;
    if (typeof partyId === 'string') requireId('partyId', partyId);
    const scope = { kind: 'field' as const, tenant, ...(typeof partyId === 'string' ? { partyId } : {}) };
    const filters = {
      ...commonFiltersOf(search),
      farmIds: listIn(search, 'farmIds'),
      meets: area === undefined || area === null ? undefined : searchGeometry(area),
    };
    return { status: 200, json: await landPage(farm, scope, filters, { origin, path: PATH, query, body: search }) };
  },
});
