import type { QueueName } from '../storage/names.js';
import { WorkMessage } from '../work/workMessage.js';
import { queueFunction } from './queueFunction.js';

/** A function that does one attempt at the work that each message of a queue names. */
export const workFunction = (name: string, queue: QueueName) =>
  queueFunction({ name, queue, message: WorkMessage, handle: (message, { handleWork }) => handleWork(message) });
