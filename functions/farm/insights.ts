import { FarmInsight, FarmInsightList, InsightListParameters } from '../../shared/farm/operations/farmSchemas.js';
import type { FarmInsightRecord } from '../../shared/farm/insights/farmInsight.js';
import { insightView } from '../../shared/farm/insights/insightView.js';
import { getInsightPart, listInsights } from '../../shared/farm/insights/listInsights.js';
import { commonFiltersOf, periodIn, textsIn, type WireFilters } from '../../shared/farm/wire/wireFilters.js';
import { pageStartOf, wirePage } from '../../shared/farm/wire/wirePage.js';
import { insightExample, listExampleOf } from './examples.js';
import { API_VERSIONS, farmRoute } from './farmRoute.js';
import { OWNER_PATH, ownerIn, ownerParams, ownerPath } from './insightOwner.js';

/** An insight with the address of the list of its files. */
function viewOf(origin: string, insight: FarmInsightRecord) {
  const query = new URLSearchParams({ 'api-version': API_VERSIONS[0], insightIds: insight.id });
  return insightView(insight, `${origin}/${ownerPath(insight)}/insight-attachments?${query.toString()}`);
}

const filtersOf = (query: WireFilters) => ({
  ...commonFiltersOf(query),
  starts: periodIn(query, 'InsightStartDateTime'),
  ends: periodIn(query, 'InsightEndDateTime'),
  measurementFilters: textsIn(query, 'measurementFilters'),
});

/** GET …/insights — what one model has found out about a party, farm or field. */
export const farmInsightsList = farmRoute({
  name: 'farmInsightsList',
  method: 'GET',
  path: `${OWNER_PATH}/insights`,
  role: 'Farm.Read',
  summary: 'List insights',
  description: 'What one model has found out about a party, farm or field, by id.',
  params: ownerParams,
  query: InsightListParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `nextLink` until there is none.',
    content: { 'application/json': { schema: FarmInsightList, example: listExampleOf(insightExample) } },
  },
  faults: [],
  handle: async ({ tenant, params, query, origin }, { farm }) => {
    const owner = ownerIn(tenant, params);
    const asked = { origin, path: `${ownerPath(owner)}/insights`, query };
    const { after: [after] = [], size } = pageStartOf(asked);
    const { items, next } = await listInsights(farm)(owner, { ...filtersOf(query), after, size });
    const value = items.map((insight) => viewOf(origin, insight));
    return { status: 200, json: wirePage(asked, value, next === undefined ? undefined : [next]) };
  },
});

/** GET …/insights/{insightId} */
export const farmInsightGet = farmRoute({
  name: 'farmInsightGet',
  method: 'GET',
  path: `${OWNER_PATH}/insights/{insightId}`,
  role: 'Farm.Read',
  summary: 'Read an insight of a party, farm or field',
  params: { ...ownerParams, insightId: 'Id of the insight' },
  success: {
    status: 200,
    description: 'The insight.',
    content: { 'application/json': { schema: FarmInsight, example: insightExample } },
  },
  faults: [],
  handle: async ({ tenant, params, origin }, { farm }) => {
    const insight = await getInsightPart(farm)('insight', ownerIn(tenant, params), params['insightId'] ?? '');
    return { status: 200, json: viewOf(origin, insight) };
  },
});
