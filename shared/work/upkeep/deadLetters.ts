/** Messages that the host has given up lie in the poison queues: here they are read, and the work that they name is gone on with. */
import { poisonQueueOf, type PoisonQueueName, type QueueName } from '../../storage/names.js';
import type { Messages, TakenMessage } from '../../storage/messages.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { isOfNewerVersion } from '../../kit/validation/messageFacts.js';
import { isValid } from '../../kit/validation/validator.js';
import type { WorkKey } from '../item/workItem.js';
import { WorkMessage } from '../item/workMessage.js';

export interface DeadLetterPorts {
  readonly queues: readonly QueueName[];
  readonly messages: (queue: QueueName | PoisonQueueName) => Messages;
  /** Sends the message of a piece of work again, unless an attempt is at it or it is done. Never throws. */
  readonly resend: (key: WorkKey) => Promise<void>;
  /** Sends a message back to its queue, hidden for a minute. */
  readonly putBack: (queue: QueueName, message: unknown) => Promise<void>;
  readonly log: Log;
}

/** Answers that one run takes of each queue at most: a flood of dead letters is the next run's too. */
const MOST_ANSWERS = 30;

/** The JSON of a text; undefined for what is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** One message of a newer version goes back for an instance of that version; one that nobody can read ends here. */
async function handle({ resend, putBack, log }: DeadLetterPorts, queue: QueueName, text: string): Promise<void> {
  const message = parsed(text);
  log('Message:Poisoned', { queue });
  if (isOfNewerVersion(message)) {
    await putBack(queue, message);
    log('Message:PutBack', { queue });
  } else if (isValid(WorkMessage, message)) {
    await resend(message);
  } else {
    log('Message:Unreadable', { queue });
  }
}

async function drain(ports: DeadLetterPorts, queue: QueueName): Promise<number> {
  const poison = ports.messages(poisonQueueOf(queue));
  let count = 0;
  for (let answer = 0; answer < MOST_ANSWERS; answer += 1) {
    const taken: readonly TakenMessage[] = await poison.receive();
    for (const message of taken) {
      await handle(ports, queue, message.text);
      await poison.delete(message);
      count += 1;
    }
    if (taken.length === 0) break;
  }
  return count;
}

/**
 * Has the work gone on with whose messages the host has given up: its row counts the attempts, and its sweep would find it in
 * any case. One queue's trouble is not another's.
 *
 * @returns how many messages
 * @throws when a queue failed, after all others had their turn
 */
export const drainDeadLetters = (ports: DeadLetterPorts) => async (): Promise<number> => {
  const drains = await Promise.allSettled(ports.queues.map((queue) => drain(ports, queue)));
  const failed = drains.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return drains.reduce((sum, end) => sum + (end.status === 'fulfilled' ? end.value : 0), 0);
};
