import type { DequeuedMessageItem } from '@azure/storage-queue';
import { processMessage, type QueueListenerParts, statusOf, visibilitySeconds } from './queueProcessing.js';
import { CuttableWait } from './waiting.js';

const firstDelayMs = 100;

export interface QueueListener {
  /** Looks at the queue now rather than at the end of the wait. */
  wake(): void;
  /** Takes no more messages and waits for the running ones. */
  stop(): Promise<void>;
}

class PollingListener implements QueueListener {
  readonly #parts: QueueListenerParts;
  readonly #running = new Set<Promise<void>>();
  readonly #wait = new CuttableWait();
  readonly #polling: Promise<void>;
  #isStopping = false;
  #lastProblem = '';

  constructor(parts: QueueListenerParts) {
    this.#parts = parts;
    this.#polling = this.#poll();
  }

  wake(): void {
    this.#wait.cut();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wait.cut();
    await this.#polling;
    await Promise.all(this.#running);
  }

  async #poll(): Promise<void> {
    const { maxPollingIntervalMs, newBatchThreshold } = this.#parts.options;
    let delayMs = firstDelayMs;
    while (!this.#isStopping) {
      const messages = await this.#receive();
      for (const message of messages) this.#start(message);
      if (messages.length > 0) delayMs = firstDelayMs;
      else {
        await this.#wait.for(delayMs);
        delayMs = Math.min(maxPollingIntervalMs, delayMs * 2 * (0.8 + Math.random() * 0.4));
      }
      while (this.#running.size > newBatchThreshold) await Promise.race(this.#running);
    }
  }

  async #receive(): Promise<readonly DequeuedMessageItem[]> {
    const { queue, options, log } = this.#parts;
    const request = { numberOfMessages: options.batchSize, visibilityTimeout: visibilitySeconds };
    // The platform's client says each request and each answer; most of what an idle host has to say is this.
    const say = (line: string): void => {
      log.system('information', line, 'Azure.Core');
    };
    try {
      say(`Request GET ${queue.url}/messages?numofmessages=${options.batchSize}`);
      const { receivedMessageItems } = await queue.receiveMessages(request);
      say(`Response 200 ${queue.url}/messages`);
      this.#lastProblem = '';
      return receivedMessageItems;
    } catch (cause) {
      // A queue that is not there yet is an empty queue; any other problem is said once.
      const problem = statusOf(cause) === 404 ? '' : String(cause);
      if (problem !== '' && problem !== this.#lastProblem) {
        log.system('warning', `Polling ${queue.name} failed: ${problem}`);
      }
      this.#lastProblem = problem;
      return [];
    }
  }

  #start(message: DequeuedMessageItem): void {
    const work = processMessage(this.#parts, message);
    this.#running.add(work);
    void work.finally(() => {
      this.#running.delete(work);
    });
  }
}

/**
 * Polls a queue as the host does: a batch at a time, the next when few enough are running; an empty queue is asked
 * after 100 ms, then twice as long with ±20 % jitter up to the longest wait.
 */
export const listenToQueue = (parts: QueueListenerParts): QueueListener => new PollingListener(parts);
