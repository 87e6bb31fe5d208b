import type { DequeuedMessageItem, QueueClient } from '@azure/storage-queue';
import type { QueueOptions } from './hostJson.js';
import type { HostLog } from './logging.js';
import { decodeMessage } from './queueMessage.js';

/** How long a received message stays invisible; renewed at half time while it runs. Fixed on the platform. */
export const visibilitySeconds = 600;

export interface QueueListenerParts {
  readonly queue: QueueClient;
  /** Undefined for a queue that is a poison queue itself. */
  readonly poisonQueue: QueueClient | undefined;
  readonly options: QueueOptions;
  /** Runs the function with a message; rejects when it failed. */
  readonly run: (text: string, message: DequeuedMessageItem) => Promise<void>;
  readonly log: HostLog;
}

/** The HTTP status of a storage error. */
export const statusOf = (cause: unknown): number | undefined => (cause as { statusCode?: number }).statusCode;

/** A message that is gone, or belongs to someone else by now, needs no more from us. */
async function unlessGone(action: Promise<unknown>): Promise<void> {
  try {
    await action;
  } catch (cause) {
    if (![400, 404, 409].includes(statusOf(cause) ?? 0)) throw cause;
  }
}

/** One received message: the newest pop receipt, and what can become of it. */
class HeldMessage {
  readonly #parts: QueueListenerParts;
  readonly #message: DequeuedMessageItem;
  #popReceipt: string;
  readonly #renewal: NodeJS.Timeout;

  constructor(parts: QueueListenerParts, message: DequeuedMessageItem) {
    this.#parts = parts;
    this.#message = message;
    this.#popReceipt = message.popReceipt;
    this.#renewal = setInterval(
      () => {
        this.#hide(visibilitySeconds).catch((cause: unknown) => {
          parts.log.system('warning', `Renewing a message of ${parts.queue.name} failed: ${String(cause)}`);
        });
      },
      (visibilitySeconds * 1000) / 2,
    );
  }

  async #hide(seconds: number): Promise<void> {
    const { messageId, messageText } = this.#message;
    const answer = await this.#parts.queue.updateMessage(messageId, this.#popReceipt, messageText, seconds);
    this.#popReceipt = answer.popReceipt ?? this.#popReceipt;
  }

  stopRenewal(): void {
    clearInterval(this.#renewal);
  }

  async delete(): Promise<void> {
    await unlessGone(this.#parts.queue.deleteMessage(this.#message.messageId, this.#popReceipt));
  }

  async release(): Promise<void> {
    await unlessGone(this.#hide(Math.round(this.#parts.options.visibilityTimeoutMs / 1000)));
  }

  /** Moves the same body to the poison queue, which is created when it is missing. */
  async poison(poisonQueue: QueueClient): Promise<void> {
    const { messageText, messageId } = this.#message;
    this.#parts.log.system('warning', `Message ${messageId} of ${this.#parts.queue.name} goes to ${poisonQueue.name}.`);
    try {
      await poisonQueue.sendMessage(messageText);
    } catch (cause) {
      if (statusOf(cause) !== 404) throw cause;
      await poisonQueue.createIfNotExists();
      await poisonQueue.sendMessage(messageText);
    }
    await this.delete();
  }
}

/** What becomes of a message whose run failed. Without a poison queue it stays invisible, so that it can't spin. */
async function settleFailure(parts: QueueListenerParts, held: HeldMessage, dequeueCount: number): Promise<void> {
  if (parts.poisonQueue === undefined) return;
  if (dequeueCount >= parts.options.maxDequeueCount) await held.poison(parts.poisonQueue);
  else await held.release();
}

async function processHeld(parts: QueueListenerParts, held: HeldMessage, message: DequeuedMessageItem): Promise<void> {
  const { options, poisonQueue, log, queue } = parts;
  const text = decodeMessage(message.messageText, options.messageEncoding);
  if (poisonQueue !== undefined && (text === undefined || message.dequeueCount > options.maxDequeueCount)) {
    await held.poison(poisonQueue);
    return;
  }
  try {
    await parts.run(text ?? message.messageText, message);
  } catch (cause) {
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    log.system('error', `A message of ${queue.name} failed (delivery ${message.dequeueCount}): ${error}`);
    await settleFailure(parts, held, message.dequeueCount);
    return;
  }
  await held.delete();
}

/** Runs one received message and settles what becomes of it; never rejects. */
export async function processMessage(parts: QueueListenerParts, message: DequeuedMessageItem): Promise<void> {
  const held = new HeldMessage(parts, message);
  try {
    await processHeld(parts, held, message);
  } catch (cause) {
    parts.log.system('error', `A message of ${parts.queue.name} is left for its next delivery: ${String(cause)}`);
  } finally {
    held.stopRenewal();
  }
}
