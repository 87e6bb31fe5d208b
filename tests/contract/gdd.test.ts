import { describe, expect, test } from '@jest/globals';
import {
  call,
  cancelGdd,
  createGdd,
  fetchGdd,
  gddParameters,
  newJobId,
  service,
  tokenOf,
  untilEnded,
} from './service.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('a GDD job', () => {
  test('is created, runs and leaves an insight', async () => {
    const jobId = newJobId();
    const created = await createGdd(jobId);
    expect(created.status).toBe(202);
    expect(Object.keys(created.json).sort()).toEqual(
      ['partnerRequestBody', 'id', 'jobCreatedDateTime', 'jobLastActionDateTime', 'message', 'status', 'e2eId'].sort(),
    );
    expect(created.json).toMatchObject({
      id: jobId,
      status: 'WAITING',
      message: expect.stringMatching(/^GDD-01001: /),
    });
    expect(created.json.partnerRequestBody).toEqual({
      ...gddParameters(),
      resourceType: 'FIELD',
      temperatureUnit: 'C',
    });
    expect(created.json.e2eId).toMatch(UUID);
    expect(created.json.jobCreatedDateTime).toMatch(INSTANT);
    expect(Number(created.headers.get('retry-after'))).toBeGreaterThanOrEqual(2);

    const fetched = await untilEnded(() => fetchGdd(jobId));
    expect(fetched.json).toMatchObject({
      id: jobId,
      e2eId: created.json.e2eId,
      status: 'SUCCEEDED',
      message: expect.stringMatching(/^GDD-02001: /),
      partnerRequestBody: created.json.partnerRequestBody,
    });
    expect(fetched.json.insightId).toMatch(UUID);
    expect(fetched.headers.get('retry-after')).toBeNull();
    const { jobCreatedDateTime, jobProcessingStartDateTime, jobProcessingEndDateTime, jobLastActionDateTime } =
      fetched.json;
    const times = [jobCreatedDateTime, jobProcessingStartDateTime, jobProcessingEndDateTime, jobLastActionDateTime];
    expect([...times].sort()).toEqual(times);
    const seconds = (Date.parse(jobProcessingEndDateTime) - Date.parse(jobProcessingStartDateTime)) / 1000;
    expect(fetched.json.jobProcessingDurationInSeconds).toBe(Math.floor(seconds));

    const insight = await call(`/v1/insights/${fetched.json.insightId}`);
    expect(insight.status).toBe(200);
    expect(insight.json).toMatchObject({
      insightId: fetched.json.insightId,
      kind: 'GDD',
      jobId,
      crop: 'CORN',
      temperatureUnit: 'C',
      days: 31,
    });
    expect(insight.json.daily).toHaveLength(31);
    expect(insight.json.total).toBeGreaterThan(0);
  });

  test('leaves its insight in farm data too, with the day-by-day record beside it', async () => {
    const jobId = newJobId();
    await createGdd(jobId);
    const { insightId } = (await untilEnded(() => fetchGdd(jobId))).json as { readonly insightId: string };
    const { partyId, fieldIds } = service;
    const owner = `/parties/${partyId}/models/partnerAgPowered.gdd/resource-types/Field/resources/${fieldIds[0]}`;
    const version = 'api-version=2023-11-01-preview';
    const { status, json } = await call(`${owner}/insights/${insightId}?${version}`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: insightId, partyId, resourceId: fieldIds[0], measurements: expect.any(Object) });
    const files = await call(`${owner}/insight-attachments?${version}&insightIds=${insightId}`);
    expect(files.json.value).toEqual([expect.objectContaining({ insightId })]);
  });

  test('takes ids in upper case, and echoes, sends and records them as they were written', async () => {
    const jobId = newJobId();
    const ids = { partyId: service.partyId.toUpperCase(), resourceId: service.fieldIds[0]!.toUpperCase() };
    const created = await createGdd(jobId, gddParameters(ids));
    expect(created).toMatchObject({ status: 202, json: { partnerRequestBody: ids } });
    const { json } = await untilEnded(() => fetchGdd(jobId));
    expect(json).toMatchObject({ status: 'SUCCEEDED', partnerRequestBody: ids });
    await expect(call(`/v1/insights/${json.insightId}`)).resolves.toMatchObject({ status: 200, json: ids });
  });

  test.each(['CANOLA', 'CORN', 'COTTON', 'SUGAR_BEET', 'SOYBEAN', 'WINTER_WHEAT'])(
    'sums %s in °F as 1.8 times the sum in °C',
    async (crop) => {
      const totals = await Promise.all(
        ['c', 'f'].map(async (temperatureUnit) => {
          const jobId = newJobId();
          await createGdd(
            jobId,
            gddParameters({ crop, temperatureUnit, gddStartDate: '2024-07-01', gddEndDate: '2024-07-10' }),
          );
          const { json } = await untilEnded(() => fetchGdd(jobId));
          expect(json.partnerRequestBody.temperatureUnit).toBe(temperatureUnit.toUpperCase());
          return (await call(`/v1/insights/${json.insightId}`)).json.total as number;
        }),
      );
      // Both totals are rounded to 0.01.
      expect(Math.abs(totals[1]! - 1.8 * totals[0]!)).toBeLessThanOrEqual(0.02);
    },
  );

  test('is one job: of forty creates at the same time one is 202, the others 409', async () => {
    const jobId = newJobId();
    const headers = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'x-ms-client-request-id': 'one-and-the-same',
    };
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        createGdd(jobId, gddParameters({ gddEndDate: `2024-05-${String((index % 28) + 1).padStart(2, '0')}` }), {
          headers,
        }),
      ),
    );
    const winners = replies.filter(({ status }) => status === 202);
    expect(winners).toHaveLength(1);
    for (const { status, json } of replies.filter((reply) => reply !== winners[0])) {
      expect(status).toBe(409);
      expect(json.error).toMatchObject({ code: 'Conflict', message: expect.stringMatching(/^GDD-04103: /) });
    }
    const { json } = await fetchGdd(jobId);
    expect(json.e2eId).toBe(winners[0]!.json.e2eId);
    expect(json.partnerRequestBody).toEqual(winners[0]!.json.partnerRequestBody);
  });

  test('may end FAILED and says why: a field that does not exist', async () => {
    const jobId = newJobId();
    await createGdd(jobId, gddParameters({ resourceId: '00000000-0000-4000-8000-000000000000' }));
    const { json } = await untilEnded(() => fetchGdd(jobId));
    expect(json).toMatchObject({ status: 'FAILED', message: expect.stringMatching(/^GDD-05001: /) });
    expect(json).not.toHaveProperty('insightId');
    expect((await cancelGdd(jobId)).json.error.code).toBe('GDD-04102');
  });
});

