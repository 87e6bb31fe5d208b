import type { QueueClient } from '@azure/storage-queue';
import { fromStorage } from '../../storage/storageErrors.js';
import type { TilesQueue } from './reconcile.js';
import type { TilesMessage } from './tilesMessage.js';

/** Sends messages about tiles as base64 JSON, the encoding host.json states. */
export class StorageTilesQueue implements TilesQueue {
  readonly #queue: QueueClient;
  readonly #traceparent: () => string | undefined;

  /** @param traceparent the trace context of the present invocation, carried along in the message */
  constructor(queue: QueueClient, traceparent: () => string | undefined) {
    this.#queue = queue;
    this.#traceparent = traceparent;
  }

  async enqueue(tiles: readonly string[]): Promise<void> {
    const traceparent = this.#traceparent();
    const message: TilesMessage = { v: 1, tiles: [...tiles], ...(traceparent === undefined ? {} : { traceparent }) };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    await fromStorage(() => this.#queue.sendMessage(text));
  }
}
