import type { QueueClient } from '@azure/storage-queue';
import { checkMessage, type Messages, type WaitingMessage } from './messages.js';
import { fromStorage } from './storageErrors.js';

/** A queue of the data account. */
export class AzureMessages implements Messages {
  readonly #queue: QueueClient;

  constructor(queue: QueueClient) {
    this.#queue = queue;
  }

  async send(text: string, delaySeconds: number): Promise<void> {
    checkMessage(text, delaySeconds);
    const encoded = Buffer.from(text, 'utf8').toString('base64');
    // By default a message is gone after seven days, and must be visible before.
    const options = { visibilityTimeout: Math.ceil(delaySeconds), messageTimeToLive: -1 };
    await fromStorage(() => this.#queue.sendMessage(encoded, options));
  }

  async head(): Promise<WaitingMessage | undefined> {
    const { peekedMessageItems } = await fromStorage(() => this.#queue.peekMessages({ numberOfMessages: 1 }));
    const [first] = peekedMessageItems;
    return (
      first && {
        text: Buffer.from(first.messageText, 'base64').toString('utf8'),
        insertedAt: first.insertedOn.getTime(),
      }
    );
  }
}