describe('a cancel', () => {
  test('ends a job that has not run; a second one is refused', async () => {
    const jobId = newJobId();
    // A field nobody can read keeps no worker from racing us, so several tries find one still WAITING.
    await createGdd(jobId);
    const cancelled = await cancelGdd(jobId);
    if (cancelled.status === 200) {
      expect(cancelled.json).toMatchObject({ status: 'CANCELLED', message: expect.stringMatching(/^GDD-02002: /) });
    } else {
      expect(cancelled.json.error.code).toBe('GDD-04102');
    }
    const again = await cancelGdd(jobId);
    expect(again.status).toBe(409);
    expect(again.json.error).toMatchObject({
      code: 'GDD-04102',
      message: expect.stringMatching(/^GDD-04102: Invalid job status/),
    });
    const later = await fetchGdd(jobId);
    if (cancelled.status === 200) {
      expect(later.json.status).toBe('CANCELLED');
      expect(later.json).not.toHaveProperty('insightId');
    }
  });

  test('races the work: every job ends either cancelled without an insight or done with one', async () => {
    const ids = Array.from({ length: 30 }, newJobId);
    await Promise.all(ids.map((jobId) => createGdd(jobId)));
    const cancels = await Promise.all(
      ids.map(async (jobId, index) => {
        await new Promise((resolve) => setTimeout(resolve, (index % 10) * 60));
        return cancelGdd(jobId);
      }),
    );
    for (const [index, jobId] of ids.entries()) {
      const { json } = await untilEnded(() => fetchGdd(jobId));
      expect(json.status).toBe(cancels[index]!.status === 200 ? 'CANCELLED' : 'SUCCEEDED');
      expect('insightId' in json).toBe(json.status === 'SUCCEEDED');
    }
  });

  test.each([
    ['fetch', fetchGdd],
    ['cancel', cancelGdd],
  ])('%s of an unknown job is 404 HWA-04101', async (operation, send) => {
    const { status, json } = await send(newJobId());
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ code: 'HWA-04101', message: expect.stringMatching(/^HWA-04101: /) });
    expect(json.traceId).toMatch(/^[0-9a-f]{32}$/);
    if (operation === 'fetch') expect(json.errors).toEqual([json.error]);
  });
});

