/** The queues of imagery: their messages name what is to be done, the rows are the truth. */
import { MessageQueue, type MessageQueueOptions } from '../storage/messageQueue.js';
import type { Messages } from '../storage/messages.js';
import type { TilesQueue } from './discovery/reconcile.js';
import { TilesMessage } from './discovery/tilesMessage.js';
import type { ImageryQueue } from './imageryPorts.js';
import { ImageryMessage } from './work/imageryMessage.js';
import type { WorkKind } from './work/imageryWork.js';

export function tilesQueue(messages: Messages, options: MessageQueueOptions): TilesQueue {
  const queue = new MessageQueue(messages, TilesMessage, options);
  return { enqueue: (tiles) => queue.send({ tiles: [...tiles] }) };
}

export function imageryQueue(
  messages: Readonly<Record<WorkKind, Messages>>,
  options: MessageQueueOptions,
): ImageryQueue {
  const queueOf = (kind: WorkKind) => new MessageQueue(messages[kind], ImageryMessage, options);
  const queues = { search: queueOf('search'), render: queueOf('render') };
  return { enqueue: ({ customer, kind, id }, delayMs) => queues[kind].send({ customer, work: id }, delayMs) };
}
