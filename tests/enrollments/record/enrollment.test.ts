import { describe, expect, test } from '@jest/globals';
import { givenUp, ingested, inProgress, MAX_ERRORS } from '../../../shared/enrollments/record/enrollment.js';
import { acceptedAnswer, enrollmentRecord } from '../../../shared/enrollments/lists/enrollmentView.js';
import { anEnrollment, aRequest, START } from '../builders.js';

const failures = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ fieldId: `f${index}`, code: 'self_crossing', message: 'Repair it.' }));

describe('an enrollment', () => {
  test('is completed when one field is ingested, failed when none is', () => {
    const enrollment = anEnrollment({ totalFields: 3 });
    expect(ingested(enrollment, { processed: 1, errors: failures(2) }, START + 5)).toMatchObject({
      status: 'completed',
      processedFields: 1,
      failedFields: 2,
      completedAt: START + 5,
    });
    expect(ingested(enrollment, { processed: 0, errors: failures(3) }, START)).toMatchObject({ status: 'failed' });
  });

  test('never ends before it began, whatever the clock of the worker says', () => {
    const enrollment = anEnrollment();
    expect(ingested(enrollment, { processed: 1, errors: [] }, START - 5).completedAt).toBe(START);
    expect(givenUp(enrollment, { code: 'c', message: 'm' }, START - 5).completedAt).toBe(START);
  });

  test('shows 500 errors at most, the last telling how many more there are', () => {
    const { errors, failedFields } = inProgress(anEnrollment(), { processed: 0, errors: failures(700) });
    expect(failedFields).toBe(700);
    expect(errors).toHaveLength(MAX_ERRORS);
    expect(errors.at(-1)).toEqual({ fieldId: null, code: 'more_errors', message: '201 further fields failed.' });
    expect(inProgress(anEnrollment(), { processed: 0, errors: failures(500) }).errors).toEqual(failures(500));
  });
});

describe('what is shown of an enrollment', () => {
  test.each([
    ['received', {}, 'Enrollment received OK.'],
    ['in_progress', {}, 'Enrollment is being ingested.'],
    ['completed', {}, 'Enrollment ingested and scheduled.'],
    ['completed', { failedFields: 2 }, 'Enrollment ingested and scheduled, but for 2 of its fields; see errors.'],
    ['failed', { failedFields: 1 }, 'Enrollment failed; see errors.'],
    ['completed', { stoppedAt: START }, 'Enrollment was stopped by an operator.'],
  ] as const)('as %s with %j is the message "%s"', (status, changes, message) => {
    expect(enrollmentRecord(anEnrollment({ status, ...changes })).message).toBe(message);
  });

  test('has times with microseconds, and null for what there is not', () => {
    expect(enrollmentRecord(anEnrollment())).toMatchObject({
      created_date_time: '2026-06-15T12:00:00.123000Z',
      completed_date_time: null,
      description: null,
      errors: null,
    });
    const ended = anEnrollment({
      completedAt: START + 1,
      request: aRequest({ description: 'x' }),
      errors: failures(1),
    });
    expect(enrollmentRecord(ended)).toMatchObject({
      completed_date_time: '2026-06-15T12:00:00.124000Z',
      description: 'x',
      errors: [{ field_id: 'f0', code: 'self_crossing', message: 'Repair it.' }],
    });
  });

  test('on acceptance names the place to look at', () => {
    const enrollment = anEnrollment();
    expect(acceptedAnswer(enrollment)).toMatchObject({
      status: 202,
      headers: { location: `/v1/enrollments/${enrollment.enrollmentId}`, 'retry-after': '2' },
    });
  });
});
