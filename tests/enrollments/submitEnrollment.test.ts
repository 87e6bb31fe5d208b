import { beforeEach, describe, expect, test } from '@jest/globals';
import { submitEnrollment } from '../../shared/enrollments/submitEnrollment.js';
import { checkGeoJson } from '../../shared/enrollments/uploadTasks.js';
import { enrollmentRecord } from '../../shared/enrollments/enrollmentView.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryCustomerStore } from '../support/memoryCustomerStore.js';
import { MemoryEnrollmentStore, MemoryIngestQueue, MemoryInputStore } from '../support/memoryEnrollmentStores.js';
import { aCollection, aFeature, aSubmittedRequest, jsonBytes } from './builders.js';

const customer = 'contoso';
const enrollmentId = '7f0f3b8e-31f2-4d63-9a52-7b7c1e5f0c11';
const rules = { earliestStart: '2016-11-01', maxDays: 1096, maxYearsAhead: 2 };

function surroundings() {
  const clock = new ManualClock('2026-06-15T12:00:00.123Z');
  return {
    clock,
    customers: new MemoryCustomerStore(),
    enrollments: new MemoryEnrollmentStore(),
    inputs: new MemoryInputStore(() => clock.now().getTime()),
    ingestQueue: new MemoryIngestQueue(),
    checkGeoJson: (input: Parameters<typeof checkGeoJson>[0]) => Promise.resolve(checkGeoJson(input)),
    newId: () => enrollmentId,
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
    expect((await ports.enrollments.findWork({ customer, enrollmentId }))?.work.attempts).toBe(0);
    expect(ports.ingestQueue.sent).toEqual([{ key: { customer, enrollmentId }, delayMs: 0 }]);
  });

  test('is accepted when the message cannot be sent: the due work is what counts', async () => {
    ports.ingestQueue.enqueue = () => Promise.reject(new Error('queue away'));
    await expect(submit()).resolves.toMatchObject({ enrollmentId });
    await expect(ports.enrollments.findWork({ customer, enrollmentId })).resolves.toBeDefined();
  });

  test('leaves no enrollment when its rows cannot be written', async () => {
    ports.enrollments.insert = () => Promise.reject(new Error('tables away'));
    await expect(submit()).rejects.toThrow('tables away');
    await expect(ports.enrollments.find({ customer, enrollmentId })).resolves.toBeUndefined();
    expect(ports.ingestQueue.sent).toEqual([]);
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
        { loc: ['geojson', 'features', 1, 'geometry', 'type'] },
      ],
    });
    expect(ports.inputs.files.size).toBe(0);
    expect(ports.ingestQueue.sent).toEqual([]);
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
