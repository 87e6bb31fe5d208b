import { RestError, type QueueClient, type QueueServiceClient } from '@azure/storage-queue';
import type { OperatorQueue, QueuedMessage } from './poisonQueues.js';

const BATCH = 32;
/** Long enough to handle a batch; what is not released by then comes back by itself. */
const HIDDEN_SECONDS = 60;

const isMissing = (error: unknown): boolean => error instanceof RestError && error.statusCode === 404;

/** A queue of Azure Storage or Azurite. */
export function storageQueue(service: QueueServiceClient, name: string): OperatorQueue {
  const client: QueueClient = service.getQueueClient(name);
  const receipts = new Map<string, string>();
  const receiptOf = ({ id }: QueuedMessage): string => receipts.get(id) ?? '';
  return {
    name,
    length: async () => (await client.getProperties()).approximateMessagesCount ?? 0,
    peek: async () => {
      try {
        const { peekedMessageItems } = await client.peekMessages({ numberOfMessages: BATCH });
        return peekedMessageItems.map(asMessage);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    take: async () => {
      const { receivedMessageItems } = await client.receiveMessages({
        numberOfMessages: BATCH,
        visibilityTimeout: HIDDEN_SECONDS,
      });
      for (const { messageId, popReceipt } of receivedMessageItems) receipts.set(messageId, popReceipt);
      return receivedMessageItems.map(asMessage);
    },
    release: async (message) => {
      try {
        await client.updateMessage(message.id, receiptOf(message), message.text, 0);
      } catch (error) {
        // The minute was over: it is in sight again by itself.
        if (!(error instanceof RestError) || ![400, 404].includes(error.statusCode ?? 0)) throw error;
      }
    },
    remove: async (message) => {
      await client.deleteMessage(message.id, receiptOf(message));
    },
    send: async (text) => {
      await client.sendMessage(text);
    },
  };
}

interface Item {
  readonly messageId: string;
  readonly messageText: string;
  readonly insertedOn: Date;
  readonly dequeueCount: number;
}

const asMessage = ({ messageId, messageText, insertedOn, dequeueCount }: Item): QueuedMessage => ({
  id: messageId,
  text: messageText,
  insertedAt: insertedOn,
  deliveries: dequeueCount,
});
