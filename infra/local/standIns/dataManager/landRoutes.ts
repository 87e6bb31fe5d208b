import type { Reply } from '../http/exchange.js';
import { checkGeometry } from './geometryRules.js';
import { refuseUnknownQuery } from './paging.js';
import { checkCommonMembers, COMMON_MEMBERS, writablePart } from './resourceRules.js';
import type { Resource, ResourceStore } from './resourceStore.js';
import { resourceReply, upsert } from './upsert.js';
import { type Call, idOf, invalid, patchOf, type Route, unknown } from './wire.js';

export interface RouteContext {
  readonly store: ResourceStore;
  readonly now: () => Date;
}

/** Parties, farms and fields, one at a time. Only fields can be written: the service creates them, parties and farms are given. */
export function landRoutes({ store, now }: RouteContext): readonly Route[] {
  const find = (path: string): Reply => resourceReply(required(store, path));
  return [
    { method: 'GET', path: '/parties/{partyId}', answer: (call) => find(partyPath(call)) },
    ...['farms', 'fields'].map((kind): Route => ({
      method: 'GET',
      path: `/parties/{partyId}/${kind}/{id}`,
      answer: (call) => find(`${partyPath(call)}/${kind}/${idOf(call, 'id')}`),
    })),
    { method: 'PATCH', path: '/parties/{partyId}/fields/{id}', answer: (call) => putField(call, { store, now }) },
  ];
}

/** The resource at that path. @throws WireError 404 */
export function required(store: ResourceStore, path: string): Resource {
  const resource = store.find(path);
  if (resource === undefined) throw unknown(path);
  return resource;
}

function partyPath(call: Call): string {
  return `parties/${idOf(call, 'partyId')}`;
}

function putField(call: Call, { store, now }: RouteContext): Reply {
  refuseUnknownQuery(call);
  const fixed = { partyId: idOf(call, 'partyId'), id: idOf(call, 'id') };
  required(store, partyPath(call));
  const { resource, isNew } = upsert({
    store,
    path: `${partyPath(call)}/fields/${fixed.id}`,
    fixed,
    patch: writablePart(patchOf(call), [...COMMON_MEMBERS, 'farmId', 'geometry'], fixed),
    check: (field) => {
      checkField(field, store, partyPath(call));
    },
    now: now(),
  });
  return resourceReply(resource, isNew ? 201 : 200);
}

function checkField(field: Resource, store: ResourceStore, party: string): void {
  checkCommonMembers(field);
  const { farmId, geometry } = field;
  if (geometry !== undefined) checkGeometry(geometry);
  const isKnownFarm = typeof farmId === 'string' && store.find(`${party}/farms/${farmId}`) !== undefined;
  if (farmId !== undefined && !isKnownFarm) throw invalid('farmId names no farm of this party.');
}
