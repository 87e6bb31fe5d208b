import { Type, type Static } from 'typebox';
import type { MessageQueue } from '../../storage/messageQueue.js';
import { messageFacts } from '../../kit/validation/messageFacts.js';
import type { WorkOrder } from './workItem.js';

/** What every queue of work carries: it names the item, the row is the truth. `v` grows when the form changes. */
export const WorkMessage = Type.Object({
  kind: Type.String(),
  id: Type.String(),
  ...messageFacts,
});
export type WorkMessage = Static<typeof WorkMessage>;

/** One queue of work. */
export type WorkQueue = Pick<MessageQueue<typeof WorkMessage>, 'send' | 'servedUntil'>;
/** The queue of a piece of work: of its kind, or of what was asked. */
export type WorkQueues = (work: WorkOrder) => WorkQueue;
