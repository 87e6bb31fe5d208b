/** What operators do with messages that the service has given up: look, send again, or throw away. */
import { poisonQueueOf, queueNames } from '../../../shared/storage/names.js';

/** A message as it lies in a queue. */
export interface QueuedMessage {
  readonly id: string;
  /** As it was sent: base64 of JSON in our queues. */
  readonly text: string;
  readonly insertedAt: Date;
  /** How often it was taken out of the queue. */
  readonly deliveries: number;
}

/** What the commands need of a queue. */
export interface OperatorQueue {
  readonly name: string;
  /** How many messages it holds, about. */
  length(): Promise<number>;
  /** The first messages, 32 at most; nobody notices. Undefined when there is no such queue. */
  peek(): Promise<readonly QueuedMessage[] | undefined>;
  /** Takes 32 at most out of everybody's sight for a minute. */
  take(): Promise<readonly QueuedMessage[]>;
  /** Puts one that was taken back into sight. */
  release(message: QueuedMessage): Promise<void>;
  /** Deletes one that was taken. */
  remove(message: QueuedMessage): Promise<void>;
  send(text: string): Promise<void>;
}

/** A poison queue and the queue that its messages came from. */
export interface PoisonPair {
  readonly poison: string;
  readonly origin: string;
}

/**
 * The poison queue that a name means, its own or that of the work queue beside it, and where its messages go when they are
 * sent again.
 *
 * @throws Error when no queue of ours is meant
 */
export function poisonPairOf(name: string): PoisonPair {
  const origin = queueNames.find((queue) => name === queue || name === poisonQueueOf(queue));
  if (origin === undefined) throw new Error(`There is no queue ${name}. Queues: ${queueNames.join(', ')}.`);
  return { poison: poisonQueueOf(origin), origin };
}

/** Every poison queue. */
export const allPoisonQueues: readonly string[] = queueNames.map(poisonQueueOf);

/** The text that base64 was made of; undefined for any other text. */
function decoded(text: string): string | undefined {
  const plain = Buffer.from(text, 'base64').toString('utf8');
  return Buffer.from(plain, 'utf8').toString('base64') === text ? plain : undefined;
}

/** The content of a message, readable; ids and a version only, so nothing secret. */
export const contentOf = ({ text }: QueuedMessage): string =>
  (decoded(text) ?? text).replaceAll(/\s+/g, ' ').slice(0, 300);

/** A message that is none of ours: no base64 of a JSON object, which no function and no retry can do anything with. */
export function isUnreadable({ text }: QueuedMessage): boolean {
  try {
    const content: unknown = JSON.parse(decoded(text) ?? '');
    return typeof content !== 'object' || content === null || Array.isArray(content);
  } catch {
    return true; // no JSON
  }
}

/** Which messages of a queue are meant. */
export type Selection = (message: QueuedMessage) => boolean;

export const all: Selection = () => true;
export const withId =
  (messageId: string): Selection =>
  ({ id }) =>
    id === messageId;

type Handle = (message: QueuedMessage) => Promise<void>;

/**
 * Handles the messages that are meant and puts the others back as they were. It looks at no more than there were at its
 * start: what comes later may be what was just sent again. Returns how many it handled.
 */
async function handleMessages(queue: OperatorQueue, isMeant: Selection, handle: Handle): Promise<number> {
  const most = await queue.length();
  const others: QueuedMessage[] = [];
  let [looked, handled] = [0, 0];
  try {
    for (let batch = await queue.take(); batch.length > 0; batch = looked < most ? await queue.take() : []) {
      for (const message of batch) {
        looked += 1;
        if (looked > most || !isMeant(message)) {
          others.push(message);
          continue;
        }
        await handle(message);
        await queue.remove(message);
        handled += 1;
      }
    }
  } finally {
    await Promise.all(others.map((message) => queue.release(message)));
  }
  return handled;
}

/**
 * Sends messages to the queue they came from and deletes them from the poison queue, in this order: a run that is cut
 * short may send one twice, which every function of ours takes, and loses none.
 */
export const retryMessages = (poison: OperatorQueue, origin: OperatorQueue, isMeant: Selection): Promise<number> =>
  handleMessages(poison, isMeant, ({ text }) => origin.send(text));

/** Deletes messages. What they stood for is still in the tables: the sweeper finds jobs again, or fails them. */
export const dropMessages = (poison: OperatorQueue, isMeant: Selection): Promise<number> =>
  handleMessages(poison, isMeant, () => Promise.resolve());
