import { describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { inProgress, ingested } from '../../shared/enrollments/record/enrollment.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../shared/enrollments/fields/fieldStore.js';
import { anEnrollment, START } from '../enrollments/builders.js';
import { rowsOf, type Exchange } from './storage.js';

/** Loses the answer of every other try, the first one included: the write is done, the client sees a broken line. */
function losingAnswers(): { readonly around: Exchange; readonly lost: () => number } {
  let lost = 0;
  let isArmed = false;
  return {
    lost: () => lost,
    around: async (send) => {
      await send();
      isArmed = !isArmed;
      if (!isArmed) return;
      lost += 1;
      throw Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });
    },
  };
}

describe('a write whose answer was lost', () => {
  const tally = { processed: 1, errors: [] };

  test('is known as the own one: created, changed and ended once', async () => {
    const { around, lost } = losingAnswers();
    const enrollments = new EnrollmentStore(rowsOf('enrollments', around));
    const enrollment = anEnrollment();
    await enrollments.insert(enrollment);
    const stored = (await enrollments.find(enrollment))!;
    const begun = await enrollments.replace(stored, inProgress(enrollment, { processed: 0, errors: [] }));
    const end = ingested(begun!.enrollment, tally, START);
    await expect(enrollments.replace(begun!, end)).resolves.toBeDefined();
    const last = (await enrollments.find(enrollment))!;
    await expect(enrollments.replace(last, { ...end, stoppedAt: START })).resolves.toBeDefined();
    expect(lost()).toBeGreaterThanOrEqual(6);
    for (const query of [{ limit: 9 }, { limit: 9, status: 'completed' as const }]) {
      await expect(enrollments.list(enrollment.customer, query)).resolves.toHaveLength(1);
    }
  });

  test('of fields is known as the own one too', async () => {
    const { around, lost } = losingAnswers();
    const fields = new FieldStore(rowsOf('fields', around));
    const key = { customer: `customer-${randomUUID()}`, enrollmentId: randomUUID() };
    const failed = { ...key, index: 0, fieldId: 'north', status: 'failed', code: 'c', message: 'm' } as const;
    await expect(fields.write(key, [{ field: failed }])).resolves.toBe(true);
    await expect(fields.listFields(key)).resolves.toEqual([failed]);
    expect(lost()).toBeGreaterThanOrEqual(1);
  });
});
