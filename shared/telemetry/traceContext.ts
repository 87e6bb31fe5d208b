/** W3C trace context, without what records spans: the file that the host loads first needs no more. */
import { randomBytes } from 'node:crypto';

export interface TraceContext {
  /** 32 lower-case hex digits; the `traceId` of an error. */
  readonly traceId: string;
  readonly traceparent: string;
  /** The span of the caller, when the trace is continued. */
  readonly parentSpanId?: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Continues the caller's trace when its `traceparent` is valid, else begins one; our own span id either way. */
export function traceFrom(traceparent: string | null | undefined): TraceContext {
  const [, traceId = randomBytes(16).toString('hex'), parentSpanId, flags = '01'] =
    TRACEPARENT.exec(traceparent ?? '') ?? [];
  return {
    traceId,
    traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}`,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
  };
}
