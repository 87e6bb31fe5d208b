import { JSON_TYPE } from '../../shared/kit/answer/answer.js';
import { getLand } from '../../shared/farm/land/getLand.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import { landJson } from '../../shared/farm/wire/landView.js';
import { farmRoute } from './farmRoute.js';
import { landKeyOf, landRoutes } from './landKinds.js';

const getRoute = (kind: LandKind) => {
  const { title, path, params, schema, example } = landRoutes[kind];
  return farmRoute({
    name: `farm${title}Get`,
    method: 'GET',
    path,
    role: 'Farm.Read',
    summary: `Read a ${kind}`,
    params,
    success: { status: 200, description: `The ${kind}.`, content: { 'application/json': { schema, example } } },
    faults: [],
    handle: async ({ tenant, params: ids }, { farm }) => {
      const land = await getLand(farm)(landKeyOf(kind, tenant, ids));
      return { status: 200, content: { type: JSON_TYPE, data: await landJson(land) } };
    },
  });
};

/** GET /parties/{partyId} — one party of the caller's tenant. */
export const farmPartyGet = getRoute('party');
/** GET /parties/{partyId}/farms/{farmId} */
export const farmFarmGet = getRoute('farm');
/** GET /parties/{partyId}/fields/{fieldId} — with its geometry. */
export const farmFieldGet = getRoute('field');
