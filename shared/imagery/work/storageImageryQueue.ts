import type { QueueClient } from '@azure/storage-queue';
import { fromStorage } from '../../storage/storageErrors.js';
import type { ImageryMessage } from './imageryMessage.js';
import type { ImageryQueue } from '../imageryPorts.js';
import type { WorkKey, WorkKind } from './imageryWork.js';

/** Sends messages of imagery work as base64 JSON, the encoding host.json states. */
export class StorageImageryQueue implements ImageryQueue {
  readonly #queues: Readonly<Record<WorkKind, QueueClient>>;
  readonly #traceparent: () => string | undefined;

  /** @param traceparent the trace context of the present invocation, carried along in the message */
  constructor(queues: Readonly<Record<WorkKind, QueueClient>>, traceparent: () => string | undefined) {
    this.#queues = queues;
    this.#traceparent = traceparent;
  }

  async enqueue({ customer, kind, id }: WorkKey, delayMs: number): Promise<void> {
    const traceparent = this.#traceparent();
    const message: ImageryMessage = {
      v: 1,
      customer,
      work: id,
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    const visibilityTimeout = Math.ceil(delayMs / 1000);
    await fromStorage(() => this.#queues[kind].sendMessage(text, { visibilityTimeout }));
  }
}
