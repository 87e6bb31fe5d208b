import { IngestMessage } from '../../shared/enrollments/ingestMessage.js';
import { reviveIngest } from '../../shared/enrollments/sweepEnrollments.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue enrollment-ingest-poison — ends an enrollment whose attempts are used up, or sends its message again. */
export const upkeepEnrollmentPoison = queueFunction({
  name: 'upkeepEnrollmentPoison',
  queue: 'enrollment-ingest-poison',
  message: IngestMessage,
  handle: ({ customer, enrollmentId }, services) => reviveIngest(services)({ customer, enrollmentId }),
});
