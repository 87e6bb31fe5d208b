import type { Reply } from '../http/exchange.js';
import { INSIGHT_OWNER, ownerMembers, ownerPath } from './insightRoutes.js';
import { required, type RouteContext } from './landRoutes.js';
import { type MultipartForm, readMultipartForm } from './multipartForm.js';
import { refuseUnknownQuery } from './paging.js';
import { checkCommonMembers } from './resourceRules.js';
import type { ResourceStore } from './resourceStore.js';
import { resourceReply, upsert } from './upsert.js';
import { type Call, idOf, invalid, type Route, unknown } from './wire.js';

const TEXTS = ['insightId', 'name', 'originalFileName', 'description', 'status', 'source'];

/** Files that belong to an insight: PATCH as multipart/form-data, GET of metadata and of the file, DELETE. */
export function attachmentRoutes({ store, now }: RouteContext): readonly Route[] {
  const one = `${INSIGHT_OWNER}/insight-attachments/{attachmentId}`;
  return [
    { method: 'PATCH', path: one, answer: (call) => putAttachment(call, { store, now }) },
    { method: 'GET', path: one, answer: (call) => resourceReply(required(store, attachmentPath(call, store))) },
    { method: 'DELETE', path: one, answer: (call) => removeAttachment(call, store) },
    { method: 'GET', path: `${one}/file`, answer: (call) => fileReply(store, attachmentPath(call, store)) },
  ];
}

function attachmentPath(call: Call, store: ResourceStore): string {
  return `${ownerPath(call, store)}/insight-attachments/${idOf(call, 'attachmentId')}`;
}

async function putAttachment(call: Call, { store, now }: RouteContext): Promise<Reply> {
  refuseUnknownQuery(call);
  const path = attachmentPath(call, store);
  const form = await readMultipartForm(call.exchange.headers, call.exchange.body);
  checkForm(form, (insightId) => store.find(`${ownerPath(call, store)}/insights/${insightId}`) !== undefined);
  const file = form.files.get('file');
  if (file === undefined && store.find(path) === undefined) throw invalid('The part file is missing.');
  if (file !== undefined) store.putFile(path, file.content);
  const { resource, isNew } = upsert({
    store,
    path,
    fixed: { id: idOf(call, 'attachmentId'), ...ownerMembers(call) },
    patch: { ...(file === undefined ? {} : { originalFileName: file.name }), ...Object.fromEntries(form.texts) },
    check: checkCommonMembers,
    now: now(),
  });
  return resourceReply(resource, isNew ? 201 : 200);
}

function removeAttachment(call: Call, store: ResourceStore): Reply {
  refuseUnknownQuery(call);
  const path = attachmentPath(call, store);
  required(store, path);
  store.remove(path);
  return { status: 204 };
}

function checkForm({ texts, files }: MultipartForm, isInsight: (insightId: string) => boolean): void {
  const strange = [...texts.keys()].find((name) => !TEXTS.includes(name));
  if (strange !== undefined) throw invalid(`The part ${strange} is unknown.`);
  if ([...files.keys()].some((name) => name !== 'file')) throw invalid('The only part with a file is named file.');
  const insightId = texts.get('insightId');
  if (insightId === undefined) throw invalid('The part insightId is missing.');
  if (!isInsight(insightId)) throw invalid('insightId names no insight of this resource.');
}

function fileReply(store: ResourceStore, path: string): Reply {
  required(store, path);
  const content = store.findFile(path);
  if (content === undefined) throw unknown(`The file of ${path}`);
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body: content };
}
