import { Type } from 'typebox';

/** What each message says beside what it is about; its sender adds it. */
export const messageFacts = {
  /** Grows when the form of the message changes. */
  v: Type.Literal(1),
  /** When the message becomes visible, milliseconds since 1970 UTC: tells how far the queue has come. */
  dueAt: Type.Optional(Type.Number()),
  /** W3C trace context of the sender. */
  traceparent: Type.Optional(Type.String()),
};

/** Whether a message has a form that this version of the service does not know yet. */
export const isOfNewerVersion = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'v' in message && typeof message.v === 'number' && message.v > 1;
