import { text, url, type Setting } from '../setting.js';

const consoleOnly = (value: string): 'console' => {
  if (value !== 'console') throw new Error('must be console');
  return value;
};

/** Where traces and metrics go; nowhere when none is set. */
export const telemetrySettings = {
  APPLICATIONINSIGHTS_CONNECTION_STRING: {
    meaning: 'Application Insights to send traces and metrics to; written by the identity of the service.',
    example: 'InstrumentationKey=…;IngestionEndpoint=https://…',
    optional: true,
    parse: text,
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'OpenTelemetry endpoint to send traces and metrics to instead, such as a local collector.',
    example: 'http://127.0.0.1:4318',
    optional: true,
    parse: url,
  },
  OTEL_TRACES_EXPORTER: {
    meaning: '`console` prints spans to the log, to look at them locally.',
    example: 'console',
    optional: true,
    parse: consoleOnly,
  },
} as const satisfies Record<string, Setting<unknown>>;
