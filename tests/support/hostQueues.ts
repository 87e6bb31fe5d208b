import { readFileSync } from 'node:fs';
import type { ManualClock } from './manualClock.js';
import type { MemoryMessages } from './memoryMessages.js';

interface HostJson {
  readonly extensions: { readonly queues: { readonly batchSize: number; readonly newBatchThreshold: number } };
}

/** The rule of host.json. A look at an empty queue is repeated after 100 ms, then after twice as long, up to a second. */
const { batchSize, newBatchThreshold } = (JSON.parse(readFileSync('host.json', 'utf8')) as HostJson).extensions.queues;
const FIRST_LOOK_MS = 100;
const LAST_LOOK_MS = 1_000;

/** Handles one message, and throws nothing. */
type Handle = (text: string) => Promise<void>;

/**
 * The host with one queue in memory: it takes a batch at a time, and no further one while more messages than the threshold
 * are handled. It goes on for as long as the clock is moved.
 *
 * @see https://learn.microsoft.com/azure/azure-functions/functions-bindings-storage-queue#hostjson-settings
 */
export async function hostQueue(clock: ManualClock, messages: MemoryMessages, handle: Handle): Promise<never> {
  const running = new Set<Promise<void>>();
  for (let lookMs = FIRST_LOOK_MS; ;) {
    const batch = Array.from({ length: batchSize }, () => messages.take()).filter((text) => text !== undefined);
    for (const text of batch) {
      const handled: Promise<void> = handle(text).finally(() => running.delete(handled));
      running.add(handled);
    }
    if (batch.length > 0) lookMs = FIRST_LOOK_MS;
    else {
      await clock.sleep(lookMs);
      lookMs = Math.min(LAST_LOOK_MS, lookMs * 2);
    }
    while (running.size > newBatchThreshold) await Promise.race(running);
  }
}
