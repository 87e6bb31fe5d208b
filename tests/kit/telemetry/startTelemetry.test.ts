import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { metrics, trace as openTelemetry } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstTraceSampler } from '../../../shared/kit/telemetry/firstTraceSampler.js';
import { lateExporter, type Exporter } from '../../../shared/kit/telemetry/lateExporter.js';
import { measureEvent } from '../../../shared/kit/telemetry/metrics.js';
import { startTelemetry } from '../../../shared/kit/telemetry/startTelemetry.js';
import { exportersOf, type TelemetryDestination } from '../../../shared/kit/telemetry/telemetryExporters.js';
import { asInvocation, inSpan } from '../../../shared/kit/telemetry/trace.js';
import { traceFrom } from '../../../shared/kit/telemetry/traceContext.js';

const credential = { getToken: () => Promise.reject(new Error('Nobody is to be asked for a token here.')) };
const nowhere = {
  APPLICATIONINSIGHTS_CONNECTION_STRING: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  OTEL_TRACES_EXPORTER: undefined,
};
const request = { name: 'health', kind: 'request', write: () => undefined } as const;
const nothing = (): Promise<void> => Promise.resolve();

afterEach(() => {
  openTelemetry.disable();
  metrics.disable();
});

describe('a process that sends its telemetry to a collector', () => {
  let collector: Server;
  let address: string;
  let received: { readonly path: string; readonly text: string }[] = [];
  beforeEach(async () => {
    received = [];
    collector = createServer((incoming, answer) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        received.push({ path: incoming.url ?? '', text: Buffer.concat(parts).toString('utf8') });
        answer.setHeader('content-type', 'application/json').end('{}');
      });
    });
    await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
    address = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    collector.close();
    collector.closeAllConnections();
  });

  test('exports the span of its first request, and what that request measured', async () => {
    const telemetry = startTelemetry({ settings: { ...nowhere, OTEL_EXPORTER_OTLP_ENDPOINT: address }, credential });
    const own = await asInvocation({ ...request, trace: traceFrom(undefined) }, async (trace) => {
      await inSpan('GET weather.example', {}, nothing);
      measureEvent('Request:Answered', { operation: 'health', status: 200, durationMs: 3 });
      return trace;
    });
    // Neither the start nor the request has sent anything: the exporters come with the first batch.
    expect(received).toEqual([]);
    await telemetry.flush();
    const textOf = (path: string): string => received.find((each) => each.path === path)!.text;
    expect(textOf('/v1/traces')).toContain(`"traceId":"${own.traceId}"`);
    for (const name of ['"health"', '"GET weather.example"', '"partner-field-service"']) {
      expect(textOf('/v1/traces')).toContain(name);
    }
    expect(textOf('/v1/metrics')).toContain('"requests.duration"');
  });
});

describe('where telemetry goes', () => {
  const connection = 'InstrumentationKey=00000000-0000-0000-0000-000000000000;IngestionEndpoint=https://in.example';
  const kindsOf = (settings: Partial<TelemetryDestination['settings']>) => {
    const { spans, figures } = exportersOf({ settings: { ...nowhere, ...settings }, credential });
    return [spans?.constructor.name, figures?.constructor.name];
  };
  test.each([
    {
      why: 'Application Insights goes before a collector',
      settings: {
        APPLICATIONINSIGHTS_CONNECTION_STRING: connection,
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      },
      kinds: ['AzureMonitorTraceExporter', 'AzureMonitorMetricExporter'],
    },
    {
      why: 'a collector takes both',
      settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
      kinds: ['OTLPTraceExporter', 'OTLPMetricExporter'],
    },
    {
      why: 'the console shows spans alone',
      settings: { OTEL_TRACES_EXPORTER: 'console' } as const,
      kinds: ['ConsoleSpanExporter', undefined],
    },
  ])('$why', ({ settings, kinds }) => {
    expect(kindsOf(settings)).toEqual(kinds);
  });
});

describe('an exporter that comes late', () => {
  const resultOf = (exporter: Exporter<string>, batch: string) =>
    new Promise<{ readonly code: number; readonly error?: Error }>((done) => {
      exporter.export(batch, done);
    });

  test('is not loaded before the first batch, not even to be shut down', async () => {
    let loads = 0;
    const exporter = lateExporter<string>(() => {
      loads += 1;
      return Promise.resolve(undefined);
    });
    await exporter.forceFlush();
    await exporter.shutdown();
    expect(loads).toBe(0);
    expect(await resultOf(exporter, 'spans')).toEqual({ code: 0 });
    expect(loads).toBe(1);
  });
  test('that can not be loaded loses the batch and takes the next', async () => {
    const sent: string[] = [];
    const loaded: Exporter<string> = {
      export: (batch, done) => {
        sent.push(batch);
        done({ code: 0 });
      },
      shutdown: nothing,
    };
    const loads = [() => Promise.reject(new Error('no such file')), () => Promise.resolve(loaded)];
    const exporter = lateExporter<string>(() => loads.shift()!());
    const { code, error } = await resultOf(exporter, 'first');
    expect([code, (error?.cause as Error).message]).toEqual([1, 'no such file']);
    expect(await resultOf(exporter, 'second')).toEqual({ code: 0 });
    expect(sent).toEqual(['second']);
  });
});

describe('of the traces of a process', () => {
  const none = { shouldSample: () => ({ decision: 0 }), toString: () => 'None' };
  const exporter = new InMemorySpanExporter();
  beforeEach(() => {
    exporter.reset();
    openTelemetry.setGlobalTracerProvider(
      new BasicTracerProvider({
        sampler: firstTraceSampler(none),
        spanProcessors: [new SimpleSpanProcessor(exporter)],
      }),
    );
  });
  const invoke = (name: string, traceparent?: string) =>
    asInvocation({ ...request, name, trace: traceFrom(traceparent) }, () => inSpan(`call of ${name}`, {}, nothing));

  test('the first is sampled whole, however many are wanted', async () => {
    await invoke('first');
    await invoke('second');
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['call of first', 'first']);
  });
  test('a further request of the caller that began it is one among others', async () => {
    const caller = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await invoke('first', caller);
    await invoke('again', caller);
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['call of first', 'first']);
  });
});
