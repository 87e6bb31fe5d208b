import { Type } from 'typebox';
import {
  AttachmentListParameters,
  FarmAttachment,
  FarmAttachmentList,
} from '../../shared/farm/operations/farmSchemas.js';
import { attachmentView } from '../../shared/farm/insights/insightView.js';
import { getInsightPart, listAttachments, readAttachment } from '../../shared/farm/insights/listInsights.js';
import { commonFiltersOf, listIn } from '../../shared/farm/wire/wireFilters.js';
import { pageStartOf, wirePage } from '../../shared/farm/wire/wirePage.js';
import { attachmentExample, listExampleOf } from './examples.js';
import { farmRoute } from './farmRoute.js';
import { OWNER_PATH, ownerIn, ownerParams, ownerPath } from './insightOwner.js';

const LIST_PATH = `${OWNER_PATH}/insight-attachments`;
const oneParams = { ...ownerParams, attachmentId: 'Id of the file' };

/** GET …/insight-attachments — the files of what one model has found out about a party, farm or field. */
export const farmAttachmentsList = farmRoute({
  name: 'farmAttachmentsList',
  method: 'GET',
  path: LIST_PATH,
  role: 'Farm.Read',
  summary: 'List the files of insights',
  params: ownerParams,
  query: AttachmentListParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `nextLink` until there is none.',
    content: { 'application/json': { schema: FarmAttachmentList, example: listExampleOf(attachmentExample) } },
  },
  faults: [],
  handle: async ({ tenant, params, query, origin }, { farm }) => {
    const owner = ownerIn(tenant, params);
    const asked = { origin, path: `${ownerPath(owner)}/insight-attachments`, query };
    const { after: [after] = [], size } = pageStartOf(asked);
    const filters = { ...commonFiltersOf(query), insightIds: listIn(query, 'insightIds') };
    const { items, next } = await listAttachments(farm)(owner, { ...filters, after, size });
    return { status: 200, json: wirePage(asked, items.map(attachmentView), next === undefined ? undefined : [next]) };
  },
});

/** GET …/insight-attachments/{attachmentId} */
export const farmAttachmentGet = farmRoute({
  name: 'farmAttachmentGet',
  method: 'GET',
  path: `${LIST_PATH}/{attachmentId}`,
  role: 'Farm.Read',
  summary: 'Describe a file of an insight',
  params: oneParams,
  success: {
    status: 200,
    description: 'What is known of the file.',
    content: { 'application/json': { schema: FarmAttachment, example: attachmentExample } },
  },
  faults: [],
  handle: async ({ tenant, params }, { farm }) => {
    const file = await getInsightPart(farm)('attachment', ownerIn(tenant, params), params['attachmentId'] ?? '');
    return { status: 200, json: attachmentView(file) };
  },
});

/** What keeps a browser from showing a file of somebody else as a page of this service, where the console lies. */
const NO_PAGE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
};

/** GET …/insight-attachments/{attachmentId}/file */
export const farmAttachmentFileGet = farmRoute({
  name: 'farmAttachmentFileGet',
  method: 'GET',
  path: `${LIST_PATH}/{attachmentId}/file`,
  role: 'Farm.Read',
  summary: 'Read a file of an insight',
  params: oneParams,
  success: {
    status: 200,
    description: 'The bytes of the file, whatever its kind.',
    content: { 'application/octet-stream': { schema: Type.String({ format: 'binary', description: 'The file' }) } },
    headers: ['Content-Disposition'],
  },
  faults: [],
  handle: async ({ tenant, params }, { farm }) => {
    const { name, bytes } = await readAttachment(farm)(ownerIn(tenant, params), params['attachmentId'] ?? '');
    return {
      status: 200,
      content: { type: 'application/octet-stream', data: bytes },
      headers: { ...NO_PAGE, 'content-disposition': dispositionOf(name) },
    };
  },
});

/** A name of any letters, for old readers and new ones (RFC 6266). */
function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  const escaped = encodeURIComponent(name).replaceAll(/['()*]/g, (letter) => `%${letter.codePointAt(0)?.toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${escaped}`;
}
