import { queueFunction } from '../shared/triggers/queueFunction.js';
import { WorkMessage } from '../shared/work/workMessage.js';

/**
 * Queue enrollment-ingest — checks and schedules the fields of one enrollment.
 *
 * Effect: a row for each field at the key of its enrollment and index, and the enrollment's end, once. At most 5
 * attempts; the lease is JOB_LEASE_SECONDS.
 */
export const enrollmentsIngest = queueFunction({
  name: 'enrollmentsIngest',
  queue: 'enrollment-ingest',
  message: WorkMessage,
  handle: (message, { handleWork }) => handleWork(message),
});
