import type { DequeuedMessageItem, QueueClient } from '@azure/storage-queue';
import type { HostLog } from './logging.js';
import type { QueueOptions } from './hostJson.js';
import { decodeMessage } from './queueMessage.js';

/** How long a received message stays invisible; renewed at half time while it runs. Fixed on the platform. */
const visibilitySeconds = 600;
const firstDelayMs = 100;

export interface QueueListenerParts {
  readonly queue: QueueClient;
  /** Undefined for a queue that is a poison queue itself. */
  readonly poisonQueue: QueueClient | undefined;
  readonly options: QueueOptions;
  /** Runs the function with a message; rejects when it failed. */
  readonly run: (text: string, message: DequeuedMessageItem) => Promise<void>;
  readonly log: HostLog;
}

export interface QueueListener {
  /** Looks at the queue now rather than at the end of the wait. */
  wake(): void;
  /** Takes no more messages and waits for the running ones. */
  stop(): Promise<void>;
}

const statusOf = (cause: unknown): number | undefined => (cause as { statusCode?: number }).statusCode;

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

async function processMessage(parts: QueueListenerParts, message: DequeuedMessageItem): Promise<void> {
  const held = new HeldMessage(parts, message);
  try {
    await processHeld(parts, held, message);
  } catch (cause) {
    parts.log.system('error', `A message of ${parts.queue.name} is left for its next delivery: ${String(cause)}`);
  } finally {
    held.stopRenewal();
  }
}

/** A wait that can be cut short. */
class Wait {
  #end: (() => void) | undefined;
  #isWoken = false;

  async for(delayMs: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delayMs);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#end = undefined;
    this.#isWoken = false;
  }

  cut(): void {
    this.#isWoken = true;
    this.#end?.();
  }
}

/**
 * Polls a queue as the host does: a batch at a time, the next when few enough are running; an empty queue is asked
 * after 100 ms, then twice as long with ±20 % jitter up to the longest wait.
 */
export function listenToQueue(parts: QueueListenerParts): QueueListener {
  const { queue, options, log } = parts;
  const running = new Set<Promise<void>>();
  const wait = new Wait();
  let isStopping = false;
  let lastProblem = '';

  const receive = async (): Promise<readonly DequeuedMessageItem[]> => {
    try {
      const answer = await queue.receiveMessages({
        numberOfMessages: options.batchSize,
        visibilityTimeout: visibilitySeconds,
      });
      lastProblem = '';
      return answer.receivedMessageItems;
    } catch (cause) {
      // A queue that is not there yet is an empty queue.
      const problem = statusOf(cause) === 404 ? '' : String(cause);
      if (problem !== '' && problem !== lastProblem) log.system('warning', `Polling ${queue.name} failed: ${problem}`);
      lastProblem = problem;
      return [];
    }
  };

  const start = (message: DequeuedMessageItem): void => {
    const work = processMessage(parts, message);
    running.add(work);
    void work.finally(() => {
      running.delete(work);
    });
  };

  const poll = async (): Promise<void> => {
    let delayMs = firstDelayMs;
    while (!isStopping) {
      const messages = await receive();
      messages.forEach(start);
      if (messages.length > 0) delayMs = firstDelayMs;
      else {
        await wait.for(delayMs);
        delayMs = Math.min(options.maxPollingIntervalMs, delayMs * 2 * (0.8 + Math.random() * 0.4));
      }
      while (running.size > options.newBatchThreshold) await Promise.race(running);
    }
  };
  const polling = poll();
  return {
    wake: () => {
      wait.cut();
    },
    stop: async () => {
      isStopping = true;
      wait.cut();
      await polling;
      await Promise.all(running);
    },
  };
}
