import type { QueueClient } from '@azure/storage-queue';
import { fromStorage } from '../../storage/storageErrors.js';
import type { ProductKey } from './product.js';
import type { SceneMessage } from './sceneMessage.js';
import type { SceneQueue } from './scenePorts.js';

/** Sends messages about products as base64 JSON, the encoding host.json states. */
export class StorageSceneQueue implements SceneQueue {
  readonly #queue: QueueClient;
  readonly #traceparent: () => string | undefined;

  /** @param traceparent the trace context of the present invocation, carried along in the message */
  constructor(queue: QueueClient, traceparent: () => string | undefined) {
    this.#queue = queue;
    this.#traceparent = traceparent;
  }

  async enqueue({ tile, scene }: ProductKey): Promise<void> {
    const traceparent = this.#traceparent();
    const message: SceneMessage = { v: 1, tile, scene, ...(traceparent === undefined ? {} : { traceparent }) };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    await fromStorage(() => this.#queue.sendMessage(text));
  }
}
