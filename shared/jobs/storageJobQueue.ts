import type { QueueClient } from '@azure/storage-queue';
import type { Clock } from '../clock.js';
import { fromStorage } from '../storage/storageErrors.js';
import type { JobKey } from './job.js';
import type { JobMessage } from './jobMessage.js';
import type { JobQueue } from './jobPorts.js';

/** The platform hides a message for at most seven days. */
const LONGEST_DELAY_SECONDS = 7 * 86_400;

export interface StorageJobQueueOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** The trace context of the present request or attempt, carried along in the message. */
  readonly traceparent: () => string | undefined;
}

/** Sends job messages as base64 JSON, the encoding host.json states. */
export class StorageJobQueue implements JobQueue {
  readonly #queue: QueueClient;
  readonly #options: StorageJobQueueOptions;

  constructor(queue: QueueClient, options: StorageJobQueueOptions) {
    this.#queue = queue;
    this.#options = options;
  }

  async enqueue({ tenant, jobId }: JobKey, delayMs: number): Promise<void> {
    const traceparent = this.#options.traceparent();
    const dueAt = this.#options.clock.now().getTime() + delayMs;
    const message: JobMessage = { v: 1, tenant, jobId, dueAt, ...(traceparent === undefined ? {} : { traceparent }) };
    const text = Buffer.from(JSON.stringify(message), 'utf8').toString('base64');
    const visibilityTimeout = Math.min(Math.ceil(delayMs / 1000), LONGEST_DELAY_SECONDS);
    await fromStorage(() => this.#queue.sendMessage(text, { visibilityTimeout }));
  }

  async servedUntil(now: number): Promise<number> {
    const { peekedMessageItems } = await fromStorage(() => this.#queue.peekMessages({ numberOfMessages: 1 }));
    const [head] = peekedMessageItems;
    if (head === undefined) return now;
    return Math.min(now, dueAtOf(head.messageText) ?? head.insertedOn.getTime());
  }
}

/** What a message says of itself; undefined for one that another version or somebody else wrote. */
function dueAtOf(text: string): number | undefined {
  try {
    const { dueAt } = JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as { readonly dueAt?: unknown };
    return typeof dueAt === 'number' ? dueAt : undefined;
  } catch {
    return undefined;
  }
}
