import { TableClient } from '@azure/data-tables';
import { BlobServiceClient } from '@azure/storage-blob';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { soundShape } from '../../../shared/farm/wire/fieldGeometry.js';
import type { Land } from '../../../shared/farm/land/land.js';
import { LandStore } from '../../../shared/farm/land/landStore.js';
import { randomId } from '../../../shared/kit/ids.js';
import { eachOf } from '../../../shared/kit/limiter.js';
import { AzureBlobs } from '../../../shared/storage/azure/azureBlobs.js';
import { AzureRows } from '../../../shared/storage/azure/azureRows.js';
import type { TableName } from '../../../shared/storage/names.js';
import { inChunks } from './inChunks.js';
import type { StallCase, StalledService } from './stallCase.js';

/** A ring of as many corners as a field may have, in about 3.4 MB of JSON. */
const CORNERS = 99_980;
/** In the hole of every large field. */
const SEARCH_CORNERS = 999;
const LARGE_FIELDS = 100;
const PARTY = randomUUID();
/** A field that jobs name. */
const FIELD_OF_JOBS = randomUUID();
const VERSION = 'api-version=2023-11-01-preview';

/** A wavy ring around 13° E, 48° N, counter-clockwise. @param size 1: about 900 m */
function ring(corners: number, size: number): number[][] {
  const outline = Array.from({ length: corners }, (_, index) => {
    const angle = (index / corners) * 2 * Math.PI;
    const radius = size * (1 + 0.1 * Math.sin(7 * angle));
    const longitude = 13 + 0.006 * radius * Math.cos(angle);
    return [Number(longitude.toFixed(12)), Number((48 + 0.004 * radius * Math.sin(angle)).toFixed(12))];
  });
  return [...outline, outline[0] ?? []];
}

/** A field with a hole. */
const largeField = {
  type: 'Polygon',
  coordinates: [ring(CORNERS / 2, 1), ring(CORNERS / 2, 0.8).toReversed()],
};
const largeBody = JSON.stringify({ geometry: largeField });
/** Near the whole edge of the hole, without touching it. */
const withinHole = { type: 'Polygon', coordinates: [ring(SEARCH_CORNERS, 0.79)] };

async function call({ baseUrl, jwt }: StalledService, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${baseUrl}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${jwt}`, ...(init.headers as Record<string, string> | undefined) },
  });
}

const LARGE_BYTES = 64 * 1024;

async function patch(service: StalledService, path: string, body: string): Promise<number> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  for (;;) {
    const sent = body.length > LARGE_BYTES ? inChunks(Buffer.from(body)) : { body };
    const answer = await call(service, `${path}?${VERSION}`, { method: 'PATCH', headers, ...sent });
    await answer.arrayBuffer();
    if (answer.status !== 429 && answer.status !== 503) return answer.status;
    await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
  }
}

/** Asks again as the answer says, and follows pages to the last. @returns how it ended */
async function readAll(
  service: StalledService,
  path: string,
  nextOf: (page: Record<string, unknown>) => string | undefined,
  init: RequestInit = {},
): Promise<string> {
  let [pages, bytes, asked] = [0, 0, 0];
  for (let next: string | undefined = path; next !== undefined;) {
    const answer = await call(service, next, init);
    const text = await answer.text();
    if (answer.status === 429 || answer.status === 503) {
      asked += 1;
      await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000);
      continue;
    }
    if (answer.status !== 200) return `${answer.status}`;
    [pages, bytes] = [pages + 1, bytes + text.length];
    next = nextOf(JSON.parse(text) as Record<string, unknown>);
  }
  return `${pages} pages, ${(bytes / 2 ** 20).toFixed(1)} MB, ${asked} times asked to wait`;
}

const ids = (count: number): string => Array.from({ length: count }, (_, index) => `large-${index}`).join(',');

/** What a search gives, page by page, or its first page. */
const search = (service: StalledService, isWhole = true): Promise<string> =>
  readAll(
    service,
    `/fields:search?${VERSION}`,
    ({ skipToken }) =>
      isWhole && typeof skipToken === 'string'
        ? `/fields:search?${VERSION}&skipToken=${encodeURIComponent(skipToken)}`
        : undefined,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ partyId: PARTY, intersectsWithGeometry: withinHole }),
    },
  );

const geoJson = (service: StalledService, query: string, isWhole = true): Promise<string> =>
  readAll(service, `/v1/parties/${PARTY}/fields.geojson?${query}`, (page) => {
    const [next] = (page['links'] ?? []) as { readonly href: string }[];
    return isWhole && next !== undefined ? next.href.replace(service.baseUrl, '') : undefined;
  });

const summary = (ends: readonly string[]): string => [...new Set(ends)].join('; ');
const atOnce = async (times: number, once: (index: number) => Promise<string>): Promise<string> =>
  summary(await Promise.all(Array.from({ length: times }, (_, index) => once(index))));

async function fetchLarge(service: StalledService, encoding: string): Promise<string> {
  const answer = await call(service, `/parties/${PARTY}/fields/large-0?${VERSION}`, {
    headers: { 'accept-encoding': encoding },
  });
  await answer.arrayBuffer();
  return String(answer.status);
}

/** Bytes of properties in a row: as many as it may have. */
const widest = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [`property-${index}`, '\u0001'.repeat(150)]),
);
const WIDE_FIELDS = 1_000;

/** Waits for a job's end. */
async function job(service: StalledService, kind: 'gdd' | 'smartBoundary', body: object): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const ask = (operation: string, text: object): Promise<Response> =>
    call(service, `/solutions/partnerAgPowered.${kind}:${operation}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(text),
    });
  const requestPath = `/v1/${kind}/job-${randomUUID()}`;
  const created = await ask('create', { requestPath, partnerRequestBody: body });
  if (created.status !== 202) return `${created.status} ${await created.text()}`;
  for (;;) {
    const { status } = (await (await ask('fetch', { requestPath })).json()) as { readonly status: string };
    if (status !== 'WAITING' && status !== 'RUNNING') return status;
    await sleep(500);
  }
}

