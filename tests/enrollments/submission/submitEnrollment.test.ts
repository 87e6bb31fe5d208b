import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRows } from '../../support/memoryRows.js';
import { inProgress } from '../../../shared/enrollments/record/enrollment.js';
import { ingestWork } from '../../../shared/enrollments/ingest/ingestEnrollment.js';
import { submissionKey } from '../../../shared/enrollments/record/submissionKey.js';
import { submitEnrollment } from '../../../shared/enrollments/submission/submitEnrollment.js';
import { sweepSubmissionKeys } from '../../../shared/enrollments/submission/sweepSubmissionKeys.js';
import { checkGeoJson } from '../../../shared/enrollments/upload/uploadTasks.js';
import { enrollmentRecord } from '../../../shared/enrollments/lists/enrollmentView.js';
import { ManualClock } from '../../support/manualClock.js';
import { rowBelongings } from '../../../shared/storage/belongings.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { MemoryInputStore } from '../../support/memoryEnrollmentStores.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import { aCollection, aFeature, aSubmittedRequest, jsonBytes } from '../builders.js';

const customer = 'contoso';
const enrollmentId = '7f0f3b8e-31f2-4d63-9a52-7b7c1e5f0c11';
const rules = { earliestStart: '2016-11-01', maxDays: 1096, maxYearsAhead: 2 };

function surroundings() {
  const enrollmentRows = new MemoryRows();
  const clock = new ManualClock('2026-06-15T12:00:00.123Z');
  const workInMemory = new WorkInMemory(() => clock);
  return {
    clock,
    workInMemory,
    work: workInMemory.enqueuer,
    customers: new CustomerStore(new MemoryRows()),
    enrollmentRows,
    enrollments: new EnrollmentStore(enrollmentRows),
    inputs: new MemoryInputStore(),
    checkGeoJson: (input: Parameters<typeof checkGeoJson>[0]) => Promise.resolve(checkGeoJson(input)),
    newId: () => enrollmentId as string,
  };
}
let ports: ReturnType<typeof surroundings>;
beforeEach(async () => {
  ports = surroundings();
  await ports.customers.insert({ customer, fieldLimit: 2, createdAt: 0 });
});

const features = (count: number) =>
  aCollection(Array.from({ length: count }, (_, index) => aFeature({ fieldId: `f${index}` })));
const submit = (request: unknown = aSubmittedRequest(), geojson: unknown = features(2)) =>
  submitEnrollment(ports, rules)(customer, { request: jsonBytes(request), geojson: jsonBytes(geojson) });

describe('a submission', () => {
  test('becomes an enrollment with its inputs, its due work and a message', async () => {
    const enrollment = await submit();
    const { enrollment: stored } = (await ports.enrollments.find({ customer, enrollmentId }))!;
    expect(stored).toEqual(enrollment);
    expect(enrollmentRecord(stored)).toEqual({
      enrollment_id: enrollmentId,
      message: 'Enrollment received OK.',
      description: null,
      request_metadata: aSubmittedRequest(),
      status: 'received',
      total_fields: 2,
      processed_fields: 0,
      failed_fields: 0,
      created_date_time: '2026-06-15T12:00:00.123000Z',
      completed_date_time: null,
      errors: null,
    });
    await expect(ports.inputs.readGeoJson({ customer, enrollmentId })).resolves.toEqual(jsonBytes(features(2)));
    expect((await ports.workInMemory.find(ingestWork({ customer, enrollmentId })))?.attempts).toBe(0);
    expect(ports.workInMemory.sent).toMatchObject([{ ...ingestWork(enrollment), dueAt: ports.clock.now().getTime() }]);
  });

  test('is accepted when the message cannot be sent: the due work is what counts', async () => {
    ports.workInMemory.messages.send = () => Promise.reject(new Error('queue away'));
    await expect(submit()).resolves.toMatchObject({ enrollmentId });
    await expect(ports.workInMemory.find(ingestWork({ customer, enrollmentId }))).resolves.toBeDefined();
  });

  test('leaves no enrollment when its rows cannot be written', async () => {
    ports.enrollments.insert = () => Promise.reject(new Error('tables away'));
    await expect(submit()).rejects.toThrow('tables away');
    await expect(ports.enrollments.find({ customer, enrollmentId })).resolves.toBeUndefined();
    expect(ports.workInMemory.sent).toEqual([]);
  });

  test('stores nothing before there is work by which its inputs are found again', async () => {
    ports.workInMemory.rows.insert = () => Promise.reject(new Error('tables away'));
    await expect(submit()).rejects.toThrow('tables away');
    expect(ports.inputs.files.size).toBe(0);
  });

  test('writes no row before its inputs are there', async () => {
    ports.inputs.put = () => Promise.reject(new Error('blobs away'));
    await expect(submit()).rejects.toThrow('blobs away');
    await expect(ports.enrollments.find({ customer, enrollmentId })).resolves.toBeUndefined();
  });

  test('with faults in both parts is refused with all of them, and nothing is stored', async () => {
    const request = aSubmittedRequest({ image_source: 'x', priority: 1 });
    const refused = submit(request, aCollection([aFeature({ fieldId: 'a/b' }), aFeature({ geometry: null })]));
    await expect(refused).rejects.toMatchObject({
      fault: { status: 422, code: 'ValidationError' },
      details: [
        { loc: ['request', 'priority'] },
        { loc: ['request', 'image_source'] },
        { loc: ['geojson', 'features', 0, 'properties', 'field_id'] },
        { loc: ['geojson', 'features', 1, 'geometry'] },
      ],
    });
    expect(ports.inputs.files.size).toBe(0);
    expect(ports.workInMemory.sent).toEqual([]);
  });

  test('names the first hundred faults', async () => {
    await ports.customers.change(customer, { fieldLimit: 250 });
    const broken = Array.from({ length: 99 }, () => ({ type: 'Feature', properties: {}, geometry: null }));
    const refused = submit(aSubmittedRequest({ image_source: 'x' }), aCollection(broken));
    await expect(refused).rejects.toMatchObject({ details: { length: 100 } });
  });

  test('counts against the limit that the customer has now', async () => {
    await expect(submit(aSubmittedRequest(), features(3))).rejects.toMatchObject({
      details: [{ type: 'too_many_fields', loc: ['geojson', 'features'] }],
    });
    await ports.customers.change(customer, { fieldLimit: 3 });
    await expect(submit(aSubmittedRequest(), features(3))).resolves.toMatchObject({ totalFields: 3 });
  });

  test('whose check took long is refused when its customer was being purged meanwhile, and nothing is stored', async () => {
    const { checkGeoJson: check } = ports;
    ports.checkGeoJson = async (input) => {
      await ports.customers.change(customer, { isPurging: true });
      ports.clock.jump(60_000);
      return check(input);
    };
    await expect(submit()).rejects.toMatchObject({ fault: { status: 401 } });
    expect(ports.inputs.files.size).toBe(0);
    await expect(ports.enrollments.find({ customer, enrollmentId })).resolves.toBeUndefined();
  });

  test('of a customer that is gone or being purged is refused like an unknown key', async () => {
    await ports.customers.change(customer, { isPurging: true });
    await expect(submit()).rejects.toMatchObject({ fault: { status: 401 }, headers: { 'www-authenticate': 'ApiKey' } });
    await ports.customers.remove(customer);
    await expect(submit()).rejects.toMatchObject({ fault: { status: 401 } });
  });
});

