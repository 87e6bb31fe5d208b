import type { QueueName } from '../../storage/names.js';
import { DRAIN_PAUSE_SECONDS } from '../../work/upkeep/drain.js';
import { isBeat } from '../../work/upkeep/duty.js';
import { WorkMessage } from '../../work/item/workMessage.js';
import { queueFunction, type MessagePorts } from './queueFunction.js';

/** What beginning an attempt takes. */
export interface WorkFunctionPorts extends Pick<MessagePorts, 'putBack'> {
  readonly handleWork: (message: WorkMessage) => Promise<void>;
  readonly isDrained: () => Promise<boolean>;
}

/**
 * A function that does one attempt at the work that each message of a queue names. During a drain the message goes back,
 * hidden for two minutes: that is no attempt. The beat alone goes on, for it may be all that still ticks.
 */
export const workFunction = (name: string, queue: QueueName) =>
  queueFunction({
    name,
    queue,
    message: WorkMessage,
    handle: async (message, { handleWork, isDrained, putBack }: WorkFunctionPorts) => {
      if (!isBeat(message) && (await isDrained())) return putBack(queue, message, DRAIN_PAUSE_SECONDS);
      return handleWork(message);
    },
  });
