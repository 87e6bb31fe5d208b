import { poisonQueueOf, type QueueName } from '../../shared/storage/names.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';
import { WorkMessage } from '../../shared/work/workMessage.js';

/** A function that sends a message which the host has given up again, unless an attempt is at it: its row counts. */
const poisonFunction = (name: string, queue: QueueName) =>
  queueFunction({
    name,
    queue: poisonQueueOf(queue),
    message: WorkMessage,
    handle: (message, { resendDeadLetter }) => resendDeadLetter(message),
  });

/** Queue gdd-jobs-poison — sends the message of a job again that nobody is at. */
export const upkeepGddPoison = poisonFunction('upkeepGddPoison', 'gdd-jobs');

/** Queue boundary-jobs-poison — sends the message of a job again that nobody is at. */
export const upkeepBoundaryPoison = poisonFunction('upkeepBoundaryPoison', 'boundary-jobs');

/** Queue enrollment-ingest-poison — sends the message of an ingest again that nobody is at. */
export const upkeepEnrollmentPoison = poisonFunction('upkeepEnrollmentPoison', 'enrollment-ingest');
