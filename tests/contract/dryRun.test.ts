import { beforeAll, describe, expect, test } from '@jest/globals';
import { aCollection, aFeature, aRing, aSubmittedRequest } from '../enrollments/builders.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { callWithKey, listEnrollments, newCustomer, submit, untilIngested } from './enrollmentCalls.js';
import type { Reply } from './service.js';
import { tableOf } from './storage.js';

let customer: string;
let apiKey: string;
beforeAll(async () => {
  ({ customer, apiKey } = await newCustomer());
});

const tryOut = (features: readonly unknown[], query = '?dry_run=true', headers = {}): Promise<Reply> =>
  callWithKey(`/v1/enrollments${query}`, apiKey, {
    method: 'POST',
    headers: { 'content-type': multipartType(), ...headers },
    body: new Uint8Array(
      multipartBody(submissionParts(JSON.stringify(aSubmittedRequest()), JSON.stringify(aCollection(features)))),
    ),
  });

describe('a submission with dry_run=true', () => {
  const open = { type: 'Polygon', coordinates: [aRing(0.1).slice(0, -1)] };

  test('answers 200 with area and errors of each field, and stores nothing', async () => {
    const reply = await tryOut([aFeature({ fieldId: 'sound' }), aFeature({ fieldId: 'open', geometry: open })]);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      fields: [
        { field_id: 'sound', area_ha: expect.closeTo(32.98, 1), errors: null },
        { field_id: 'open', area_ha: null, errors: [{ code: 'ring_not_closed', message: expect.any(String) }] },
      ],
    });
    expect((await listEnrollments('', apiKey)).json.items).toEqual([]);
    for (const name of ['fields', 'enrollments']) {
      for await (const row of tableOf(name).listEntities()) expect(row.partitionKey).not.toBe(customer);
    }
  });

  test('takes no Idempotency-Key away from the submission that follows', async () => {
    const headers = { 'idempotency-key': 'once' };
    const features = [aFeature({ fieldId: 'keyed' })];
    expect((await tryOut(features, '?dry_run=true', headers)).status).toBe(200);
    expect((await tryOut(features, '?dry_run=false', headers)).status).toBe(202);
  });

  test('says that another enrollment has the id with another geometry', async () => {
    const { json } = await submit([aFeature({ fieldId: 'taken' })], {}, { apiKey });
    await untilIngested(json.enrollment_id, apiKey);
    const moved = { type: 'Polygon', coordinates: [aRing(0.2)] };
    const { json: tried } = await tryOut([aFeature({ fieldId: 'taken', geometry: moved })]);
    expect(tried.fields[0]).toMatchObject({ area_ha: expect.any(Number), errors: [{ code: 'field_id_conflict' }] });
  });

  test('reads a large file in the process beside', async () => {
    const features = Array.from({ length: 250 }, (_, index) => aFeature({ fieldId: `field-number-${index}` }));
    const filler = {
      ...aFeature({ fieldId: 'last' }),
      properties: { field_id: 'last', notes: ['x'.repeat(60_000), 'y'.repeat(60_000)] },
    };
    const reply = await tryOut([...features.slice(1), filler]);
    expect(reply.json.fields).toHaveLength(250);
    const { fields } = reply.json as { readonly fields: readonly { readonly errors: unknown }[] };
    expect(fields.every(({ errors }) => errors === null)).toBe(true);
  });

  test('is refused with all faults where the submission would be', async () => {
    const reply = await tryOut([aFeature({ fieldId: 'a' }), aFeature({ fieldId: 'A' }), aFeature({ fieldId: 7 })]);
    expect(reply.status).toBe(422);
    expect(reply.json.details).toHaveLength(2);
  });

  test.each(['1', 'TRUE', 'yes', ''])('%j is neither true nor false: 422, and nothing is submitted', async (value) => {
    const reply = await tryOut([aFeature()], `?dry_run=${value}`);
    expect(reply.status).toBe(422);
    expect(reply.json.message).toContain('query.dry_run must be a boolean');
  });
});