describe('a body that breaks a rule is 400 GDD-04100 and names', () => {
  const path = '/solutions/partnerAgPowered.gdd:create';
  const bodyOf = (changes: object): object => ({
    requestPath: `/v1/gdd/${newJobId()}`,
    partnerRequestBody: gddParameters(changes),
  });
  const text = (value: object, changes: object = {}): string => JSON.stringify({ ...value, ...changes });
  test.each<[string, string, RegExp]>([
    ['an unknown crop', text(bodyOf({ crop: 'corn' })), /crop must be one of CANOLA, CORN/],
    ['an unknown unit', text(bodyOf({ temperatureUnit: 'K' })), /temperatureUnit must be one of c, f/],
    ['another resource type', text(bodyOf({ resourceType: 'Farm' })), /resourceType must be one of Field/],
    ['a party that is no UUID', text(bodyOf({ partyId: 'x' })), /partyId must be a UUID/],
    [
      'the URN of a party',
      text(bodyOf({ partyId: `urn:uuid:${service.partyId}` })),
      /must be a UUID.* without `urn:uuid:`/,
    ],
    [
      'the URN of a field',
      text(bodyOf({ resourceId: `urn:uuid:${service.fieldIds[0]}` })),
      /resourceId must be a UUID/,
    ],
    ['a day that does not exist', text(bodyOf({ gddStartDate: '2026-02-30' })), /gddStartDate must be a calendar day/],
    ['an end before the start', text(bodyOf({ gddEndDate: '2024-04-30' })), /gddEndDate is before gddStartDate/],
    ['401 days', text(bodyOf({ gddEndDate: '2025-06-05' })), /period of 401 days; at most 400/],
    ['an unknown property', text(bodyOf({ color: 'red' })), /partnerRequestBody\.color is not a known property/],
    [
      'every fault at once',
      '{"requestPath":7,"partnerRequestBody":{}}',
      /requestPath must be a string\..*partyId is missing\..*crop is missing/,
    ],
    ['another version', text(bodyOf({}), { requestPath: '/v2/gdd/a' }), /requestPath must be \/v1\/gdd\/<job id>: v1/],
    ['another resource', text(bodyOf({}), { requestPath: '/v1/smart-boundary/a' }), /requestPath must be/],
    ['an id with a slash', text(bodyOf({}), { requestPath: '/v1/gdd/a/b' }), /requestPath must be/],
    ['an id of 129 characters', text(bodyOf({}), { requestPath: `/v1/gdd/${'a'.repeat(129)}` }), /requestPath must be/],
    ['an empty id', text(bodyOf({}), { requestPath: '/v1/gdd/' }), /requestPath must be/],
    ['no JSON', '{', /not JSON/],
    ['a list', '[]', /The body must be an object/],
    ['null', 'null', /The body must be an object/],
  ])('%s', async (_what, body, message) => {
    const { status, json } = await call(path, { method: 'POST', body });
    expect(status).toBe(400);
    expect(json.error.code).toBe('GDD-04100');
    expect(json.error.message).toMatch(/^GDD-04100: /);
    expect(json.error.message).toMatch(message);
  });

  test('nothing of a refused create is stored', async () => {
    const jobId = newJobId();
    await createGdd(jobId, gddParameters({ crop: 'x' }));
    expect((await fetchGdd(jobId)).status).toBe(404);
    expect((await createGdd(jobId)).status).toBe(202);
  });

  test('null for what is optional, and type and unit as answers have them, are taken', async () => {
    const given = {
      ...bodyOf({ resourceType: 'FIELD', temperatureUnit: 'F', startEvent: null }),
      partnerRequestHeaders: null,
    };
    const { status, json } = await call(path, { method: 'POST', body: given });
    expect(status).toBe(202);
    expect(json.partnerRequestBody).toMatchObject({ resourceType: 'FIELD', temperatureUnit: 'F' });
    expect(json.partnerRequestBody).not.toHaveProperty('startEvent');
  });

  test('headers for the partner and an api-version are accepted and ignored', async () => {
    const body = { ...bodyOf({}), partnerRequestHeaders: { 'x-a': 'b' } };
    const { status } = await call(`${path}?api-version=2023-11-01-preview`, { method: 'POST', body });
    expect(status).toBe(202);
  });

  test('a percent-encoded colon reaches the same operation', async () => {
    const { status } = await call(path.replace(':', '%3A'), { method: 'POST', body: bodyOf({}) });
    expect(status).toBe(202);
  });
});

describe('another tenant', () => {
  const other = tokenOf('unlicensed');

  test('neither sees nor disturbs a job of the same id', async () => {
    const jobId = newJobId();
    const mine = await createGdd(jobId);
    expect((await fetchGdd(jobId, { token: other })).status).toBe(404);
    expect((await cancelGdd(jobId, { token: other })).status).toBe(404);
    const theirs = await createGdd(jobId, gddParameters(), { token: other });
    expect(theirs.status).toBe(202);
    expect(theirs.json.e2eId).not.toBe(mine.json.e2eId);
    const { json } = await untilEnded(() => fetchGdd(jobId));
    expect(json.status).toBe('SUCCEEDED');
    const unknown = await call(`/v1/insights/${json.insightId}`, { token: other });
    expect(unknown.status).toBe(404);
  });

  test('naming our party and field is told what an unknown party is told, and gets nothing', async () => {
    const messages = await Promise.all(
      [
        { partyId: service.partyId, resourceId: service.fieldIds[0] },
        { partyId: '00000000-0000-4000-8000-000000000000', resourceId: service.fieldIds[0] },
      ].map(async (changes) => {
        const jobId = newJobId();
        await createGdd(jobId, gddParameters(changes), { token: other });
        const { json } = await untilEnded(() => fetchGdd(jobId, { token: other }));
        expect(json.status).toBe('FAILED');
        expect(json).not.toHaveProperty('insightId');
        return (json.message as string).replace(changes.partyId, '<party>');
      }),
    );
    expect(messages[0]).toBe(messages[1]);
    expect(messages[0]).toMatch(/^GDD-05001: /);
  });
});
