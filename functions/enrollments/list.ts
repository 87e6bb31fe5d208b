import { EnrollmentPage, ListParameters } from '../../shared/enrollments/record/enrollmentSchemas.js';
import { enrollmentRecord } from '../../shared/enrollments/lists/enrollmentView.js';
import { listEnrollments } from '../../shared/enrollments/lists/listEnrollments.js';
import { route } from '../../shared/wiring/declare.js';
import { pageExample } from './examples.js';

/** GET /v1/enrollments — the caller's enrollments, newest first, a page at a time. */
export const enrollmentsList = route({
  name: 'enrollmentsList',
  method: 'GET',
  path: 'v1/enrollments',
  caller: 'apiKey',
  tag: 'Enrollments',
  summary: 'List enrollments',
  errors: 'enrollments',
  rate: 'list',
  query: ListParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `cursor` and the same `status` until `cursor` is null.',
    content: { 'application/json': { schema: EnrollmentPage, example: pageExample } },
  },
  faults: [],
  handle: async ({ customer, query }, services) => {
    const { items, cursor } = await listEnrollments(services)(customer, query);
    return { status: 200, json: { items: items.map(enrollmentRecord), cursor } };
  },
});
