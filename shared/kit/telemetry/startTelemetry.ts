import { metrics, trace } from '@opentelemetry/api';
import { RateLimitedSampler } from '@azure/monitor-opentelemetry-exporter';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AggregationTemporality, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { AlwaysOnSampler, BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { loadedOnce } from '../loadedOnce.js';
import type { TelemetryDestination } from './telemetryExporters.js';
import { firstTraceSampler } from './firstTraceSampler.js';
import { lateExporter } from './lateExporter.js';

/** Sends what is still held; for the end of a process. */
export interface Telemetry {
  flush(): Promise<void>;
}

/** Of an instance: a caller at its limit would otherwise fill the workspace with spans. Figures count everything. */
const TRACES_PER_SECOND = 0.5;

/**
 * Records spans and figures from now on, and sends them where the settings say. The exporters, which are the larger part,
 * are loaded with the first batch: by then the first answer is out, and its span is in the batch.
 */
export function startTelemetry(destination: TelemetryDestination): Telemetry {
  const isAzure = destination.settings.APPLICATIONINSIGHTS_CONNECTION_STRING !== undefined;
  const exporters = loadedOnce(async () => (await import('./telemetryExporters.js')).exportersOf(destination));
  const resource = resourceFromAttributes({ 'service.name': 'partner-field-service' });
  const spans = lateExporter(async () => (await exporters()).spans);
  const tracing = new BasicTracerProvider({
    resource,
    sampler: isAzure ? firstTraceSampler(new RateLimitedSampler(TRACES_PER_SECOND)) : new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor(spans)],
  });
  const figures = {
    ...lateExporter(async () => (await exporters()).figures),
    // Asked for before the exporter is there. Application Insights adds up by itself; collectors expect sums.
    selectAggregationTemporality: () => (isAzure ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE),
  };
  const metering = new MeterProvider({ resource, readers: [new PeriodicExportingMetricReader({ exporter: figures })] });
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
  return {
    flush: async () => {
      await Promise.all([tracing.forceFlush(), metering.forceFlush()]);
    },
  };
}
