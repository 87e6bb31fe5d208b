import type { Answer } from '../../kit/answer/answer.js';
import type { Enrollment, EnrollmentStatus } from '../record/enrollment.js';
import type { EnrollmentRecord, SubmissionTrial } from '../record/enrollmentSchemas.js';
import type { TriedField } from '../submission/trySubmission.js';

/** An enrollment as answers show it. */
export function enrollmentRecord(enrollment: Enrollment): EnrollmentRecord {
  const { request, errors, completedAt } = enrollment;
  return {
    enrollment_id: enrollment.enrollmentId,
    message: messageOf(enrollment),
    description: request.description ?? null,
    request_metadata: {
      image_source: request.imageSource,
      start_date: request.startDate,
      end_date: request.endDate,
      layers: request.layers.map((layer) => ({ layer })),
    },
    status: enrollment.status,
    total_fields: enrollment.totalFields,
    processed_fields: enrollment.processedFields,
    failed_fields: enrollment.failedFields,
    created_date_time: instantText(enrollment.createdAt),
    completed_date_time: completedAt === undefined ? null : instantText(completedAt),
    errors:
      errors.length === 0 ? null : errors.map(({ fieldId, code, message }) => ({ field_id: fieldId, code, message })),
  };
}

/** What a submission is answered with; `Location` is where its status can be read. */
export const acceptedAnswer = (enrollment: Enrollment): Answer => ({
  status: 202,
  json: enrollmentRecord(enrollment),
  headers: { location: `/v1/enrollments/${enrollment.enrollmentId}`, 'retry-after': '2' },
});

/** What a dry run is answered with. */
export const triedAnswer = (fields: readonly TriedField[]): Answer & { readonly json: SubmissionTrial } => ({
  status: 200,
  json: {
    fields: fields.map(({ fieldId, areaHa, errors }) => ({
      field_id: fieldId,
      area_ha: areaHa === undefined ? null : areaOf(areaHa),
      errors: errors.length === 0 ? null : errors.map(({ code, message }) => ({ code, message })),
    })),
  },
});

/** Four digits: a square metre. */
export const areaOf = (hectares: number): number => Math.round(hectares * 10_000) / 10_000;

const messages: Readonly<Record<EnrollmentStatus, string>> = {
  received: 'Enrollment received OK.',
  in_progress: 'Enrollment is being ingested.',
  completed: 'Enrollment ingested and scheduled.',
  failed: 'Enrollment failed; see errors.',
};

function messageOf({ status, stoppedAt, failedFields }: Enrollment): string {
  if (stoppedAt !== undefined) return 'Enrollment was stopped by an operator.';
  if (status !== 'completed' || failedFields === 0) return messages[status];
  return `Enrollment ingested and scheduled, but for ${failedFields} of its fields; see errors.`;
}

/** Microseconds as area C writes them; the clock counts in milliseconds. */
const instantText = (instant: number): string => new Date(instant).toISOString().replace('Z', '000Z');
