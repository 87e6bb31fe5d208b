import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aCollection, aFeature, aSubmittedRequest } from '../enrollments/builders.js';
import { multipartBody, multipartType, submissionParts } from '../support/multipart.js';
import { callWithKey, listEnrollments, newCustomer, untilIngested } from './enrollmentCalls.js';
import { containerOf, purged } from './purge.js';
import { service, type Reply } from './service.js';
import { settings, rowsOf } from './storage.js';

/** An operator's command takes seconds to start where other work runs. */

interface Sent {
  readonly apiKey: string;
  readonly key?: string;
  readonly request?: object;
  readonly fieldId?: string;
  /** Between the parts: another one makes another body of the same parts. */
  readonly boundary?: string;
}

function submit({ apiKey, key, request = aSubmittedRequest(), fieldId = 'north', boundary }: Sent): Promise<Reply> {
  const parts = submissionParts(JSON.stringify(request), JSON.stringify(aCollection([aFeature({ fieldId })])));
  return callWithKey('/v1/enrollments', apiKey, {
    method: 'POST',
    headers: { 'content-type': multipartType(boundary), ...(key === undefined ? {} : { 'idempotency-key': key }) },
    body: new Uint8Array(multipartBody(parts, boundary)),
  });
}

const idsOf = async (apiKey: string): Promise<string[]> =>
  ((await listEnrollments('?limit=200', apiKey)).json.items as { enrollment_id: string }[]).map(
    ({ enrollment_id: id }) => id,
  );

/** Enrollments of a customer whose inputs are stored. */
async function storedInputs(customer: string): Promise<string[]> {
  const ids = new Set<string>();
  const container = containerOf(settings['DATA_STORAGE__blobServiceUri'] ?? '', 'enrollment-inputs');
  for await (const { name } of container.listBlobsFlat({ prefix: `${customer}/enrollments/` })) {
    ids.add(name.split('/')[2] ?? '');
  }
  return [...ids];
}

describe('a submission under an Idempotency-Key', () => {
  let one: { readonly customer: string; readonly apiKey: string };
  let other: typeof one;
  beforeAll(async () => {
    one = await newCustomer();
    other = await newCustomer();
  });

  test('sent twenty times at once makes one enrollment, answers all alike and leaves the inputs of one', async () => {
    const { customer, apiKey } = one;
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => submit({ apiKey, key, boundary: `----boundary-${index}` })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect(new Set(replies.map(({ headers }) => headers.get('location'))).size).toBe(1);
    const id = replies[0]?.json.enrollment_id as string;
    await expect(idsOf(apiKey)).resolves.toEqual([id]);
    await expect(storedInputs(customer)).resolves.toEqual([id]);
    expect((await untilIngested(id, apiKey)).json).toMatchObject({ status: 'completed', processed_fields: 1 });
    expect((await submit({ apiKey, key })).text).toBe(replies[0]?.text);
  });

  test('with other content is refused, and the first one stays', async () => {
    const { apiKey } = one;
    const first = await submit({ apiKey, key: 'order-1' });
    const before = await idsOf(apiKey);
    for (const changes of [{ fieldId: 'south' }, { request: aSubmittedRequest({ description: 'x' }) }]) {
      const reply = await submit({ apiKey, key: 'order-1', ...changes });
      expect([reply.status, reply.headers.get('x-ms-error-code')]).toEqual([422, 'validation_error']);
      expect(reply.json.details).toMatchObject([
        { loc: ['header', 'Idempotency-Key'], type: 'idempotency_key_reused' },
      ]);
    }
    expect(before).toContain(first.json.enrollment_id);
    await expect(idsOf(apiKey)).resolves.toEqual(before);
  });

  test('is kept by customer; a refused one keeps nothing', async () => {
    const refused = await submit({ ...one, key: 'k', request: aSubmittedRequest({ image_source: 'x' }) });
    expect(refused.status).toBe(422);
    const [mine, theirs] = [await submit({ ...one, key: 'k' }), await submit({ ...other, key: 'k' })];
    expect([mine.status, theirs.status]).toEqual([202, 202]);
    expect(mine.json.enrollment_id).not.toBe(theirs.json.enrollment_id);
  });

  test.each([' ', 'a b', 'a'.repeat(256)])('that is %j is refused before the body is read', async (key) => {
    const reply = await callWithKey('/v1/enrollments', service.apiKey, {
      method: 'POST',
      headers: { 'content-type': multipartType(), 'idempotency-key': key },
      body: '--',
    });
    expect(reply.status).toBe(422);
    expect(reply.json.details).toMatchObject([{ loc: ['header', 'Idempotency-Key'], type: 'idempotency_key' }]);
  });

  test('stands in storage as a hash, and is purged with its customer', async () => {
    const { customer, apiKey } = other;
    await submit({ apiKey, key: 'secret-of-theirs' });
    const rowsLeft = () => rowsOf('enrollments').range(customer);
    const rows = await rowsLeft();
    expect(rows.filter(({ rowKey }) => rowKey.startsWith('K_'))).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('secret-of-theirs');
    await purged(customer);
    await expect(rowsLeft()).resolves.toEqual([]);
  });
});
