/** W3C trace context: one trace from the HTTP request over the queue message to the worker. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 lower-case hex digits; the `traceId` of an error. */
  readonly traceId: string;
  readonly traceparent: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})$/;

/** Writes one line to the log of the running invocation. */
export type WriteLine = (line: string) => void;

const present = new AsyncLocalStorage<{ readonly trace: TraceContext; readonly write: WriteLine }>();

/** Continues the caller's trace when its `traceparent` is valid, else begins one; our own span id either way. */
export function traceFrom(traceparent: string | null | undefined): TraceContext {
  const match = TRACEPARENT.exec(traceparent ?? '');
  const traceId = match?.[1] ?? randomBytes(16).toString('hex');
  const flags = match?.[2] ?? '01';
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}

/** Runs `action` as the present invocation: its trace goes on to what it calls, its lines to its own log. */
export const asInvocation = <T>(trace: TraceContext, write: WriteLine, action: () => Promise<T>): Promise<T> =>
  present.run({ trace, write }, action);

/** The trace context to hand to the next system, when there is one. */
export const currentTraceparent = (): string | undefined => present.getStore()?.trace.traceparent;

/** Writes to the log of the present invocation, or to the console outside of one. */
export const writeLine: WriteLine = (line) => {
  (present.getStore()?.write ?? console.log)(line);
};
