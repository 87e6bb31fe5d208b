import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MemoryRows } from '../../support/memoryRows.js';
import type { EnrollmentKey } from '../../../shared/enrollments/record/enrollment.js';
import { getEnrollment } from '../../../shared/enrollments/lists/getEnrollment.js';
import { EnrollmentStore } from '../../../shared/enrollments/record/enrollmentStore.js';
import { anEnrollment } from '../builders.js';

/** Storage that remembers what it was asked for. */
async function storageWith(enrollment = anEnrollment()) {
  const store = new EnrollmentStore(new MemoryRows());
  await store.insert(enrollment);
  const asked: EnrollmentKey[] = [];
  const find = (key: EnrollmentKey) => {
    asked.push(key);
    return store.find(key);
  };
  return { enrollment, asked, get: getEnrollment({ enrollments: { find } }) };
}

describe('an enrollment', () => {
  test('is given to its customer', async () => {
    const { enrollment, get } = await storageWith();
    await expect(get(enrollment)).resolves.toEqual(enrollment);
  });

  test('is found by its id in upper case, and shows the id it was given', async () => {
    const { enrollment, get } = await storageWith();
    const asked = { ...enrollment, enrollmentId: enrollment.enrollmentId.toUpperCase() };
    await expect(get(asked)).resolves.toEqual(enrollment);
  });

  // The same work and the same answer: neither tells whether somebody else has an enrollment of that id.
  test("of another customer costs what an unknown one costs: one look among the caller's own", async () => {
    const { enrollment, asked, get } = await storageWith();
    const foreign = { customer: 'caller', enrollmentId: enrollment.enrollmentId };
    const unknown = { customer: 'caller', enrollmentId: randomUUID() };
    const refusals = await Promise.allSettled([get(foreign), get(unknown)]);
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals).toMatchObject([{ reason: { fault: { status: 404 } } }, { status: 'rejected' }]);
    expect(asked).toEqual([foreign, unknown]);
  });

  test('of a malformed id is not looked for', async () => {
    const { asked, get } = await storageWith();
    await expect(get({ customer: 'caller', enrollmentId: 'x' })).rejects.toMatchObject({ fault: { status: 404 } });
    expect(asked).toEqual([]);
  });
});
