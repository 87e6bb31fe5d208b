/** W3C trace context, without what records spans: the file that the host loads first needs no more. */
import { randomUUID } from 'node:crypto';

export interface TraceContext {
  /** 32 lower-case hex digits; the `traceId` of an error. */
  readonly traceId: string;
  readonly traceparent: string;
  /** The span of the caller, when the trace is continued. */
  readonly parentSpanId?: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** At most 32 random hex digits. Node draws the bytes of its ids in advance, so this is cheaper than `randomBytes`. */
const randomHex = (digits: number): string => randomUUID().replaceAll('-', '').slice(0, digits);

/** Continues the caller's trace when its `traceparent` is valid, else begins one; our own span id either way. */
export function traceFrom(traceparent: string | null | undefined): TraceContext {
  const [, traceId = randomHex(32), parentSpanId, flags = '01'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  return {
    traceId,
    traceparent: `00-${traceId}-${randomHex(16)}-${flags}`,
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
  };
}
