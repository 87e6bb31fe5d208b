import { poisonQueueOf, type QueueName } from '../storage/names.js';
import { WorkMessage } from '../work/workMessage.js';
import { queueFunction } from './queueFunction.js';

/** A function that does one attempt at the work that each message of a queue names. */
export const workFunction = (name: string, queue: QueueName) =>
  queueFunction({ name, queue, message: WorkMessage, handle: (message, { handleWork }) => handleWork(message) });

/**
 * A function that sends a message which the host has given up once more, unless an attempt is at the work: the row of the
 * work counts the attempts.
 */
export const workPoisonFunction = (name: string, queue: QueueName) =>
  queueFunction({
    name,
    queue: poisonQueueOf(queue),
    message: WorkMessage,
    handle: (message, { resendDeadLetter }) => resendDeadLetter(message),
  });
