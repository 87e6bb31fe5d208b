import type { QueueClient } from '@azure/storage-queue';
import { fromStorage } from '../storage/storageErrors.js';
import type { EnrollmentKey } from './enrollment.js';
import type { IngestMessage } from './ingestMessage.js';
import type { IngestQueue } from './enrollmentPorts.js';

/** Sends ingest messages as base64 JSON, the encoding host.json states. */
export class StorageIngestQueue implements IngestQueue {
  readonly #queue: QueueClient;
  readonly #traceparent: () => string | undefined;

  /** @param traceparent the trace context of the present request or attempt, carried along in the message */
  constructor(queue: QueueClient, traceparent: () => string | undefined) {
    this.#queue = queue;
    this.#traceparent = traceparent;
  }

  async enqueue({ customer, enrollmentId }: EnrollmentKey, delayMs: number): Promise<void> {
    const traceparent = this.#traceparent();
    const message: IngestMessage = {
      v: 1,
      customer,
      enrollmentId,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    await fromStorage(() => this.#queue.sendMessage(text, { visibilityTimeout: Math.ceil(delayMs / 1000) }));
  }
}
