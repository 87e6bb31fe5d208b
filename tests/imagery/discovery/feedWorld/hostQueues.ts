import { readFileSync } from 'node:fs';
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
    if (!this.isLosing) this.#put({ queue, body, visibleAt: this.#clock.nowMs + delayMs, tries: 0 });
    return Promise.resolve();
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
  fail({ queue, body, tries }: QueueMessage): void {
    const isPoison = tries + 1 >= maxDequeueCount;
    const visibleAt = this.#clock.nowMs + (isPoison ? 0 : AGAIN_MS);
    this.#put({ queue: isPoison ? `${queue}-poison` : queue, body, visibleAt, tries: isPoison ? 0 : tries + 1 });
  }

  #put(message: QueueMessage): void {
    const place = this.#messages.findLastIndex(({ visibleAt }) => visibleAt <= message.visibleAt) + 1;
    this.#messages.splice(place, 0, message);
  }
}
