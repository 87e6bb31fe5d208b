import { queueFunction } from '../../shared/triggers/queueFunction.js';
import { WorkMessage } from '../../shared/work/workMessage.js';

/** Queue enrollment-ingest-poison — sends the message of an ingest again that nobody is at: its row counts the attempts. */
export const upkeepEnrollmentPoison = queueFunction({
  name: 'upkeepEnrollmentPoison',
  queue: 'enrollment-ingest-poison',
  message: WorkMessage,
  handle: (message, { resendDeadLetter }) => resendDeadLetter(message),
});
