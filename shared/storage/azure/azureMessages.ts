import { RestError, type PeekedMessageItem, type QueueClient } from '@azure/storage-queue';
import {
  checkMessage,
  MOST_TAKEN,
  TAKEN_SECONDS,
  type Messages,
  type TakenMessage,
  type WaitingMessage,
} from '../messages.js';
import { fromStorage, unlessStatus } from '../storageErrors.js';

/** What is no base64 is decoded as far as it is: nobody can read it then. */
const waitingOf = ({
  messageText,
  insertedOn,
}: Pick<PeekedMessageItem, 'messageText' | 'insertedOn'>): WaitingMessage => ({
  text: Buffer.from(messageText, 'base64').toString('utf8'),
  insertedAt: insertedOn.getTime(),
});

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
    return first && waitingOf(first);
  }

  async receive(): Promise<readonly TakenMessage[]> {
    const options = { numberOfMessages: MOST_TAKEN, visibilityTimeout: TAKEN_SECONDS };
    const { receivedMessageItems } = await fromStorage(() => this.#queue.receiveMessages(options));
    return receivedMessageItems.map((item) => ({ ...waitingOf(item), id: item.messageId, receipt: item.popReceipt }));
  }

  async approximateCount(): Promise<number> {
    const properties = await unlessStatus([404], () => this.#queue.getProperties());
    return properties?.approximateMessagesCount ?? 0;
  }

  async delete({ id, receipt }: Pick<TakenMessage, 'id' | 'receipt'>): Promise<void> {
    try {
      await this.#queue.deleteMessage(id, receipt);
    } catch (error) {
      // 404 for one that is gone, 400 for a receipt that is no longer good.
      if (error instanceof RestError && (error.statusCode === 404 || error.code === 'PopReceiptMismatch')) return;
      await fromStorage(() => Promise.reject(error as Error));
    }
  }
}
