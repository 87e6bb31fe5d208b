import type { QueueClient } from '@azure/storage-queue';
import { fromStorage } from '../storage/storageErrors.js';
import type { JobKey } from './job.js';
import type { JobMessage } from './jobMessage.js';
import type { JobQueue } from './jobPorts.js';

/** The platform hides a message for at most seven days. */
const LONGEST_DELAY_SECONDS = 7 * 86_400;

/** Sends job messages as base64 JSON, the encoding host.json states. */
export class StorageJobQueue implements JobQueue {
  readonly #queue: QueueClient;
  readonly #traceparent: () => string | undefined;

  /** @param traceparent the trace context of the present request or attempt, carried along in the message */
  constructor(queue: QueueClient, traceparent: () => string | undefined) {
    this.#queue = queue;
    this.#traceparent = traceparent;
  }

  async enqueue({ tenant, jobId }: JobKey, delayMs: number): Promise<void> {
    const traceparent = this.#traceparent();
    const message: JobMessage = { v: 1, tenant, jobId, ...(traceparent === undefined ? {} : { traceparent }) };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    const visibilityTimeout = Math.min(Math.ceil(delayMs / 1000), LONGEST_DELAY_SECONDS);
    await fromStorage(() => this.#queue.sendMessage(text, { visibilityTimeout }));
  }
}
