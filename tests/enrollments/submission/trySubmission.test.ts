import { beforeEach, describe, expect, test } from '@jest/globals';
import { MemoryRows } from '../../support/memoryRows.js';
import { ingestKind, ingestWork } from '../../../shared/enrollments/ingest/ingestEnrollment.js';
import type { TakeInspected } from '../../../shared/enrollments/upload/inspectInParts.js';
import type { Submission } from '../../../shared/enrollments/record/submissionKey.js';
import { submitEnrollment } from '../../../shared/enrollments/submission/submitEnrollment.js';
import { trySubmission } from '../../../shared/enrollments/submission/trySubmission.js';
import {
  checkGeoJson,
  inspectFields,
  standingField,
  type GeometryPair,
} from '../../../shared/enrollments/upload/uploadTasks.js';
import type { EnrollmentKey } from '../../../shared/enrollments/record/enrollment.js';
import { randomId } from '../../../shared/kit/ids.js';
import { ManualClock } from '../../support/manualClock.js';
import { WorkInMemory } from '../../support/workInMemory.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../../shared/enrollments/fields/fieldStore.js';
import { MemoryInputStore } from '../../support/memoryEnrollmentStores.js';
import { aCollection, aFeature, aRing, aSubmittedRequest, jsonBytes } from '../builders.js';
import { nobodyListens } from '../../support/nobodyListens.js';

const customer = 'contoso';
const rules = { earliestStart: '2016-11-01', maxDays: 1096, maxYearsAhead: 2 };

function surroundings() {
  const clock = new ManualClock();
  const inputs = new MemoryInputStore();
  const workInMemory = new WorkInMemory(() => clock);
  return {
    clock,
    inputs,
    workInMemory,
    work: workInMemory.enqueuer,
    customers: new CustomerStore(new MemoryRows()),
    enrollments: new EnrollmentStore(new MemoryRows()),
    fields: new FieldStore(new MemoryRows()),
    beginMonitoring: () => Promise.resolve(),
    checkGeoJson: (input: Parameters<typeof checkGeoJson>[0]) => Promise.resolve(checkGeoJson(input)),
    inspectFields: async (key: EnrollmentKey) => inspectFields(await inputs.readGeoJson(key)),
    standingField: (pair: GeometryPair) => Promise.resolve(standingField(pair)),
    newId: randomId,
    log: () => undefined,
  };
}
let ports: ReturnType<typeof surroundings>;
beforeEach(async () => {
  ports = surroundings();
  await ports.customers.insert({ customer, fieldLimit: 20, createdAt: 0 });
});

const submission = (features: readonly unknown[], request: object = {}): Submission => ({
  request: jsonBytes(aSubmittedRequest({ ...request })),
  geojson: jsonBytes(aCollection(features)),
});
const tryOut = (submitted: Submission) => {
  // A field at a time, as large ones are.
  const eachField = async (bytes: Uint8Array, take: TakeInspected): Promise<void> => {
    for (const field of inspectFields(bytes)) await take([field]);
  };
  return trySubmission({ ...ports, inspectFields: eachField }, rules)(customer, submitted);
};

/** What becomes of the same submission when it is meant. */
async function ingestedErrors(submitted: Submission) {
  const enrollment = await submitEnrollment(ports, rules)(customer, submitted);
  await ports.workInMemory.handle(ingestWork(enrollment), ingestKind({ ...nobodyListens, ...ports }, 60_000));
  return (await ports.enrollments.find(enrollment))?.enrollment.errors;
}

const polygon = (...coordinates: readonly unknown[]) => ({ type: 'Polygon', coordinates });
const square = (west: number, south: number, side: number) => [
  [west, south],
  [west + side, south],
  [west + side, south + side],
  [west, south + side],
  [west, south],
];

describe('a dry run of a submission', () => {
  test('tells the area of a sound field, and nothing else', async () => {
    expect(await tryOut(submission([aFeature()]))).toEqual([
      { fieldId: 'north', areaHa: expect.closeTo(32.98, 1) as unknown, errors: [] },
    ]);
  });

  test('finds with each field what its ingest would find: code, words and order', async () => {
    await ingestedErrors(submission([aFeature({ fieldId: 'taken' }), aFeature({ fieldId: 'known' })]));
    const submitted = submission([
      aFeature({ fieldId: 'open', geometry: polygon(aRing().slice(0, -1)) }),
      aFeature({ fieldId: 'sound' }),
      aFeature({
        fieldId: 'knot',
        geometry: polygon([...aRing().slice(0, 2), [13.14, 48.294], [13.15, 48.294], [13.14, 48.29]]),
      }),
      aFeature({ fieldId: 'swapped', geometry: polygon(square(13, 100, 0.01)) }),
      aFeature({ fieldId: 'polar', geometry: polygon(square(13, 85, 0.01)) }),
      aFeature({ fieldId: 'tiny', geometry: polygon(square(13, 48, 0.00001)) }),
      aFeature({ fieldId: 'huge', geometry: polygon(square(13, 48, 0.4)) }),
      aFeature({ fieldId: 'long', geometry: polygon(square(13, 48, 2)) }),
      aFeature({ fieldId: 'taken', geometry: polygon(aRing(0.5)) }),
      aFeature({ fieldId: 'empty', geometry: polygon() }),
      aFeature({ fieldId: 'known', geometry: polygon(aRing().toReversed()) }),
    ]);
    const tried = await tryOut(submitted);
    const found = tried.flatMap(({ fieldId, errors }) => errors.map((error) => ({ fieldId, ...error })));
    expect(found).toEqual(await ingestedErrors(submitted));
    expect(found).toHaveLength(9);
    expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThanOrEqual(8);
    expect(tried.map(({ fieldId }) => fieldId).slice(0, 2)).toEqual(['open', 'sound']);
  });

  test('is refused as the submission would be, with every fault of both parts', async () => {
    const submitted = submission([aFeature(), aFeature()], { start_date: '2026-10-31', end_date: '2026-04-01' });
    const refusal = await submitEnrollment(ports, rules)(customer, submitted).catch((error: unknown) => error);
    expect((refusal as { details: unknown[] }).details).toHaveLength(2);
    await expect(tryOut(submitted)).rejects.toEqual(refusal);
  });

  test('stores nothing and tells nobody', async () => {
    await tryOut(submission([aFeature()]));
    expect(await ports.enrollments.list(customer, { limit: 10 })).toEqual([]);
    expect(await ports.fields.findClaim(customer, 'north')).toBeUndefined();
    expect(ports.inputs.geometries.size).toBe(0);
    expect(ports.workInMemory.sent).toEqual([]);
  });

  test('of a customer that is being deleted is 401', async () => {
    ports.customers.find = () => Promise.resolve(undefined);
    await expect(tryOut(submission([aFeature()]))).rejects.toMatchObject({ fault: { status: 401 } });
  });
});
