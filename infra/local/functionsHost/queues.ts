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

/** Connects the queue bindings of an app to storage. */
export function createQueues({ settings, options, log }: QueueParts): Queues {
  const services = new Map<string, QueueServiceClient>();
  const listeners = new Map<string, QueueListener>();

  const serviceOf = (binding: Binding): QueueServiceClient => {
    const connection = connectionString(nameOf(binding['connection']), settings);
    const service = services.get(connection) ?? QueueServiceClient.fromConnectionString(connection);
    services.set(connection, service);
    return service;
  };
  const queueNameOf = (binding: Binding): string => resolveNames(nameOf(binding['queueName']) ?? '', settings);
  const clientOf = (binding: Binding): QueueClient => serviceOf(binding).getQueueClient(queueNameOf(binding));

  const listen: Queues['listen'] = ({ target, triggerName, trigger }, invoke) => {
    const queue = clientOf(trigger);
    const isPoisonQueue = queue.name.endsWith('-poison');
    const listener = listenToQueue({
      queue,
      poisonQueue: isPoisonQueue ? undefined : serviceOf(trigger).getQueueClient(`${queue.name}-poison`),
      options,
      log,
      run: async (text, message) => {
        const result = await invoke(target, {
          inputs: { [triggerName]: { string: text } },
          triggerMetadata: metadataOf(text, message),
        });
        await writeOutputs(target, result);
      },
    });
    listeners.set(queue.url, listener);
    return listener;
  };

  const writeOutputs: Queues['writeOutputs'] = async (target, { outputData = [] }) => {
    for (const { name, data } of outputData) {
      const binding = target.bindings[name];
      if (binding?.type !== 'queue') throw new Error(`The local host can't write the output "${name}".`);
      const client = clientOf(binding);
      await sendAll(client, data, options.messageEncoding);
      listeners.get(client.url)?.wake();
    }
  };
  return { clientOf, listen, writeOutputs };
}
