import type { Static, TSchema } from 'typebox';
import { dataConnection, type QueueName } from '../../storage/names.js';
import type { Clock } from '../../kit/clock.js';
import { measureEvent } from '../../kit/telemetry/metrics.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { asInvocation } from '../../kit/telemetry/trace.js';
import { traceFrom } from '../../kit/telemetry/traceContext.js';
import { isOfNewerVersion } from '../../kit/validation/messageFacts.js';
import { isValid } from '../../kit/validation/validator.js';
import type { Surroundings } from '../surroundings.js';

/** What handling any message takes. */
export interface MessagePorts {
  readonly clock: Clock;
  readonly log: Log;
  /** Sends a message back to its queue, hidden for a minute unless it says for how long. */
  readonly putBack: (queue: QueueName, message: unknown, seconds?: number) => Promise<void>;
}

export interface QueueFunctionDefinition<M extends TSchema, S> {
  readonly name: string;
  readonly queue: QueueName;
  readonly message: M;
  readonly handle: (message: Static<M>, services: S) => Promise<void>;
}

export type QueueFunction<M extends TSchema, S> = QueueFunctionDefinition<M, S> & { readonly connection: string };

/** Declares a function that a queue of the data account triggers. */
export function queueFunction<M extends TSchema, S>(
  definition: QueueFunctionDefinition<M, S>,
): QueueFunction<TSchema, S> {
  // The wrapper hands in messages that satisfy the schema only.
  return { ...definition, connection: dataConnection } as unknown as QueueFunction<TSchema, S>;
}

/**
 * Handles one message in the trace that it carries. A message of an unknown form throws, so that the host tries it
 * again and then puts it into the poison queue; one of a newer version goes back for a newer instance to take.
 *
 * @param insertedAt when the message was sent, milliseconds since 1970 UTC, as far as the host tells
 */
export async function handleMessage<S extends MessagePorts>(
  definition: QueueFunction<TSchema, S>,
  message: unknown,
  { services, write, insertedAt }: Surroundings<S> & { readonly insertedAt?: number },
): Promise<void> {
  const trace = traceFrom((message as { readonly traceparent?: string } | null)?.traceparent);
  const facts = { operation: definition.name, traceId: trace.traceId };
  await asInvocation({ name: definition.name, kind: 'message', trace, write }, async () => {
    if (insertedAt !== undefined) {
      const ageSeconds = (services.clock.now().getTime() - insertedAt) / 1000;
      measureEvent('Message:Taken', { ...facts, ageSeconds });
    }
    if (isOfNewerVersion(message)) {
      await services.putBack(definition.queue, message);
      services.log('Message:PutBack', facts);
    } else if (isValid(definition.message, message)) {
      await definition.handle(message, services);
    } else {
      services.log('Message:Unreadable', facts);
      throw new Error(`A message of ${definition.queue} has an unknown form.`);
    }
  });
}