describe('a submission under an Idempotency-Key', () => {
  const bytes = (request: unknown = aSubmittedRequest(), geojson: unknown = features(2)) => ({
    request: jsonBytes(request),
    geojson: jsonBytes(geojson),
  });
  const submitWith = (key: string | undefined, submission = bytes(), of = customer) =>
    submitEnrollment(ports, rules)(of, submission, key);
  const enrollmentsOf = async (of = customer): Promise<number> =>
    (await ports.enrollments.list(of, { limit: 99 })).length;
  const dayMs = 24 * 3_600_000;
  const reused = {
    fault: { status: 422 },
    details: [{ loc: ['header', 'Idempotency-Key'], type: 'idempotency_key_reused' }],
  };
  beforeEach(() => {
    let count = 0;
    ports.newId = () => `id-${(count += 1)}`;
  });

  test('is answered with the first answer however often it comes, and makes one enrollment', async () => {
    const first = await submitWith('key');
    await expect(submitWith('key')).resolves.toEqual(first);
    expect(ports.inputs.files.size).toBe(1);
    expect(ports.workInMemory.sent).toHaveLength(1);
    await expect(enrollmentsOf()).resolves.toBe(1);
  });

  test('keeps its first answer when the enrollment has gone on since', async () => {
    const first = await submitWith('key');
    const stored = (await ports.enrollments.find(first))!;
    await ports.enrollments.replace(stored, inProgress(first, { processed: 2, errors: [] }));
    expect(enrollmentRecord(await submitWith('key'))).toEqual(enrollmentRecord(first));
  });

  test('keeps its first answer though it would not be accepted any more', async () => {
    const first = await submitWith('key');
    await ports.customers.change(customer, { fieldLimit: 1 });
    await expect(submitWith('key')).resolves.toEqual(first);
    await expect(submitWith('other key')).rejects.toMatchObject({ details: [{ type: 'too_many_fields' }] });
  });

  test.each([
    ['another request', bytes(aSubmittedRequest({ description: 'x' }))],
    ['another geojson', bytes(aSubmittedRequest(), features(1))],
    ['a byte moved from one part to the other', { request: jsonBytes('a'), geojson: jsonBytes('b') }],
  ])('is refused with %s', async (_what, other) => {
    await submitWith('key');
    await expect(submitWith('key', other)).rejects.toMatchObject(reused);
    await expect(enrollmentsOf()).resolves.toBe(1);
  });

  test('tells apart parts that differ in where one ends and the other begins', async () => {
    const [one, other] = await Promise.all(
      [
        { request: Buffer.from('1 2'), geojson: Buffer.from('3') },
        { request: Buffer.from('1'), geojson: Buffer.from(' 23') },
      ].map((submission) => submissionKey(customer, 'key', submission)),
    );
    expect(one?.contentDigest).not.toBe(other?.contentDigest);
    expect(JSON.stringify(one)).not.toContain('"key"');
  });

  test('leaves its key free when it was refused or could not be stored', async () => {
    await expect(submitWith('key', bytes(aSubmittedRequest({ image_source: 'x' })))).rejects.toThrow();
    const insert = ports.enrollments.insert.bind(ports.enrollments);
    ports.enrollments.insert = () => Promise.reject(new Error('tables away'));
    await expect(submitWith('key')).rejects.toThrow('tables away');
    ports.enrollments.insert = insert;
    await expect(submitWith('key', bytes(aSubmittedRequest({ description: 'now' })))).resolves.toBeDefined();
    await expect(enrollmentsOf()).resolves.toBe(1);
  });

  test('is its own for each customer and each key, and without one nothing is a repetition', async () => {
    await ports.customers.insert({ customer: 'fabrikam', fieldLimit: 2, createdAt: 0 });
    await submitWith('key');
    await submitWith('key', bytes(), 'fabrikam');
    await submitWith('Key');
    await submitWith(undefined);
    await submitWith(undefined);
    await expect(enrollmentsOf()).resolves.toBe(4);
    await expect(enrollmentsOf('fabrikam')).resolves.toBe(1);
  });

  test('is a new one after 24 hours', async () => {
    const first = await submitWith('key');
    ports.clock.jump(dayMs - 1);
    await expect(submitWith('key')).resolves.toEqual(first);
    ports.clock.jump(1);
    const second = await submitWith('key', bytes(aSubmittedRequest({ description: 'next' })));
    expect(second.enrollmentId).not.toBe(first.enrollmentId);
    await expect(submitWith('key', bytes(aSubmittedRequest({ description: 'next' })))).resolves.toEqual(second);
  });

  test('is a new one when a restored export has its key without its enrollment', async () => {
    const find = ports.enrollments.find.bind(ports.enrollments);
    await submitWith('key');
    ports.enrollments.find = (key) => (key.enrollmentId === 'id-1' ? Promise.resolve(undefined) : find(key));
    const other = bytes(aSubmittedRequest({ description: 'x' }));
    const second = await submitWith('key', other);
    expect(second.enrollmentId).toBe('id-2');
    await expect(submitWith('key', other)).resolves.toEqual(second);
  });

  test('of twenty at once makes one enrollment, and the others leave no inputs behind', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => submitWith('key')));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect([...ports.inputs.files.values()].map(({ key }) => key.enrollmentId)).toEqual([answers[0]?.enrollmentId]);
    await expect(enrollmentsOf()).resolves.toBe(1);
    expect(ports.workInMemory.sent).toHaveLength(1);
  });

  test('that loses to other content at the same moment is refused, and leaves no inputs behind', async () => {
    const outcomes = await Promise.allSettled([
      submitWith('key'),
      submitWith('key', bytes(aSubmittedRequest({ description: 'x' }))),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: reused });
    expect(ports.inputs.files.size).toBe(1);
  });

  test('is answered all the same when the inputs of a loser cannot be deleted', async () => {
    ports.inputs.remove = () => Promise.reject(new Error('blobs away'));
    const answers = await Promise.all(Array.from({ length: 3 }, () => submitWith('key')));
    expect(new Set(answers.map((answer) => answer.enrollmentId)).size).toBe(1);
  });

  test('whose own act was done though it seemed refused keeps its inputs', async () => {
    const insert = ports.enrollments.insert.bind(ports.enrollments);
    ports.enrollments.insert = async (...written) => {
      await insert(...written);
      return false;
    };
    const { enrollmentId: own } = await submitWith('key');
    await expect(ports.inputs.readGeoJson({ customer, enrollmentId: own })).resolves.toBeDefined();
  });

  test('that lost to a key which is gone again is asked to come back', async () => {
    ports.enrollments.insert = () => Promise.resolve(false);
    await expect(submitWith('key')).rejects.toMatchObject({ fault: { status: 503 }, retryAfterSeconds: 5 });
  });

  test('is forgotten by the sweep at night once its day is over', async () => {
    await submitWith('key');
    await submitWith('later key');
    await expect(sweepSubmissionKeys(ports, 1)()).resolves.toBe(0);
    ports.clock.jump(dayMs);
    await submitWith('later key');
    await expect(sweepSubmissionKeys(ports, 1)()).resolves.toBe(1);
    await expect(sweepSubmissionKeys(ports, 1)()).resolves.toBe(0);
  });

  test('of a purged customer is gone with all else', async () => {
    await submitWith('key');
    await rowBelongings('rows of enrollments', ports.enrollmentRows).removeAll(customer);
    ports.clock.jump(dayMs);
    await expect(sweepSubmissionKeys(ports, 1)()).resolves.toBe(0);
  });
});
