/** The queues of imagery: their messages name what is to be done, the rows are the truth. */
import { MessageQueue, type MessageQueueOptions } from '../storage/messageQueue.js';
import type { Messages } from '../storage/messages.js';
import type { TilesQueue } from './discovery/reconcile.js';
import { SceneMessage } from './discovery/sceneMessage.js';
import type { SceneQueue } from './discovery/scenePorts.js';
import { TilesMessage } from './discovery/tilesMessage.js';
import type { ImageryQueue } from './imageryPorts.js';
import { UnitMessage } from './units/unitMessage.js';
import type { UnitQueue } from './units/unitPorts.js';
import { textOfUnit, type Lane } from './units/unitWork.js';
import { ImageryMessage } from './work/imageryMessage.js';
import type { WorkKind } from './work/imageryWork.js';

export function sceneQueue(messages: Messages, options: MessageQueueOptions): SceneQueue {
  const queue = new MessageQueue(messages, SceneMessage, options);
  return { enqueue: ({ tile, scene }) => queue.send({ tile, scene }) };
}

export function tilesQueue(messages: Messages, options: MessageQueueOptions): TilesQueue {
  const queue = new MessageQueue(messages, TilesMessage, options);
  return { enqueue: (tiles) => queue.send({ tiles: [...tiles] }) };
}

export function unitQueue(messages: Readonly<Record<Lane, Messages>>, options: MessageQueueOptions): UnitQueue {
  const queueOf = (lane: Lane) => new MessageQueue(messages[lane], UnitMessage, options);
  const queues = { live: queueOf('live'), late: queueOf('late') };
  return {
    enqueue: (lane, notice, delayMs) => {
      const { shown } = notice;
      return queues[lane].send({ unit: textOfUnit(notice), ...(shown === undefined ? {} : { shown }) }, delayMs);
    },
  };
}

export function imageryQueue(
  messages: Readonly<Record<WorkKind, Messages>>,
  options: MessageQueueOptions,
): ImageryQueue {
  const queueOf = (kind: WorkKind) => new MessageQueue(messages[kind], ImageryMessage, options);
  const queues = { search: queueOf('search'), render: queueOf('render') };
  return { enqueue: ({ customer, kind, id }, delayMs) => queues[kind].send({ customer, work: id }, delayMs) };
}
