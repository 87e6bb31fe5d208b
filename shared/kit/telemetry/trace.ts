/**
 * One trace from the HTTP request over the queue message to the worker and what it calls: W3C trace context, and spans
 * of OpenTelemetry where an exporter is set up. Without one the spans cost nothing and the trace ids are our own.
 */
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace as openTelemetry,
  type Attributes,
  type Context,
  type Link,
  type Span,
} from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import { traceFrom, type TraceContext } from './traceContext.js';

/** Writes one line to the log of the running invocation. */
export type WriteLine = (line: string) => void;

export interface Invocation {
  /** Name of the function. */
  readonly name: string;
  readonly kind: 'request' | 'message' | 'tick';
  readonly trace: TraceContext;
  readonly write: WriteLine;
}

const SCOPE = 'partner-field-service';
const kinds = { request: SpanKind.SERVER, message: SpanKind.CONSUMER, tick: SpanKind.INTERNAL } as const;

const present = new AsyncLocalStorage<{
  readonly trace: TraceContext;
  readonly write: WriteLine;
  readonly span: Span;
}>();

/** Runs `action` as the present invocation: its trace goes on to what it calls, its lines to its own log. */
export function asInvocation<T>(invocation: Invocation, action: (trace: TraceContext) => Promise<T>): Promise<T> {
  const { name, kind, trace, write } = invocation;
  const span = openTelemetry.getTracer(SCOPE).startSpan(name, { kind: kinds[kind] }, parentContextOf(trace));
  const own = span.isRecording() ? traceOf(span) : trace;
  return present.run({ trace: own, write, span }, () => ended(span, () => action(own)));
}

/** What caused work that many share, beyond these, is not told. */
export const MOST_ORIGINS = 10;

/**
 * Runs `action`, which is work for many, in a trace of its own that names what caused it: below one of them it would look
 * like the work of that one.
 *
 * @param origins trace contexts, as `currentTraceparent` gave them; at most `MOST_ORIGINS` are named
 */
export function asSharedWork<T>(name: string, origins: readonly string[], action: () => Promise<T>): Promise<T> {
  const links = origins.slice(0, MOST_ORIGINS).flatMap((origin) => linkTo(traceFrom(origin)));
  const span = openTelemetry.getTracer(SCOPE).startSpan(name, { kind: SpanKind.CONSUMER, links }, ROOT_CONTEXT);
  const own = span.isRecording() ? traceOf(span) : traceFrom(undefined);
  const write = present.getStore()?.write ?? console.log;
  return present.run({ trace: own, write, span }, () => ended(span, action));
}

/** Runs `action` in a span of its own below the present one. @param attributes nothing secret, no geometry */
export function inSpan<T>(name: string, attributes: Attributes, action: (span: Span) => Promise<T>): Promise<T> {
  const parent = present.getStore()?.span;
  const context = parent === undefined ? ROOT_CONTEXT : openTelemetry.setSpan(ROOT_CONTEXT, parent);
  const span = openTelemetry.getTracer(SCOPE).startSpan(name, { kind: SpanKind.CLIENT, attributes }, context);
  return ended(span, () => action(span));
}

/** The trace context to hand to the next system, when there is one. */
export const currentTraceparent = (): string | undefined => present.getStore()?.trace.traceparent;

/** Writes to the log of the present invocation, or to the console outside of one. */
export const writeLine: WriteLine = (line) => {
  (present.getStore()?.write ?? console.log)(line);
};

/** Writes to the log of the process: for what goes on after the invocation that caused it. */
export const processLine: WriteLine = (line) => {
  console.log(line);
};

async function ended<T>(span: Span, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    // The kind alone: a message may hold what is not for telemetry.
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'not an Error' });
    throw error;
  } finally {
    span.end();
  }
}

function parentContextOf(trace: TraceContext): Context {
  const [caller] = linkTo(trace);
  return caller === undefined ? ROOT_CONTEXT : openTelemetry.setSpanContext(ROOT_CONTEXT, caller.context);
}

/** The span that a trace context names; none where the trace begins. */
function linkTo({ traceId, parentSpanId }: TraceContext): Link[] {
  if (parentSpanId === undefined) return [];
  return [{ context: { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true } }];
}

function traceOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}` };
}
