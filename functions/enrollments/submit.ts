import { EnrollmentRecord, SubmittedGeoJson, SubmittedRequest } from '../../shared/enrollments/enrollmentSchemas.js';
import { acceptedAnswer } from '../../shared/enrollments/enrollmentView.js';
import { periodRulesOf, submissionOf, submitEnrollment } from '../../shared/enrollments/submitEnrollment.js';
import { route } from '../../shared/http/route.js';
import { geoJsonExample, receivedExample, requestExample } from './examples.js';

/** POST /v1/enrollments — takes field boundaries and the monitoring wanted for them. */
export const enrollmentsSubmit = route({
  name: 'enrollmentsSubmit',
  method: 'POST',
  path: 'v1/enrollments',
  caller: 'apiKey',
  tag: 'Enrollments',
  summary: 'Submit an enrollment',
  description:
    'With an `Idempotency-Key` a submission may be repeated for 24 hours, by anything that repeats requests on its own: the same bytes in both parts under the same key get the first answer and make no second enrollment; other bytes get 422. A submission that was refused leaves its key free.',
  errors: 'enrollments',
  rate: 'submit',
  isIdempotent: true,
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
  },
  faults: [],
  handle: async ({ customer, parts, idempotencyKey }, services) => {
    const submit = submitEnrollment(services, periodRulesOf(services.config));
    return acceptedAnswer(await submit(customer, submissionOf(parts), idempotencyKey));
  },
});
