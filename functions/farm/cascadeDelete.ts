import { Type } from 'typebox';
import { farmFaults } from '../../shared/kit/errors/farmFaults.js';
import { cascadeView } from '../../shared/farm/cascade/cascadeView.js';
import { getCascade, startCascade } from '../../shared/farm/cascade/startCascade.js';
import { CascadeDeleteJob } from '../../shared/farm/operations/farmSchemas.js';
import type { LandKind } from '../../shared/farm/land/land.js';
import { cascadeExampleOf } from './examples.js';
import { farmRoute, requireId } from './farmRoute.js';
import { landKeyOf, landRoutes } from './landKinds.js';

/** Pollers read the very address of their PUT at last. */
const UNUSED = 'As in the PUT; not looked at';
const jobParam = { jobId: 'Id of the cascade delete, of your choice' };
const answerOf = (kind: LandKind) => ({
  content: { 'application/json': { schema: CascadeDeleteJob, example: cascadeExampleOf(kind) } },
});

const putRoute = (kind: LandKind) => {
  const { title, folder, params } = landRoutes[kind];
  return farmRoute({
    // The names of cascade deletes stand before those of the other operations: their paths are literal where the others have ids.
    name: `farmCascade${title}Put`,
    method: 'PUT',
    path: `${folder}/cascade-delete/{jobId}`,
    role: 'Farm.ReadWrite',
    summary: `Delete a ${kind} with all that lies below it`,
    description: 'The same id for the same resource once more answers the cascade delete as it is.',
    params: jobParam,
    query: Type.Object(
      Object.fromEntries(Object.entries(params).map(([name, description]) => [name, Type.String({ description })])),
    ),
    success: {
      status: 202,
      description: 'The deletion is queued. Read it until its status is Succeeded or Failed.',
      headers: ['Location', 'Operation-Location', 'Retry-After'],
      ...answerOf(kind),
    },
    faults: [farmFaults.conflict],
    handle: async ({ tenant, params: { jobId = '' }, query, origin }, { farm }) => {
      const ids = query as Readonly<Record<string, string>>;
      for (const [name, id] of Object.entries(ids)) if (name in params) requireId(name, id);
      const job = await startCascade(farm)(jobId, landKeyOf(kind, tenant, ids));
      const link = `${origin}/${folder}/cascade-delete/${jobId}?api-version=${ids['api-version']}`;
      return {
        status: 202,
        json: cascadeView(job),
        headers: { location: link, 'operation-location': link, 'retry-after': '10' },
      };
    },
  });
};

const getRoute = (kind: LandKind) => {
  const { title, folder, params } = landRoutes[kind];
  return farmRoute({
    name: `farmCascade${title}Get`,
    method: 'GET',
    path: `${folder}/cascade-delete/{jobId}`,
    role: 'Farm.Read',
    summary: `Read the cascade delete of a ${kind}`,
    params: jobParam,
    query: Type.Object(
      Object.fromEntries(
        Object.keys(params).map((name) => [name, Type.Optional(Type.String({ description: UNUSED }))]),
      ),
    ),
    success: { status: 200, description: 'The cascade delete.', ...answerOf(kind) },
    faults: [],
    handle: async ({ tenant, params: { jobId = '' } }, { farm }) => ({
      status: 200,
      json: cascadeView(await getCascade(farm)({ tenant, kind }, jobId)),
    }),
  });
};

/** PUT and GET /parties/cascade-delete/{jobId} */
export const farmCascadePartyPut = putRoute('party');
export const farmCascadePartyGet = getRoute('party');
/** PUT and GET /farms/cascade-delete/{jobId} */
export const farmCascadeFarmPut = putRoute('farm');
export const farmCascadeFarmGet = getRoute('farm');
/** PUT and GET /fields/cascade-delete/{jobId} */
export const farmCascadeFieldPut = putRoute('field');
export const farmCascadeFieldGet = getRoute('field');
