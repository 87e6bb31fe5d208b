import { isSameId } from '../../../../shared/kit/ids.js';
import { isJsonObject, type Reply } from '../http/exchange.js';
import { required, type RouteContext } from './landRoutes.js';
import { refuseUnknownQuery } from './paging.js';
import { checkCommonMembers, checkInstant, COMMON_MEMBERS, writablePart } from './resourceRules.js';
import type { Resource, ResourceStore } from './resourceStore.js';
import { resourceReply, upsert } from './upsert.js';
import { type Call, conflict, idOf, invalid, patchOf, type Route, unknown } from './wire.js';

/** Where the insights of one model about one resource lie. */
export const INSIGHT_OWNER = '/parties/{partyId}/models/{modelId}/resource-types/{resourceType}/resources/{resourceId}';

const FOLDERS: Readonly<Record<string, string>> = {
  Party: '',
  Farm: 'farms',
  Field: 'fields',
  SeasonalField: 'seasonal-fields',
};
const MODEL_ID = /^[a-zA-Z]{3,50}[.][a-zA-Z0-9]{3,100}$/;
const REQUIRED = ['modelVersion', 'insightStartDateTime', 'insightEndDateTime', 'measurements'];

/** Insights: PATCH, GET and DELETE of one. */
export function insightRoutes({ store, now }: RouteContext): readonly Route[] {
  return [
    {
      method: 'PATCH',
      path: `${INSIGHT_OWNER}/insights/{insightId}`,
      answer: (call) => putInsight(call, { store, now }),
    },
    {
      method: 'GET',
      path: `${INSIGHT_OWNER}/insights/{insightId}`,
      answer: (call) => resourceReply(required(store, `${ownerPath(call, store)}/insights/${idOf(call, 'insightId')}`)),
    },
    {
      method: 'DELETE',
      path: `${INSIGHT_OWNER}/insights/{insightId}`,
      answer: (call) => removeInsight(call, store),
    },
  ];
}

/** The path in the store, once model and resource are known to be right. */
export function ownerPath(call: Call, store: ResourceStore): string {
  const { partyId, modelId, resourceType, resourceId } = ownerMembers(call);
  const folder = FOLDERS[resourceType];
  if (folder === undefined) throw invalid(`resourceType must be one of ${Object.keys(FOLDERS).join(', ')}.`);
  if (!MODEL_ID.test(modelId)) throw invalid(`modelId must match ${MODEL_ID.source}.`);
  required(store, `parties/${partyId}`);
  if (resourceType !== 'Party') required(store, `parties/${partyId}/${folder}/${resourceId}`);
  else if (!isSameId(resourceId, partyId)) throw unknown(`The party ${resourceId}`);
  return `parties/${partyId}/models/${modelId}/resource-types/${resourceType}/resources/${resourceId}`;
}

/** What the path of an insight or attachment says about its owner. */
export function ownerMembers(call: Call): Record<'partyId' | 'modelId' | 'resourceType' | 'resourceId', string> {
  return {
    partyId: idOf(call, 'partyId'),
    modelId: idOf(call, 'modelId'),
    resourceType: idOf(call, 'resourceType'),
    resourceId: idOf(call, 'resourceId'),
  };
}

function putInsight(call: Call, { store, now }: RouteContext): Reply {
  refuseUnknownQuery(call);
  const fixed = { id: idOf(call, 'insightId'), ...ownerMembers(call) };
  const { resource, isNew } = upsert({
    store,
    path: `${ownerPath(call, store)}/insights/${fixed.id}`,
    fixed,
    patch: writablePart(patchOf(call), [...COMMON_MEMBERS, ...REQUIRED], fixed),
    check: checkInsight,
    now: now(),
  });
  return resourceReply(resource, isNew ? 201 : 200);
}

/** One that attachments still name stays. */
function removeInsight(call: Call, store: ResourceStore): Reply {
  refuseUnknownQuery(call);
  const [owner, insightId] = [ownerPath(call, store), idOf(call, 'insightId')];
  required(store, `${owner}/insights/${insightId}`);
  const isNamed = store
    .list(`${owner}/insight-attachments`)
    .some((attachment) => isSameId(String(attachment['insightId']), insightId));
  if (isNamed) throw conflict(`The insight ${insightId} has attachments.`);
  store.remove(`${owner}/insights/${insightId}`);
  return { status: 204 };
}

function checkInsight(insight: Resource): void {
  checkCommonMembers(insight);
  for (const name of REQUIRED) {
    if (insight[name] === undefined) throw invalid(`${name} is missing.`);
  }
  const { insightStartDateTime, insightEndDateTime, measurements } = insight;
  checkInstant('insightStartDateTime', insightStartDateTime);
  checkInstant('insightEndDateTime', insightEndDateTime);
  if (String(insightStartDateTime) > String(insightEndDateTime)) throw invalid('The insight ends before it starts.');
  if (!isJsonObject(measurements) || !Object.values(measurements).every(isMeasurement)) {
    throw invalid('measurements is an object of { unit?, value }, value a number.');
  }
}

function isMeasurement(measurement: unknown): boolean {
  if (!isJsonObject(measurement)) return false;
  const { unit, value, ...rest } = measurement;
  const hasUnit = unit === undefined || (typeof unit === 'string' && unit.length <= 50);
  return hasUnit && typeof value === 'number' && Object.keys(rest).length === 0;
}
