import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { farmFaults } from '../../shared/kit/errors/farmFaults.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import { removeLand } from '../../shared/farm/operations/removeLand.js';
import { farmRoute } from './farmRoute.js';
import { landKeyOf, landRoutes } from './landKinds.js';

const removeRoute = (kind: LandKind) => {
  const { title, path, params, dependents } = landRoutes[kind];
  return farmRoute({
    name: `farm${title}Remove`,
    method: 'DELETE',
    path,
    role: 'Farm.ReadWrite',
    summary: `Delete a ${kind}`,
    description: `409 while it has ${dependents}: delete them first, or all at once with a cascade delete.`,
    params,
    success: { status: 204, description: `The ${kind} is deleted.`, content: {} },
    faults: [farmFaults.conflict, commonFaults.preconditionFailed],
    handle: async ({ tenant, params: ids, ifMatch, ifNoneMatch }, { farm }) => {
      await removeLand(farm)(landKeyOf(kind, tenant, ids), { ifMatch, ifNoneMatch });
      return { status: 204 };
    },
  });
};

/** DELETE /parties/{partyId} */
export const farmPartyRemove = removeRoute('party');
/** DELETE /parties/{partyId}/farms/{farmId} */
export const farmFarmRemove = removeRoute('farm');
/** DELETE /parties/{partyId}/fields/{fieldId} */
export const farmFieldRemove = removeRoute('field');
