import { MessageQueue, type MessageQueueOptions } from '../storage/messageQueue.js';
import type { Messages } from '../storage/messages.js';
import { JobMessage } from './jobMessage.js';
import type { JobQueue } from './jobPorts.js';

/** The queue of one kind of job: its messages name the job, the row is the truth. */
export function jobQueue(messages: Messages, options: MessageQueueOptions): JobQueue {
  const queue = new MessageQueue(messages, JobMessage, options);
  return {
    enqueue: ({ tenant, jobId }, delayMs) => queue.send({ tenant, jobId }, delayMs),
    servedUntil: (now) => queue.servedUntil(now),
  };
}
