import { JSON_TYPE } from '../../shared/kit/answer/answer.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { farmFaults } from '../../shared/kit/errors/farmFaults.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import { landJson } from '../../shared/farm/wire/landView.js';
import { putLand } from '../../shared/farm/operations/putLand.js';
import type { WireObject } from '../../shared/farm/wire/resourceRules.js';
import { farmRoute } from './farmRoute.js';
import { landKeyOf, landRoutes } from './landKinds.js';

const putRoute = (kind: LandKind) => {
  const { title, path, params, schema, example, write, writeExample, maxBytes } = landRoutes[kind];
  return farmRoute({
    name: `farm${title}Put`,
    method: 'PATCH',
    path,
    role: 'Farm.ReadWrite',
    summary: `Create a ${kind}, or change it`,
    description:
      'A merge patch (RFC 7396), sent as `application/json` too: members that are absent stay as they are, null takes a member away. Members that the service sets are ignored, so that a whole resource may be sent back. `If-Match` and `If-None-Match` are kept.',
    params,
    body: {
      type: 'mergePatch',
      schema: write,
      invalid: farmFaults.invalidRequest,
      keepsDigits: true,
      ...(kind === 'field' ? { apart: 'geometry' } : {}),
      example: writeExample,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    },
    success: {
      status: 200,
      description: `The ${kind} is changed.`,
      alsoAt: { 201: `The ${kind} is created.` },
      content: { 'application/json': { schema, example } },
    },
    faults: [farmFaults.quotaExceeded, farmFaults.conflict, commonFaults.preconditionFailed],
    handle: async ({ tenant, objectId: by, params: ids, body, ifMatch, ifNoneMatch }, { farm }) => {
      const patch = { body: body as WireObject, by, ifMatch, ifNoneMatch };
      const { land, isNew } = await putLand(farm)(landKeyOf(kind, tenant, ids), patch);
      return { status: isNew ? 201 : 200, content: { type: JSON_TYPE, data: await landJson(land) } };
    },
  });
};

/** PATCH /parties/{partyId} */
export const farmPartyPut = putRoute('party');
/** PATCH /parties/{partyId}/farms/{farmId} */
export const farmFarmPut = putRoute('farm');
/** PATCH /parties/{partyId}/fields/{fieldId} */
export const farmFieldPut = putRoute('field');
