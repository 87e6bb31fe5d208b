import { AzureMonitorMetricExporter, AzureMonitorTraceExporter } from '@azure/monitor-opentelemetry-exporter';
import type { TokenCredential } from '@azure/identity';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { ConsoleSpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Where spans and figures go; nowhere when every setting is absent. */
interface TelemetrySettings {
  readonly APPLICATIONINSIGHTS_CONNECTION_STRING: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined;
  readonly OTEL_TRACES_EXPORTER: 'console' | undefined;
}

export interface TelemetryDestination {
  readonly settings: TelemetrySettings;
  /** The identity that may write to Application Insights. */
  readonly credential: TokenCredential;
}

/** Where spans and figures go; undefined where nobody wants them. */
export interface Exporters {
  readonly spans: SpanExporter | undefined;
  readonly figures: PushMetricExporter | undefined;
}

/** The exporters that the settings name: Application Insights before all others, the console for spans alone. */
export function exportersOf({ settings, credential }: TelemetryDestination): Exporters {
  const connectionString = settings.APPLICATIONINSIGHTS_CONNECTION_STRING;
  if (connectionString !== undefined) {
    const options = { connectionString, credential };
    return { spans: new AzureMonitorTraceExporter(options), figures: new AzureMonitorMetricExporter(options) };
  }
  const collector = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const toConsole = settings.OTEL_TRACES_EXPORTER === undefined ? undefined : new ConsoleSpanExporter();
  if (collector === undefined) return { spans: toConsole, figures: undefined };
  return {
    spans: toConsole ?? new OTLPTraceExporter({ url: `${collector}/v1/traces` }),
    figures: new OTLPMetricExporter({ url: `${collector}/v1/metrics` }),
  };
}
