import { QueueServiceClient, type DequeuedMessageItem, type QueueClient } from '@azure/storage-queue';
import type { RegisteredFunction } from './coreApi.js';
import type { QueueOptions } from './hostJson.js';
import type { Invoke } from './invocation.js';
import type { HostLog } from './logging.js';
import { listenToQueue, type QueueListener } from './queueListener.js';
import { encodeMessage, outputMessages } from './queueMessage.js';
import type { Binding, InvocationResponse, TypedData } from './rpc.js';
import { connectionString, resolveNames, type Settings } from './settings.js';

export interface QueueParts {
  readonly settings: Settings;
  readonly options: QueueOptions;
  readonly log: HostLog;
}

/** A function with a queue trigger. */
export interface QueueTriggered {
  readonly target: RegisteredFunction;
  readonly triggerName: string;
  readonly trigger: Binding;
}

/** Queue triggers and queue output bindings of one host. */
export interface Queues {
  /** The client of a binding's queue; fails when its connection is not set. */
  clientOf(binding: Binding): QueueClient;
  listen(trigger: QueueTriggered, invoke: Invoke): QueueListener;
  /** Writes what a run gave to its queue output bindings, and wakes the listeners of those queues. */
  writeOutputs(target: RegisteredFunction, response: InvocationResponse): Promise<void>;
}

const json = (value: unknown): TypedData => ({ json: JSON.stringify(value) });
/** An instant as .NET writes a DateTimeOffset. */
const instant = (date: Date): TypedData => json(date.toISOString().replace(/\.\d+Z$/, '+00:00'));

const metadataOf = (text: string, message: DequeuedMessageItem): Record<string, TypedData> => ({
  QueueTrigger: { string: text },
  Id: { string: message.messageId },
  PopReceipt: { string: message.popReceipt },
  DequeueCount: json(message.dequeueCount),
  InsertionTime: instant(message.insertedOn),
  ExpirationTime: instant(message.expiresOn),
  NextVisibleTime: instant(message.nextVisibleOn),
});

const nameOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function sendAll(client: QueueClient, data: TypedData, encoding: 'base64' | 'none'): Promise<void> {
  await client.createIfNotExists();
  for (const message of outputMessages(data)) await client.sendMessage(encodeMessage(message, encoding));
}

class StorageQueues implements Queues {
  readonly #parts: QueueParts;
  readonly #services = new Map<string, QueueServiceClient>();
  readonly #listeners = new Map<string, QueueListener>();

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  clientOf(binding: Binding): QueueClient {
    const name = resolveNames(nameOf(binding['queueName']) ?? '', this.#parts.settings);
    return this.#serviceOf(binding).getQueueClient(name);
  }

  listen({ target, triggerName, trigger }: QueueTriggered, invoke: Invoke): QueueListener {
    const { options, log } = this.#parts;
    const queue = this.clientOf(trigger);
    const isPoisonQueue = queue.name.endsWith('-poison');
    const poisonQueue = isPoisonQueue ? undefined : this.#serviceOf(trigger).getQueueClient(`${queue.name}-poison`);
    const run = async (text: string, message: DequeuedMessageItem): Promise<void> => {
      const inputs = { [triggerName]: { string: text } };
      const result = await invoke(target, { inputs, triggerMetadata: metadataOf(text, message) });
      await this.writeOutputs(target, result);
    };
    const listener = listenToQueue({ queue, poisonQueue, options, log, run });
    this.#listeners.set(queue.url, listener);
    return listener;
  }

  async writeOutputs(target: RegisteredFunction, { outputData = [] }: InvocationResponse): Promise<void> {
    for (const { name, data } of outputData) {
      const binding = target.bindings[name];
      if (binding?.type !== 'queue') throw new Error(`The local host can't write the output "${name}".`);
      const client = this.clientOf(binding);
      await sendAll(client, data, this.#parts.options.messageEncoding);
      this.#listeners.get(client.url)?.wake();
    }
  }

  #serviceOf(binding: Binding): QueueServiceClient {
    const connection = connectionString(nameOf(binding['connection']), this.#parts.settings);
    const service = this.#services.get(connection) ?? QueueServiceClient.fromConnectionString(connection);
    this.#services.set(connection, service);
    return service;
  }
}

/** Connects the queue bindings of an app to storage. */
export const createQueues = (parts: QueueParts): Queues => new StorageQueues(parts);
