import type { Static, TSchema } from 'typebox';
import type { Clock } from '../kit/clock.js';
import type { messageFacts } from '../kit/validation/messageFacts.js';
import { isValid } from '../kit/validation/validator.js';
import { LONGEST_DELAY_SECONDS, type Messages } from './messages.js';

export interface MessageQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The trace context of the present request or attempt, carried along in the message. */
  readonly traceparent: () => string | undefined;
}

/**
 * The only sender of messages. Each has the form of its queue's schema, and says its version, when it is due and which
 * trace it belongs to.
 */
export class MessageQueue<M extends TSchema> {
  readonly #messages: Pick<Messages, 'send' | 'head'>;
  readonly #schema: M;
  readonly #options: MessageQueueOptions;

  constructor(messages: Pick<Messages, 'send' | 'head'>, schema: M, options: MessageQueueOptions) {
    this.#messages = messages;
    this.#schema = schema;
    this.#options = options;
  }

  /** @param delayMs when the message becomes visible: 0 for at once, at most 7 days, what is more counts as 7 days */
  async send(body: Omit<Static<M>, keyof typeof messageFacts>, delayMs = 0): Promise<void> {
    const { clock, traceparent } = this.#options;
    const delaySeconds = Math.min(Math.ceil(delayMs / 1000), LONGEST_DELAY_SECONDS);
    const trace = traceparent();
    const message = {
      v: 1,
      ...body,
      dueAt: clock.now().getTime() + delayMs,
      ...(trace === undefined ? {} : { traceparent: trace }),
    };
    if (!isValid(this.#schema, message)) throw new TypeError('A message does not have the form of its queue.');
    await this.#messages.send(JSON.stringify(message), delaySeconds);
  }

  /**
   * How far the queue has come: when the message at its head was due, or `now` when none waits. A message that was due
   * later is not lost, however late it is.
   */
  async servedUntil(now: number): Promise<number> {
    const head = await this.#messages.head();
    return head === undefined ? now : Math.min(now, dueAtOf(head.text) ?? head.insertedAt);
  }
}

/** What a message says of itself; undefined for one that another version or somebody else wrote. */
function dueAtOf(text: string): number | undefined {
  try {
    const { dueAt } = JSON.parse(text) as { readonly dueAt?: unknown };
    return typeof dueAt === 'number' ? dueAt : undefined;
  } catch {
    return undefined;
  }
}
