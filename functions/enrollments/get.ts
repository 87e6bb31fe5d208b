import { EnrollmentRecord } from '../../shared/enrollments/record/enrollmentSchemas.js';
import { enrollmentRecord } from '../../shared/enrollments/lists/enrollmentView.js';
import { getEnrollment } from '../../shared/enrollments/lists/getEnrollment.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { completedExample } from './examples.js';

/** GET /v1/enrollments/{enrollment_id} — one enrollment of the caller as it stands. */
export const enrollmentsGet = route({
  name: 'enrollmentsGet',
  method: 'GET',
  path: 'v1/enrollments/{enrollment_id}',
  caller: 'apiKey',
  tag: 'Enrollments',
  summary: 'Get the status of an enrollment',
  errors: 'enrollments',
  params: { enrollment_id: 'The enrollment_id of its submission' },
  success: {
    status: 200,
    description: 'The enrollment.',
    content: { 'application/json': { schema: EnrollmentRecord, example: completedExample } },
  },
  faults: [commonFaults.notFound],
  handle: async ({ customer, params }, services) => {
    const enrollmentId = params['enrollment_id'] ?? '';
    return { status: 200, json: enrollmentRecord(await getEnrollment(services)({ customer, enrollmentId })) };
  },
});
