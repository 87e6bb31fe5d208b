import {
  EnrollmentRecord,
  SubmissionTrial,
  SubmitParameters,
  SubmittedGeoJson,
  SubmittedRequest,
} from '../../shared/enrollments/record/enrollmentSchemas.js';
import { acceptedAnswer, triedAnswer } from '../../shared/enrollments/lists/enrollmentView.js';
import { periodRulesOf, submissionOf, submitEnrollment } from '../../shared/enrollments/submission/submitEnrollment.js';
import { trySubmission } from '../../shared/enrollments/submission/trySubmission.js';
import { route } from '../../shared/wiring/declare.js';
import { geoJsonExample, receivedExample, requestExample, trialExample } from './examples.js';

/** POST /v1/enrollments — takes field boundaries and the monitoring wanted for them. */
export const enrollmentsSubmit = route({
  name: 'enrollmentsSubmit',
  method: 'POST',
  path: 'v1/enrollments',
  caller: 'apiKey',
  tag: 'Enrollments',
  summary: 'Submit an enrollment',
  description:
    'With an `Idempotency-Key` a submission may be repeated for 24 hours, by anything that repeats requests on its own: the same bytes in both parts under the same key get the first answer and make no second enrollment; other bytes get 422. A submission that was refused leaves its key free.\n\nWith `dry_run=true` the submission and each of its fields are checked as they would be, its `Idempotency-Key` is of no matter, and nothing is stored.',
  errors: 'enrollments',
  rate: 'submit',
  isIdempotent: true,
  query: SubmitParameters,
  upload: {
    request: {
      contentTypes: ['application/json'],
      maxBytes: 64 * 1024,
      schema: SubmittedRequest,
      example: requestExample,
    },
    geojson: {
      contentTypes: ['application/geo+json', 'application/json'],
      maxBytes: 50 * 1024 * 1024,
      schema: SubmittedGeoJson,
      example: geoJsonExample,
    },
  },
  success: {
    status: 202,
    description: 'The enrollment is received; its fields are ingested soon.',
    content: { 'application/json': { schema: EnrollmentRecord, example: receivedExample } },
    headers: ['Location', 'Retry-After'],
    onRequest: {
      200: {
        description: 'With `dry_run=true`: what would become of each field.',
        content: { 'application/json': { schema: SubmissionTrial, example: trialExample } },
      },
    },
  },
  faults: [],
  handle: async ({ customer, parts, query, idempotencyKey }, services) => {
    const rules = periodRulesOf(services.config);
    if (query.dry_run === true) return triedAnswer(await trySubmission(services, rules)(customer, submissionOf(parts)));
    const submit = submitEnrollment(services, rules);
    return acceptedAnswer(await submit(customer, submissionOf(parts), idempotencyKey));
  },
});
