import type { QueueClient } from '@azure/storage-queue';
import { fromStorage } from '../../storage/storageErrors.js';
import type { UnitMessage } from './unitMessage.js';
import type { UnitQueue } from './unitPorts.js';
import { textOfUnit, type Lane, type UnitNotice } from './unitWork.js';

/** Sends messages of units as base64 JSON, the encoding host.json states. */
export class StorageUnitQueue implements UnitQueue {
  readonly #queues: Readonly<Record<Lane, QueueClient>>;
  readonly #traceparent: () => string | undefined;

  /** @param traceparent the trace context of the present invocation, carried along in the message */
  constructor(queues: Readonly<Record<Lane, QueueClient>>, traceparent: () => string | undefined) {
    this.#queues = queues;
    this.#traceparent = traceparent;
  }

  async enqueue(lane: Lane, notice: UnitNotice, delayMs: number): Promise<void> {
    const traceparent = this.#traceparent();
    const { shown } = notice;
    const message: UnitMessage = {
      v: 1,
      unit: textOfUnit(notice),
      ...(shown === undefined ? {} : { shown }),
      ...(traceparent === undefined ? {} : { traceparent }),
    };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    await fromStorage(() => this.#queues[lane].sendMessage(text, { visibilityTimeout: Math.ceil(delayMs / 1000) }));
  }
}
