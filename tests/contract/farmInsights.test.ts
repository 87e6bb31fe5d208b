import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../shared/kit/clock.js';
import { LandStore } from '../../shared/farm/land/landStore.js';
import { FarmInsightStore } from '../../shared/farm/insights/insightStore.js';
import type { InsightOwner } from '../../shared/farm/insights/farmInsight.js';
import { InsightWriter } from '../../shared/farm/insights/putInsight.js';
import { randomId } from '../../shared/kit/ids.js';
import { farmOf, newTenant, pagesOf, VERSION, type FarmCalls } from './farmCalls.js';
import { call, service, tokenOf } from './service.js';
import { blobsOf, rowsOf } from './storage.js';

const MODEL = 'partnerAgPowered.gdd';
const PATH = `/parties/party/models/${MODEL}/resource-types/Field/resources/field`;
const LIST = `${PATH}/insights`;
const FILES = `${PATH}/insight-attachments`;
/** Bytes that are no text, in any encoding. */
const file = new Uint8Array([255, 254, 0, 128, 60, 104, 49, 62]);

let calls: FarmCalls;
let tid: string;
beforeAll(async () => {
  tid = await newTenant();
  calls = farmOf(tid);
  await calls.patch('/parties/party');
  await calls.patch('/parties/party/fields/field');
  const insights = new FarmInsightStore(rowsOf('farmInsights'), blobsOf('farm-data'));
  const writer = new InsightWriter({
    land: new LandStore(rowsOf, blobsOf('farm-data')),
    insights,
    clock: systemClock,
    newId: randomId,
    insightsPerDay: 100,
  });
  const owner: InsightOwner = {
    tenant: tid,
    partyId: 'party',
    modelId: MODEL,
    resourceType: 'Field',
    resourceId: 'field',
  };
  const author = { by: MODEL, epoch: 1 };
  for (let k = 0; k < 15; k += 1) {
    const id = `i${String(k).padStart(2, '0')}`;
    const day = Date.parse(`2026-05-${String(k + 1).padStart(2, '0')}T00:00:00Z`);
    await writer.put(owner, id, author, () => ({
      ...{ modelVersion: '1.0', from: day, to: day + 86_399_000, properties: { crop: k % 2 === 0 ? 'CORN' : 'WHEAT' } },
      measurements: { gdd: { unit: '°C·day', value: k + 0.5 }, days: { value: k } },
    }));
  }
  await writer.put(owner, 'withdrawn', author, () => ({ modelVersion: '1', from: 0, to: 0, measurements: {} }));
  await writer.withdraw('insight', owner, 'withdrawn', author);
  for (const insightId of ['i00', 'i01']) {
    const described = { insightId, originalFileName: '<b>x</b>; "gdd".html', contentType: 'text/html', bytes: file };
    await writer.putFile(owner, `${insightId}-file`, author, described);
  }
});

const idsOf = (json: { readonly value: readonly { readonly id: string }[] }): string[] =>
  json.value.map(({ id }) => id);

