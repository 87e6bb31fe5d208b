import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { trace as openTelemetry } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { asInvocation, asSharedWork, currentTraceparent, inSpan } from '../../../shared/kit/telemetry/trace.js';
import { traceFrom } from '../../../shared/kit/telemetry/traceContext.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const write = (): void => undefined;
const request = { name: 'gddCreate', kind: 'request', write } as const;
const message = { name: 'gddCalculate', kind: 'message', write } as const;

describe('without an exporter', () => {
  test('a message carries the trace of the request that sent it', async () => {
    const sent = await asInvocation({ ...request, trace: traceFrom(undefined) }, (own) => {
      expect(currentTraceparent()).toBe(own.traceparent);
      return Promise.resolve(own);
    });
    expect(traceFrom(sent.traceparent).traceId).toBe(sent.traceId);
  });

  test('there is no trace outside of an invocation', () => {
    expect(currentTraceparent()).toBeUndefined();
  });
});

describe('with an exporter', () => {
  beforeAll(() => {
    openTelemetry.setGlobalTracerProvider(provider);
  });
  beforeEach(() => {
    exporter.reset();
  });
  afterAll(() => {
    openTelemetry.disable();
  });

  const spans = () => new Map(exporter.getFinishedSpans().map((span) => [span.name, span]));

  test('request, message and outside call are spans of one trace, each below the one that caused it', async () => {
    const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    let carried: string | undefined;
    await asInvocation({ ...request, trace: traceFrom(caller) }, () => {
      carried = currentTraceparent();
      return Promise.resolve();
    });
    await asInvocation({ ...message, trace: traceFrom(carried) }, () =>
      inSpan('GET weather.example', {}, () => Promise.resolve()),
    );
    const [first, second, call] = ['gddCreate', 'gddCalculate', 'GET weather.example'].map((name) =>
      spans().get(name)!,
    );
    expect(new Set([first, second, call].map((span) => span!.spanContext().traceId)).size).toBe(1);
    expect(first!.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(first!.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(second!.parentSpanContext?.spanId).toBe(first!.spanContext().spanId);
    expect(call!.parentSpanContext?.spanId).toBe(second!.spanContext().spanId);
  });

  test('work for many has a trace of its own, which names at most ten of what asked for it', async () => {
    const origins = Array.from({ length: 12 }, () => traceFrom(undefined));
    let inside: string | undefined;
    await asInvocation({ ...message, name: 'imageryLive', trace: traceFrom(origins[0]!.traceparent) }, () =>
      asSharedWork(
        'unit',
        origins.map(({ traceparent }) => traceparent),
        async () => {
          inside = currentTraceparent();
          await inSpan('GET scenes.example', {}, () => Promise.resolve());
        },
      ),
    );
    const [unit, call] = ['unit', 'GET scenes.example'].map((name) => spans().get(name)!);
    const { traceId } = unit!.spanContext();
    expect(origins.map((origin) => origin.traceId)).not.toContain(traceId);
    expect(unit!.parentSpanContext).toBeUndefined();
    expect(unit!.links.map(({ context }) => context.traceId)).toEqual(
      origins.slice(0, 10).map((origin) => origin.traceId),
    );
    expect(call!.spanContext().traceId).toBe(traceId);
    expect(traceFrom(inside).traceId).toBe(traceId);
  });

  test('an error marks its span with its kind, never with its text', async () => {
    await expect(
      asInvocation({ ...message, trace: traceFrom(undefined) }, () => Promise.reject(new TypeError('canary'))),
    ).rejects.toThrow('canary');
    expect(spans().get('gddCalculate')!.status).toMatchObject({ message: 'TypeError' });
    expect(JSON.stringify(spans().get('gddCalculate')!.status)).not.toContain('canary');
  });

  test('a request without a caller begins a trace whose id its errors name', async () => {
    const own = await asInvocation({ ...request, trace: traceFrom(null) }, (trace) => Promise.resolve(trace));
    expect(spans().get('gddCreate')!.spanContext().traceId).toBe(own.traceId);
  });
});
