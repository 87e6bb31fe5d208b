import { sweepEnrollments } from '../../shared/enrollments/sweepEnrollments.js';
import { timerFunction } from '../../shared/triggers/timerFunction.js';

/** Every minute and at each start — sends ingest messages that got lost again, ends what can't be ingested. */
export const upkeepEnrollmentSweep = timerFunction({
  name: 'upkeepEnrollmentSweep',
  schedule: '20 * * * * *',
  runAtStart: true,
  handle: async (services) => sweepEnrollments(services)(),
});