describe('insights of a field', () => {
  test('are listed by id, a page behind the other', async () => {
    const pages = await pagesOf(calls, LIST, 'maxPageSize=10');
    expect(pages.map(({ json }) => idsOf(json).length)).toEqual([10, 5]);
    expect(pages[0]?.json.nextLink).toMatch(`${service.baseUrl}${LIST}?`);
  });

  test('are each read with the link of its files', async () => {
    const { status, json } = await calls.get(`${LIST}/i00`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      ...{ id: 'i00', partyId: 'party', modelId: MODEL, resourceType: 'Field', resourceId: 'field', createdBy: MODEL },
      ...{ insightStartDateTime: '2026-05-01T00:00:00Z', insightEndDateTime: '2026-05-01T23:59:59Z' },
      measurements: { gdd: { unit: '°C·day', value: 0.5 }, days: { value: 0 } },
    });
    const link = new URL(json.attachmentsLink as string);
    expect(link.origin).toBe(service.baseUrl);
    const files = await call(`${link.pathname}${link.search}`, { token: tokenOf(tid, '--roles', 'Farm.Read') });
    expect(idsOf(files.json)).toEqual(['i00-file']);
  });

  test.each<[string, string[]]>([
    ['ids=i01,i03', ['i01', 'i03']],
    ['minInsightStartDateTime=2026-05-14T00:00:00.000Z', ['i13', 'i14']],
    ['maxInsightEndDateTime=2026-05-02T23:59:59', ['i00', 'i01']],
    ['maxInsightStartDateTime=2026-05-02T02:00:00%2B02:00', ['i00', 'i01']],
    ['minInsightEndDateTime=2026-05-15T00:00:00Z', ['i14']],
    ['measurementFilters=gdd.value eq 3.5', ['i03']],
    ['measurementFilters=days.unit eq °C·day', []],
    ['measurementFilters=gdd.unit eq °C·day&propertyFilters=crop eq WHEAT&ids=i00,i01', ['i01']],
    [`minCreatedDateTime=${new Date(Date.now() + 86_400_000).toISOString()}`, []],
  ])('are filtered: %s', async (query, expected) => {
    const { status, json } = await calls.get(LIST, query);
    expect([status, json.value && idsOf(json)]).toEqual([200, expected]);
  });

  test.each([
    ['GET', `${LIST}/withdrawn`, 404],
    ['GET', `${LIST}/nobody`, 404],
    ['GET', LIST.replace('resources/field', 'resources/nobody'), 404],
    ['GET', LIST.replace('parties/party', 'parties/nobody'), 404],
    ['GET', LIST.replace('Field', 'Plot'), 400],
    ['GET', LIST.replace('Field', 'field'), 400],
    ['GET', LIST.replace(MODEL, 'a|b'), 400],
    ['GET', `${LIST}?measurementFilters=x`, 400],
    ['GET', `${FILES}/nobody`, 404],
    ['GET', `${FILES}/nobody/file`, 404],
    ['GET', `${FILES}/withdrawn/file`, 404],
  ])('%s %s is %i', async (method, path, status) => {
    const [bare = '', query = ''] = path.split('?');
    const reply = await calls.farm(method, bare, { query });
    expect([reply.status, reply.json.error.code]).toEqual([
      status,
      status === 404 ? 'ResourceNotFound' : 'InvalidRequest',
    ]);
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('are written by jobs alone: %s is 405', async (method) => {
    const reply = await calls.farm(method, `${LIST}/i00`, { documented: false });
    expect([reply.status, reply.json.error.code]).toEqual([405, 'MethodNotAllowed']);
  });

  test('are for those with a role for farm data: 401, 403', async () => {
    for (const path of [LIST, `${LIST}/i00`, FILES, `${FILES}/i00-file`, `${FILES}/i00-file/file`]) {
      const address = `${path}?api-version=${VERSION}`;
      expect((await call(address, { token: null })).status).toBe(401);
      expect((await call(address, { token: tokenOf(tid, '--roles', 'Jobs.ReadWrite') })).status).toBe(403);
    }
  });

  test('keep the field from being deleted: 409', async () => {
    const { status, json } = await calls.remove('/parties/party/fields/field');
    expect([status, json.error.message]).toEqual([409, expect.stringContaining('has insights')]);
  });
});

describe('a file of an insight', () => {
  test('is listed and described', async () => {
    expect(idsOf((await calls.get(FILES)).json)).toEqual(['i00-file', 'i01-file']);
    expect(idsOf((await calls.get(FILES, 'insightIds=i01,i02')).json)).toEqual(['i01-file']);
    expect((await calls.get(`${FILES}/i00-file`)).json).toMatchObject({
      id: 'i00-file',
      insightId: 'i00',
      originalFileName: '<b>x</b>; "gdd".html',
    });
  });

  test('comes as bytes that no browser shows as a page', async () => {
    const token = tokenOf(tid, '--roles', 'Farm.Read');
    const address = `${service.baseUrl}${FILES}/i00-file/file?api-version=${VERSION}`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(file);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''%3Cb%3E/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'no-store',
    });
  });
});