/** Fields of a party in storage itself: to send them takes minutes. */
async function storeFields({ jwt, storage }: StalledService, name: string, fields: readonly Partial<Land>[]) {
  const { tid: tenant } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
    readonly tid: string;
  };
  const rows = (table: TableName) => new AzureRows(TableClient.fromConnectionString(storage, table), randomId);
  const files = BlobServiceClient.fromConnectionString(storage).getContainerClient('farm-data');
  const land = new LandStore(rows, new AzureBlobs(files));
  const at = Date.now();
  const stamps = { createdAt: at, createdBy: 'bench', modifiedAt: at, modifiedBy: 'bench' };
  const party = { kind: 'party', tenant, partyId: PARTY, id: PARTY } as const;
  await land.insert(party, { ...party, ...stamps, eTag: 'bench' });
  await eachOf(fields, 8, async (field, index) => {
    const key = { kind: 'field', tenant, partyId: PARTY, id: `${name}-${index}` } as const;
    const { tenant: _tenant, ...named } = key;
    await land.insert(key, { ...named, ...stamps, eTag: 'bench', ...field });
  });
}

let isPrepared = false;
async function prepare(service: StalledService): Promise<void> {
  if (isPrepared) return;
  isPrepared = true;
  await storeFields(
    service,
    'large',
    Array<Partial<Land>>(LARGE_FIELDS).fill(soundShape(Buffer.from(JSON.stringify(largeField)))),
  );
}

/** Stored geometries that are read. */
export const landCases: readonly StallCase[] = [
  {
    name: 'land: 10 large fields changed at once',
    prepare,
    run: (service) =>
      atOnce(10, async (index) => String(await patch(service, `/parties/${PARTY}/fields/large-${index}`, largeBody))),
  },
  {
    name: 'land: 20 large fields renamed at once',
    prepare,
    run: (service) =>
      atOnce(20, async (index) =>
        String(await patch(service, `/parties/${PARTY}/fields/large-${index}`, '{"name":"north"}')),
      ),
  },
  {
    name: 'land: 20 GETs of one large field, brotli',
    prepare,
    run: (service) => atOnce(20, () => fetchLarge(service, 'br')),
  },
  {
    name: 'land: 20 GETs of one large field, as it is',
    prepare,
    run: (service) => atOnce(20, () => fetchLarge(service, 'identity')),
  },
  { name: 'land: fields.geojson of five ids', prepare, run: (service) => geoJson(service, `ids=${ids(5)}`) },
  { name: 'land: fields.geojson of 25 ids, every page', prepare, run: (service) => geoJson(service, `ids=${ids(25)}`) },
  {
    name: 'land: fields.geojson of 100 ids, three at once',
    prepare,
    run: (service) => atOnce(3, () => geoJson(service, `ids=${ids(LARGE_FIELDS)}`, false)),
  },
  { name: 'land: fields.geojson, limit=1', prepare, run: (service) => geoJson(service, 'limit=1', false) },
  { name: 'land: search within the holes', prepare, run: search },
  {
    name: 'land: search within the holes, five at once',
    prepare,
    run: (service) => atOnce(5, () => search(service, false)),
  },
  {
    name: 'land: a GDD job of a large field',
    prepare: async (service) => {
      await prepare(service);
      await patch(service, `/parties/${PARTY}/fields/${FIELD_OF_JOBS}`, largeBody);
    },
    run: (service) =>
      job(service, 'gdd', {
        ...{ partyId: PARTY, resourceType: 'Field', resourceId: FIELD_OF_JOBS },
        ...{ crop: 'CORN', gddStartDate: '2024-05-01', gddEndDate: '2024-05-31' },
      }),
  },
  {
    name: 'land: lists of 1,000 fields with the widest properties',
    prepare: (service) => storeFields(service, 'wide', Array<Partial<Land>>(WIDE_FIELDS).fill({ properties: widest })),
    run: (service) =>
      atOnce(3, () =>
        readAll(service, `/parties/${PARTY}/fields?${VERSION}&maxPageSize=1000`, ({ nextLink }) =>
          typeof nextLink === 'string' ? nextLink.replace(service.baseUrl, '') : undefined,
        ),
      ),
  },
];
