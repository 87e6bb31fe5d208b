import { getEnrollment } from '../../shared/enrollments/lists/getEnrollment.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { backfillProgress } from '../../shared/imagery/discovery/backfillProgress.js';
import { BackfillProgress } from '../../shared/imagery/discovery/backfillSchemas.js';
import { backfillExample } from './examples.js';

/** GET /v1/enrollments/{enrollment_id}/backfill — how many days of an enrollment have been looked through. */
export const enrollmentsBackfill = route({
  name: 'enrollmentsBackfill',
  method: 'GET',
  path: 'v1/enrollments/{enrollment_id}/backfill',
  caller: 'apiKey',
  tag: 'Enrollments',
  summary: 'Get the progress of a backfill',
  description:
    'An enrollment is `completed` when its fields are ingested; the images of its days up to then follow. Ask again after some seconds until `completed`.',
  errors: 'enrollments',
  params: { enrollment_id: 'The enrollment_id of its submission' },
  success: {
    status: 200,
    description: 'How far it is.',
    content: { 'application/json': { schema: BackfillProgress, example: backfillExample } },
  },
  faults: [commonFaults.notFound],
  handle: async ({ customer, params }, services) => {
    const enrollmentId = params['enrollment_id'] ?? '';
    const enrollment = await getEnrollment(services)({ customer, enrollmentId });
    return { status: 200, json: await backfillProgress(services)(enrollment) };
  },
});
