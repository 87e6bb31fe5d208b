import { readFileSync } from 'node:fs';
import type { Messages } from '../../../../shared/storage/messages.js';
import type { WorldClock } from './worldClock.js';

interface HostSettings {
  readonly extensions: {
    readonly queues: { readonly maxDequeueCount: number; readonly visibilityTimeout: string };
  };
}

const settings = JSON.parse(readFileSync(new URL('../../../../host.json', import.meta.url), 'utf8')) as HostSettings;
const { maxDequeueCount, visibilityTimeout } = settings.extensions.queues;
const [hours = 0, minutes = 0, seconds = 0] = visibilityTimeout.split(':').map(Number);
const AGAIN_MS = ((hours * 60 + minutes) * 60 + seconds) * 1_000;

/** A message on its way. */
export interface QueueMessage {
  readonly queue: string;
  readonly body: unknown;
  /** When it was sent; a message that is put back is the same. */
  readonly insertedAt: number;
  readonly visibleAt: number;
  readonly tries: number;
}

/**
 * Storage queues under the Functions host, by the figures of host.json: a message whose function fails is visible again
 * after `visibilityTimeout`, and moves to the queue `<name>-poison` after `maxDequeueCount` tries.
 */
export class HostQueues {
  /** Whether messages that are sent now get lost. */
  isLosing = false;
  readonly #clock: WorldClock;
  /** The first visible first. */
  readonly #messages: QueueMessage[] = [];

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  send(queue: string, body: unknown, delayMs: number): Promise<void> {
    const now = this.#clock.nowMs;
    if (!this.isLosing) this.#put({ queue, body, insertedAt: now, visibleAt: now + delayMs, tries: 0 });
    return Promise.resolve();
  }

  /** One queue, as those see it who send texts. */
  messagesOf(queue: string): Pick<Messages, 'send' | 'head'> {
    return {
      send: (text, delaySeconds) => this.send(queue, JSON.parse(text), 1000 * delaySeconds),
      head: () => {
        const isWaiting = ({ queue: name, visibleAt }: QueueMessage): boolean =>
          name === queue && visibleAt <= this.#clock.nowMs;
        const head = this.#messages.find(isWaiting);
        return Promise.resolve(head && { text: JSON.stringify(head.body), insertedAt: head.insertedAt });
      },
    };
  }

  /** When the next message is visible; infinite when there is none. */
  nextAt(): number {
    return this.#messages[0]?.visibleAt ?? Infinity;
  }

  take(): QueueMessage | undefined {
    if (this.nextAt() > this.#clock.nowMs) return undefined;
    return this.#messages.shift();
  }

  /** Puts a message back whose function failed, or whose process was killed. */
  fail({ queue, body, insertedAt, tries }: QueueMessage): void {
    const isPoison = tries + 1 >= maxDequeueCount;
    const visibleAt = this.#clock.nowMs + (isPoison ? 0 : AGAIN_MS);
    const again = isPoison ? { queue: `${queue}-poison`, tries: 0 } : { queue, tries: tries + 1 };
    this.#put({ ...again, body, insertedAt, visibleAt });
  }

  #put(message: QueueMessage): void {
    const place = this.#messages.findLastIndex(({ visibleAt }) => visibleAt <= message.visibleAt) + 1;
    this.#messages.splice(place, 0, message);
  }
}
