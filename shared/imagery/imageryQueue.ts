/** The queues of imagery: their messages name what is to be done, the rows are the truth. */
import { MessageQueue, type MessageQueueOptions } from '../storage/messageQueue.js';
import type { Messages } from '../storage/messages.js';
import type { TilesQueue } from './discovery/reconcile.js';
import { TilesMessage } from './discovery/tilesMessage.js';

export function tilesQueue(messages: Messages, options: MessageQueueOptions): TilesQueue {
  const queue = new MessageQueue(messages, TilesMessage, options);
  return { enqueue: (tiles) => queue.send({ tiles: [...tiles] }) };
}
