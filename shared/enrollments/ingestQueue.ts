import { MessageQueue, type MessageQueueOptions } from '../storage/messageQueue.js';
import type { Messages } from '../storage/messages.js';
import type { IngestQueue } from './enrollmentPorts.js';
import { IngestMessage } from './ingestMessage.js';

/** The queue of ingests: its messages name the enrollment, the rows are the truth. */
export function ingestQueue(messages: Messages, options: MessageQueueOptions): IngestQueue {
  const queue = new MessageQueue(messages, IngestMessage, options);
  return { enqueue: ({ customer, enrollmentId }, delayMs) => queue.send({ customer, enrollmentId }, delayMs) };
}
